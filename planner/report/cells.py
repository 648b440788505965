"""Records as columns, one row a cell, with the bounds that cells of one problem share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from planner.report.names import visible
from planner.report.records import Record

ALOR = "mean ALoR"
"""What a policy's run is judged by, where results have a goal."""

PLANNED = ("optimal", "feasible", "simulated")
"""The statuses of cells with a plan or a simulation."""

SAME = 1e-9
"""Values that differ by no more than this share of themselves are one value."""

COLUMNS = {
    "instance": "name of the instance or system",
    "instance_sha256": "hash of the bytes of its file",
    "kind": "cloud, grid-step or grid",
    "solver": "solver or policy with options, as the command line takes it",
    "goal": f"what was minimised; {ALOR} for policies",
    "seed": "seed of the run",
    "status": "optimal, feasible, infeasible, unknown, unsupported, simulated or failed",
    "objective": "value of the goal",
    "bound": "certified lower bound on it, the best that any cell of the same problem proved",
    "gap": "(objective - bound) / objective",
    "excess": "objective / best objective of the same problem - 1",
    "makespan": "seconds (steps on the grid) until the last machine is done",
    "cost": "money for all VMs",
    "vms": "VMs rented in all",
    "fleet": "VMs by type, as in '2 it3 + 4 it4'",
    "seconds": "wall time of the run",
    "budget": "budget of the instance",
    "message": "why there is no plan, or what else is to be said",
}
"""Column names, in order, with what each holds. What does not exist is NaN, or empty where it is text."""


def cell_frame(records: Iterable[Record]) -> pd.DataFrame:
    """One row a record with `COLUMNS`, and `problem`, a number: cells with the same one can be compared.

    A problem is an instance with a goal, and for policies a seed as well, since bound and arrivals are the
    seed's. Solvers' seeds do not make problems: what one proves holds for all, so a plan that meets the bound
    of another is optimal, and what nobody found is infeasible where one proved it.
    """
    found = list(records)
    results: list[Mapping[str, Any]] = [record.result or {} for record in found]
    frame = pd.DataFrame(
        {
            "instance": _texts([record.instance for record in found]),
            "instance_sha256": _texts([record.instance_sha256 or "" for record in found]),
            "kind": _texts([record.kind for record in found]),
            "solver": _texts([record.solver for record in found]),
            "goal": _texts(_goals(found, results)),
            "seed": [record.seed for record in found],
            "status": _texts([record.status for record in found]),
            "objective": _numbers([_objective(result) for result in results]),
            "bound": _numbers([result.get("bound") for result in results]),
            "makespan": _numbers([result.get("makespan") for result in results]),
            "cost": _numbers([result.get("cost") for result in results]),
            "vms": _numbers([_vms(result) for result in results]),
            "fleet": _texts([_fleet(result) for result in results]),
            "seconds": _numbers([record.seconds for record in found]),
            "budget": _numbers([record.facts.get("budget") for record in found]),
            "message": _texts(
                [
                    record.error or result.get("message") or ""
                    for record, result in zip(found, results, strict=True)
                ]
            ),
        }
    )
    seed = frame["seed"].where(frame["kind"] == "grid", 0)
    keys = ["instance", "instance_sha256", "kind", "goal"]
    frame["problem"] = frame.assign(seed=seed).groupby([*keys, "seed"], sort=False).ngroup()
    return _compared(frame)


def contradictions(frame: pd.DataFrame) -> pd.DataFrame:
    """Plans below a bound, or of a problem called infeasible, by a cell of their problem: one is wrong."""
    below = frame["objective"] < frame["bound"] - SAME * frame["bound"].abs()
    refuted = (frame["status"] == "infeasible").groupby(frame["problem"]).transform("any")
    return frame[below | (refuted & frame["objective"].notna())]


def fleet_of(result: Mapping[str, Any]) -> dict[str, int]:
    """VMs by type in a result's plan, in the plan's order; empty without a cloud plan."""
    fleet: dict[str, int] = {}
    for vm in (result.get("plan") or {}).get("vms", ()):
        fleet[vm["type"]] = fleet.get(vm["type"], 0) + int(vm.get("count", 1))
    return fleet


def _compared(frame: pd.DataFrame) -> pd.DataFrame:
    """With what the cells of one problem say together: bound, gap and excess, and the status that follows."""
    failed = frame["status"] == "failed"
    objective = frame["objective"].where(~failed)
    own = frame["bound"].where(~failed)
    bound = own.groupby(frame["problem"]).transform("max")
    best = objective.groupby(frame["problem"]).transform("min")
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = np.where(objective == 0, np.where(bound.isna(), np.nan, 0.0), (objective - bound) / objective)
        excess = np.where((objective == 0) & (best == 0), 0.0, objective / best - 1)
    gap = np.where(np.abs(gap) <= SAME, 0.0, np.maximum(gap, 0.0))
    excess = np.where(np.isfinite(excess), excess, np.nan)
    refuted = (frame["status"] == "infeasible").groupby(frame["problem"]).transform("any") & best.isna()
    status = frame["status"].mask((frame["status"] == "feasible") & (gap == 0.0), "optimal")
    status = status.mask((frame["status"] == "unknown") & refuted, "infeasible")
    bound = bound.where(status != "infeasible")
    return frame.assign(objective=objective, bound=bound, gap=gap, excess=excess, status=status)[
        [*COLUMNS, "problem"]
    ]


def _goals(records: list[Record], results: list[Mapping[str, Any]]) -> list[str]:
    """What each cell minimised; one that failed before it knew counts with the first goal of its kind."""
    known = {"grid": ALOR}
    goals = []
    for record, result in zip(records, results, strict=True):
        goal = record.goal or result.get("goal") or ""
        goals.append(ALOR if record.kind == "grid" else goal)
        if goal:
            known.setdefault(record.kind, goal)
    return [goal or known.get(record.kind, "objective") for record, goal in zip(records, goals, strict=True)]


def _objective(result: Mapping[str, Any]) -> float | None:
    alor = result.get("alor")
    value: float | None = result.get("objective") if alor is None else alor["mean"]
    return value


def _vms(result: Mapping[str, Any]) -> int | None:
    fleet = fleet_of(result)
    return sum(fleet.values()) if fleet else None


def _fleet(result: Mapping[str, Any]) -> str:
    return " + ".join(f"{count} {name}" for name, count in fleet_of(result).items())


def _numbers(values: list[float | None]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)


def _texts(values: list[str]) -> list[str]:
    """Nothing in them acts; each distinct text is looked at once."""
    shown = {value: visible(value) for value in dict.fromkeys(values)}
    return [shown[value] for value in values]
