"""From the store of a study to what reports read."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from planner import files
from planner.report.numbers import counted
from planner.report.records import Record, Reported
from planner.report.schedule import Schedule, schedule_of, to_draw
from planner.studies.cells import Cell, Plan
from planner.studies.store import Store
from planner.studies.task import Outcome, State

_MOST_NAMES = 8


def records_of(
    cells: Iterable[Cell], store: Store | None, states: Sequence[State] = tuple(State)
) -> tuple[Record, ...]:
    """What came of those of the cells that ran, in the order of the cells; without a store nothing did.

    `states`: only of cells in one of these.
    """
    wanted = list(cells)
    if store is None:
        return ()
    found = {outcome.key: outcome for outcome in store.outcomes((cell.key for cell in wanted), states)}
    return tuple(_record(cell, found[cell.key]) for cell in wanted if cell.key in found)


def reported(plan: Plan, store: Store | None) -> Reported:
    """The whole study as a report takes it."""
    records = records_of(plan.cells, store)
    drawn = to_draw(records)
    ran = None if store is None else store.last_run()
    return Reported(
        title=plan.study.name,
        what=_what(plan),
        command=command_of(plan) if ran is None else ran[0],
        environment={} if ran is None else ran[1],
        records=records,
        pending=len(plan.cells) - len(records),
        schedule=None if drawn is None else _schedule(plan, drawn),
    )


def command_of(plan: Plan, *more: str) -> str:
    """The command line that runs the study, with `more` words."""
    return shlex.join(["planner", "study", "run", plan.study.source, *more])


def _schedule(plan: Plan, record: Record) -> Schedule | None:
    """The picture of the plan in that record, where its instance is still there to be read."""
    problem = next(one for one in plan.problems if one.sha256 == record.instance_sha256)
    instance = files.read_instance(problem.path)
    if instance.sha256 != problem.sha256 or record.result is None:
        return None
    return schedule_of(instance, record.result["plan"], record.solver)


def _record(cell: Cell, outcome: Outcome) -> Record:
    return Record(
        instance=cell.problem.name,
        instance_sha256=cell.problem.sha256,
        kind=cell.problem.kind,
        solver=cell.choice.label,
        goal=cell.goal,
        seed=cell.seed,
        status=outcome.status,
        seconds=outcome.seconds,
        result=None if outcome.result is None else _result(outcome.result),
        error=outcome.error,
        traceback=outcome.traceback,
        facts=cell.problem.facts,
    )


def _result(text: str) -> dict[str, Any]:
    """A stored result; the series of a run is an array, as a list would take four times the memory."""
    result: dict[str, Any] = json.loads(text)
    alor = result.get("alor")
    if alor is not None and alor["series"] is not None:
        alor["series"] = np.array(alor["series"])
    return result


def _what(plan: Plan) -> tuple[str, ...]:
    """In up to three lines: on what, by whom, how."""
    study = plan.study
    seeds = len({cell.seed for cell in plan.cells})
    runners = [choice.label for choice in (*study.solvers, *study.policies)]
    limits = [
        "" if study.time_limit is None else f"time limit {study.time_limit:g} s",
        "" if study.memory_limit is None else f"memory limit {study.memory_limit:g} MB",
        "" if study.threads == 1 else f"{study.threads} threads",
    ]
    first = f"{counted(len(plan.problems), 'instance')}: {_some([problem.name for problem in plan.problems])}"
    how = ", ".join(filter(None, [counted(seeds, "seed"), *limits]))
    return (
        first,
        f"{counted(len(runners), 'solver')}: {_some(runners)}",
        f"{how}; {counted(len(plan.cells), 'cell')}",
    )


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMES])
    return shown if len(names) <= _MOST_NAMES else f"{shown} and {len(names) - _MOST_NAMES} more"
