"""What the commands of studies share: the study's file, its store, and what changes which cells are meant."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from planner.cli import options
from planner.cli.console import Console
from planner.errors import UsageError

if TYPE_CHECKING:
    from planner.studies.cells import Plan
    from planner.studies.store import Store

Function = TypeVar("Function", bound=Callable[..., Any])


def selecting(function: Function) -> Function:
    """FILE, --store and --time-limit: which cells are meant, and where they are kept."""
    for option in (
        options.limiting("Seconds of wall time for each cell.", "the study's"),
        click.option(
            "--store",
            metavar="STORE.sqlite",
            help="The SQLite file of the results.  [default: the study's name with .sqlite, in this folder]",
        ),
        click.argument("path", metavar="FILE"),
    ):
        function = option(function)
    return function


def planned(console: Console, path: str, time_limit: float | None) -> Plan:
    """The cells of the study in that file; what is worth telling of them is told."""
    from planner.studies.planning import planned as planned_cells

    plan = planned_cells(path, time_limit, console.skipped)
    for note in plan.notes:
        console.note(f"note: {note}")
    return plan


def opened(plan: Plan, store: str | None) -> AbstractContextManager[Store | None]:
    """The study's store for reading; None where there is none yet, as nothing has run."""
    from planner.studies.planning import store_of
    from planner.studies.store import Store

    place = store_of(plan.study, store)
    if not place.exists():
        return nullcontext()
    return Store(place, write=False)


def refuse_replacing(plan: Plan, store: str | None, *outputs: tuple[str, str | None]) -> None:
    """Raise `UsageError` where an output (option, path) is the study's store or an instance of it."""
    from planner.studies.planning import store_of

    kept = [store_of(plan.study, store), *(problem.path for problem in plan.problems)]
    for option, path in outputs:
        if path is None or not os.path.isfile(path):  # noqa: PTH113 - Path raises on odd names
            continue
        if any(place.exists() and Path(path).samefile(place) for place in kept):
            raise UsageError(f"{option}: {path} belongs to the study and would be lost; give another file")
