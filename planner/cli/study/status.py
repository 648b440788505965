"""`planner study status`: how far a study is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner import files
from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console
from planner.cli.study.options import opened, planned, selecting
from planner.report.layout import Block, line, paragraph, span
from planner.report.names import visible
from planner.report.numbers import counted

if TYPE_CHECKING:
    from planner.report.records import Record
    from planner.studies.running import Counts

MOST_FAILURES = 20
"""Failures that are listed; a report has all of them, with their tracebacks."""


@click.command("status", cls=Command)
@selecting
@options.printing
@click.pass_obj
def command(console: Console, path: str, store: str | None, time_limit: float | None, as_json: bool) -> int:
    """Count the cells of a study that are done, failed and pending, and list failures.

    With -v failures have their tracebacks. The code is 0 whatever there is.
    """
    from planner.studies.collecting import records_of
    from planner.studies.planning import store_of
    from planner.studies.running import counts
    from planner.studies.task import State

    plan = planned(console, path, time_limit)
    with opened(plan, store) as there:
        found = counts(there, [cell.key for cell in plan.cells])
        if as_json:
            console.result(files.dumps(wire(found)) + "\n")
            return codes.OK
        failures = records_of(plan.cells, there, [State.FAILED])
    console.show(block(plan.study.name, store_of(plan.study, store), found, failures, console.width))
    for record in failures:
        console.detail(f"{_name(record)}\n{record.traceback or record.error}")
    return codes.OK


def wire(counts: Counts) -> dict[str, int]:
    """The counts as `--json` has them."""
    return {"total": counts.total, "done": counts.done, "failed": counts.failed, "pending": counts.pending}


def block(name: str, store: Path, counts: Counts, failures: Sequence[Record], width: int) -> Block:
    """How far the study is, where its store is, and what failed."""
    parts = [f"{counts.done} done", f"{counts.failed} failed", f"{counts.pending} pending"]
    found: Block = [
        line(span(visible(name), "strong"), f"  {counted(counts.total, 'cell')}: {', '.join(parts)}"),
        line(span(f"  store {visible(str(store))}", "faint")),
    ]
    for record in failures[:MOST_FAILURES]:
        first = (record.error or "").splitlines() or [""]
        text = f"{_name(record)}: {visible(first[0])}"
        found += paragraph(text, width, "    ", first="  ")
    if len(failures) > MOST_FAILURES:
        found.append(line(f"  and {len(failures) - MOST_FAILURES} more"))
    return found


def _name(record: Record) -> str:
    goal = "" if record.goal is None else f", {record.goal}"
    return f"{visible(record.instance)} · {visible(record.solver)}{goal}, seed {record.seed}"
