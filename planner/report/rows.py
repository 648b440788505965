"""Results as flat rows, for data frames and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from planner.cloud.plan import CloudPlan
from planner.report.names import label
from planner.result import Result
from planner.summary import excess, groups

COLUMNS = {
    "instance": "name of the instance",
    "instance_sha256": "hash of the bytes of its file",
    "solver": "name with options, as the command line takes it",
    "seed": "seed of the run",
    "goal": "what was minimised: makespan, cost, flow or load",
    "status": "optimal, feasible, infeasible, unknown, unsupported or failed",
    "stopped_by": "completed, time_limit, interrupted or error",
    "objective": "value of the goal, nearest double",
    "makespan": "seconds until the last VM is done, nearest double",
    "cost": "money for all VMs, nearest double",
    "bound": "certified lower bound on the goal, the best that any solver of the comparison proved",
    "gap": "(objective - bound) / objective",
    "excess": "objective / best objective of the comparison on this instance - 1",
    "vms": "VMs rented in all",
    "fleet": "VMs by type, as in '2 it3 + 4 it4'",
    "seconds": "wall time of the run",
    "makespan_exact": "makespan as an exact fraction, as in '10/3'",
    "cost_exact": "cost as an exact fraction",
    "bound_exact": "bound as an exact fraction",
    "tiebreak_proven": "whether no plan with this objective is better in the other goal",
    "kind": "cloud or grid-step",
    "flow": "total completion time of a grid step's jobs, nearest double",
    "load": "mean load of a grid step's resources at its end, nearest double",
    "message": "why there is no plan, or what else is to be said",
}
"""Column names, in order, with what each holds. What does not exist is None (empty in CSV)."""


def rows(results: Iterable[Result[Any]]) -> list[dict[str, object]]:
    """One dict a result with the keys of `COLUMNS`."""
    return [_row(result, excess(result, group)) for group in groups(results) for result in group]


def as_csv(results: Iterable[Result[Any]]) -> str:
    """The rows as CSV, header first: quoted as in RFC 4180, newline at line ends, booleans in lower case."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    for line in rows(results):
        writer.writerow({k: str(v).lower() if isinstance(v, bool) else v for k, v in line.items()})
    return text.getvalue()


def _row(result: Result[Any], over_best: Fraction | None) -> dict[str, object]:
    fleet = result.plan.fleet if isinstance(result.plan, CloudPlan) else None
    return {
        "instance": result.instance,
        "instance_sha256": result.instance_sha256,
        "solver": label(result),
        "seed": result.seed,
        "goal": result.goal.value,
        "status": result.status.value,
        "stopped_by": result.stopped_by.value,
        "objective": _double(result.objective),
        "makespan": _double(result.makespan),
        "cost": _double(result.cost),
        "bound": _double(result.bound),
        "gap": _double(result.gap),
        "excess": _double(over_best),
        "vms": None if fleet is None else sum(fleet.values()),
        "fleet": None if not fleet else " + ".join(f"{n} {name}" for name, n in fleet.items()),
        "seconds": result.seconds.total,
        "makespan_exact": _exact(result.makespan),
        "cost_exact": _exact(result.cost),
        "bound_exact": _exact(result.bound),
        "tiebreak_proven": result.tiebreak_proven,
        "kind": result.kind,
        "flow": _double(result.flow),
        "load": _double(result.load),
        "message": result.message,
    }


def _double(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
