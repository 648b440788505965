"""Simulations as a table, as flat rows, and as the tree that `planner/simulation/1` holds."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from planner.grid.bounds import LoadBound
from planner.grid.metrics import Metrics, Spread
from planner.report.layout import Block, Cells, Column, Line, cells, line, paragraph, span, table
from planner.report.names import visible
from planner.report.numbers import counted, elapsed, percent
from planner.report.statistics import half_interval

if TYPE_CHECKING:
    from planner.simulating import Run, Simulation

COLUMNS = {
    "system": "name of the system",
    "system_sha256": "hash of the bytes of its file",
    "policy": "name with options, as the command line takes it",
    "seed": "seed of the run",
    "steps": "steps simulated",
    "alor_mean": "ALoR over all steps, in steps",
    "alor_last_quarter": "ALoR over the last quarter of the steps",
    "bound": "certified lower bound on the mean ALoR of any policy on this seed",
    "gap": "(alor_mean - bound) / alor_mean",
    "arrived": "jobs that arrived",
    "finished": "jobs that were finished",
    "running": "jobs in service at the end",
    "queued": "jobs that waited at the end",
    "rejected": "jobs that found no scheduler alive",
    "messages": "messages between schedulers and resources, mean a step",
    "response_mean": "completion - arrival of finished jobs, mean in steps",
    "response_p95": "the same, 95th percentile",
    "fairness": "Jain's index of the resources' loads, mean over steps",
    "utilisation": "work done / capacity offered",
    "makespan": "when the last job was finished, in steps, where the jobs have an end",
    "regret_mean": "total completion time of a step's jobs over the least possible - 1, mean over steps",
    "regret_p95": "the same, 95th percentile",
    "seconds": "wall time of the run",
}
"""Column names, in order, with what each holds. What does not exist is None (empty in CSV)."""


def rows(simulation: Simulation) -> list[dict[str, object]]:
    """One dict a run with the keys of `COLUMNS`."""
    return [_row(simulation, run) for run in simulation.runs]


def as_csv(simulation: Simulation) -> str:
    """The rows as CSV, header first: quoted as in RFC 4180, newline at line ends."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(simulation))
    return text.getvalue()


def simulation_table(simulation: Simulation, width: int = 80) -> Block:
    """One row a policy, the least ALoR first: means over its seeds, ± half a 95 % interval of the mean.

    Columns that the width has no room for are left out and named. Below it the certified bound, and what the
    events did.
    """
    by_policy = simulation.policies
    if not by_policy:
        return []
    system = simulation.system
    seeds = len({run.seed for run in simulation.runs})
    head = line(
        span(system.name, "strong"),
        f"  {counted(len(system.schedulers), 'scheduler')}, ",
        f"{counted(len(system.resource_names), 'resource')}, ",
        f"{counted(system.steps, 'step')}, {counted(seeds, 'seed')}",
    )
    unwanted = set() if seeds > 1 else {"±"}
    if all(run.metrics.regret is None for run in simulation.runs):
        unwanted.add("regret")
    body, left_out = _fitted(list(by_policy.values()), width, unwanted)
    return [
        head,
        (),
        *body,
        (),
        *_room(left_out, width),
        *_bound(simulation, width),
        *_events(simulation, width),
    ]


def to_wire(simulation: Simulation, *, series: bool = False) -> dict[str, Any]:
    """The simulation as `planner/simulation/1` has it; with `series` ALoR step by step."""
    return {
        "format": "planner/simulation/1",
        "system": simulation.system.name,
        "system_sha256": simulation.system.sha256,
        "bound": _bound_wire(simulation.bound),
        "runs": [_run_wire(run, series) for run in simulation.runs],
    }


def _run_wire(run: Run, series: bool) -> dict[str, Any]:
    metrics = run.metrics
    jobs = metrics.jobs
    return {
        "policy": run.policy,
        "options": dict(run.options),
        "seed": run.seed,
        "steps": run.steps,
        "bound": run.bound.mean_alor,
        "alor": {
            "mean": metrics.mean,
            "last_quarter": metrics.last_quarter,
            "series": metrics.series.tolist() if series else None,
        },
        "jobs": {
            "arrived": jobs.arrived,
            "finished": jobs.finished,
            "running": jobs.running,
            "queued": jobs.queued,
            "rejected": jobs.rejected,
        },
        "messages": metrics.messages,
        "response_time": _spread_wire(metrics.response) or {"mean": None, "p95": None},
        "fairness": metrics.fairness,
        "utilisation": metrics.utilisation,
        "makespan": metrics.makespan,
        "regret": _spread_wire(metrics.regret),
        "events": [
            {
                "step": event.step,
                "what": event.what,
                "alor_before": event.alor_before,
                "alor_after": event.alor_after,
            }
            for event in metrics.events
        ],
        "seconds": run.seconds,
    }


def _bound_wire(bound: LoadBound) -> dict[str, Any]:
    return {"mean_alor": bound.mean_alor, "method": bound.method, "reason": bound.reason}


def _spread_wire(spread: Spread | None) -> dict[str, float] | None:
    return None if spread is None else {"mean": spread.mean, "p95": spread.p95}


def _row(simulation: Simulation, run: Run) -> dict[str, object]:
    metrics: Metrics = run.metrics
    return {
        "system": simulation.system.name,
        "system_sha256": simulation.system.sha256,
        "policy": run.label,
        "seed": run.seed,
        "steps": run.steps,
        "alor_mean": metrics.mean,
        "alor_last_quarter": metrics.last_quarter,
        "bound": run.bound.mean_alor,
        "gap": run.gap,
        "arrived": metrics.jobs.arrived,
        "finished": metrics.jobs.finished,
        "running": metrics.jobs.running,
        "queued": metrics.jobs.queued,
        "rejected": metrics.jobs.rejected,
        "messages": metrics.messages,
        "response_mean": None if metrics.response is None else metrics.response.mean,
        "response_p95": None if metrics.response is None else metrics.response.p95,
        "fairness": metrics.fairness,
        "utilisation": metrics.utilisation,
        "makespan": metrics.makespan,
        "regret_mean": None if metrics.regret is None else metrics.regret.mean,
        "regret_p95": None if metrics.regret is None else metrics.regret.p95,
        "seconds": run.seconds,
    }


_LEAST_NEEDED = ("seconds", "fairness", "response", "messages")
"""Columns that are left out, in this order, until the table fits the width."""


def _fitted(policies: Sequence[list[Run]], width: int, unwanted: set[str]) -> tuple[Block, list[str]]:
    """The table without the `unwanted` columns, and which others it has no room for."""
    ranked = sorted(policies, key=lambda runs: _mean([run.metrics.mean for run in runs]))
    rows = {runs[0].label: _values(runs) for runs in ranked}
    left_out: list[str] = []
    while True:
        titles = [
            title for title in next(iter(rows.values())) if title not in unwanted and title not in left_out
        ]
        columns = [Column("policy"), *(Column(title, right=True) for title in titles)]
        body: list[Cells | Line] = [
            Cells((span(label, "strong"), *(span(values[title]) for title in titles)))
            for label, values in rows.items()
        ]
        block = table(columns, body, width)
        wide = max(sum(cells(part.text) for part in parts) for parts in block) > width
        if not wide or len(left_out) == len(_LEAST_NEEDED):
            return block, left_out
        left_out.append(_LEAST_NEEDED[len(left_out)])


def _values(runs: Sequence[Run]) -> dict[str, str]:
    """What stands in a policy's row, by the titles of the columns."""
    means = [run.metrics.mean for run in runs]
    gaps = [run.gap for run in runs if run.gap is not None]
    responses = [run.metrics.response.mean for run in runs if run.metrics.response is not None]
    regrets = [run.metrics.regret.mean for run in runs if run.metrics.regret is not None]
    return {
        "ALoR": _short(_mean(means)),
        "±": _short(half_interval(means)),
        "last quarter": _short(_mean([run.metrics.last_quarter for run in runs])),
        "gap": percent(_mean(gaps)) if gaps else "-",
        "response": _short(_mean(responses)) if responses else "-",
        "fairness": f"{_mean([run.metrics.fairness for run in runs]):.2f}",
        "regret": percent(_mean(regrets)) if regrets else "-",
        "messages": f"{_mean([run.metrics.messages for run in runs]):,.0f}",
        "seconds": elapsed(sum(run.seconds for run in runs)),
    }


def _room(left_out: Sequence[str], width: int) -> Block:
    if not left_out:
        return []
    text = f"no room here for {' and '.join(left_out)}; --json and --csv have all"
    return paragraph(text, width, "  ", "faint", first="")


def _bound(simulation: Simulation, width: int) -> Block:
    bound = simulation.bound
    if bound.mean_alor is None:
        return paragraph(f"no bound on the mean ALoR: {bound.reason}", width, "  ", "faint", first="")
    text = f"no policy can have a mean ALoR below {_short(bound.mean_alor)} ({bound.method})"
    return paragraph(text, width, "  ", "faint", first="")


def _events(simulation: Simulation, width: int) -> Block:
    """What each event did to each policy, on its first seed."""
    block: Block = []
    for runs in simulation.policies.values():
        for event in runs[0].metrics.events:
            around = f"ALoR {_maybe(event.alor_before)} before, {_maybe(event.alor_after)} after"
            text = f"step {event.step}, {visible(event.what)}: {runs[0].label}: {around}"
            block += paragraph(text, width, "  ", "faint", first="")
    return block


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _maybe(value: float | None) -> str:
    return "-" if value is None else _short(value)


def _short(value: float) -> str:
    """Three significant digits, and at least the whole part."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
