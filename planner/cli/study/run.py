"""`planner study run`: what is missing of a study."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from planner import files
from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console
from planner.cli.study.options import selecting
from planner.cli.study.progress import StudyWatch
from planner.cli.study.status import block, wire
from planner.settings import MAX_WORKERS

if TYPE_CHECKING:
    from planner.studies.api import StudyResult
    from planner.studies.cells import Plan

_SHARD = re.compile(r"(\d{1,6})/(\d{1,6})")


def _shard(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    match = _SHARD.fullmatch(value)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(f"{value!r} is not of the form i/n, with i from 1 to n", ctx, param)
    return int(match[1]), int(match[2])


@click.command("run", cls=Command)
@selecting
@click.option(
    "--workers",
    type=options.Whole(1, MAX_WORKERS),
    metavar="N",
    help="Cells that run at once.  [default: the study's, else as many as cores allow]",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Where cells run: in processes here, or on a dask cluster.",
)
@click.option("--scheduler", metavar="tcp://HOST:PORT", help="Of --engine dask: the cluster's scheduler.")
@click.option("--shard", callback=_shard, metavar="I/N", help="Only the I-th of N parts of the cells.")
@click.option("--retry-failed", is_flag=True, help="Run cells that failed again, too.")
@options.printing
@click.pass_obj
def command(
    console: Console,
    path: str,
    store: str | None,
    time_limit: float | None,
    workers: int | None,
    engine: str,
    scheduler: str | None,
    shard: tuple[int, int] | None,
    retry_failed: bool,
    as_json: bool,
) -> int:
    """Run the cells of a study that have no result yet, and store each as soon as it is done.

    It may be stopped in any way and at any time, and be run again, several times at once, too: each cell is
    run once. The code is 0 when every cell has an answer, whatever its status; where cells failed it is that
    of the worst of them, and 130 where Ctrl-C left some.
    """
    from planner.studies.api import study

    def tell(plan: Plan) -> None:
        for note in plan.notes:
            console.note(f"note: {note}")

    with StudyWatch(console) as watch, _quiet_logs(console):
        result = study(
            path,
            store,
            workers=workers,
            engine=engine,
            scheduler=scheduler,
            shard=shard,
            retry_failed=retry_failed,
            time_limit=time_limit,
            on_plan=tell,
            on_start=watch.start,
            on_done=watch.done,
            skipped=console.skipped,
        )
    if as_json:
        console.result(files.dumps(wire(result.counts)) + "\n")
    else:
        console.show(
            block(result.plan.study.name, result.store, result.counts, result.failures, console.width)
        )
    return _code(result, console)


@contextmanager
def _quiet_logs(console: Console) -> Iterator[None]:
    """Without -v no logs of libraries: dask's tell in other words what is told here."""
    if not console.verbose:
        logging.disable(logging.ERROR)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


def _code(result: StudyResult, console: Console) -> int:
    ends = [codes.INTERRUPTED] if result.interrupted else []
    if result.interrupted:
        console.error(
            f"interrupted; {result.counts.pending} of {result.counts.total} cells have no result yet"
        )
    return codes.worst([*ends, *result.failure_codes])
