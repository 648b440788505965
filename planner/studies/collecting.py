"""From the store of a study to what reports read."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence

from planner.report.numbers import counted
from planner.report.records import Record, Reported
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
    ran = None if store is None else store.last_run()
    return Reported(
        title=plan.study.name,
        what=_what(plan),
        command=command_of(plan) if ran is None else ran[0],
        environment={} if ran is None else ran[1],
        records=records,
        pending=len(plan.cells) - len(records),
    )


def command_of(plan: Plan, *more: str) -> str:
    """The command line that runs the study, with `more` words."""
    return shlex.join(["planner", "study", "run", plan.study.source, *more])


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
        result=None if outcome.result is None else json.loads(outcome.result),
        error=outcome.error,
        traceback=outcome.traceback,
        facts=cell.problem.facts,
    )


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
