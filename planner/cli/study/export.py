"""`planner study export`: the cells of a study as a table, for programs."""

from __future__ import annotations

import click

from planner.cli import codes
from planner.cli.command import Command
from planner.cli.console import Console, refuse_unwritable
from planner.cli.study.options import opened, planned, refuse_replacing, selecting
from planner.errors import UsageError


@click.command("export", cls=Command)
@selecting
@click.option("--parquet", "parquet_file", metavar="FILE", help="Write all cells to FILE as Parquet.")
@click.option("--csv", "csv_file", metavar="FILE", help="Write all cells to FILE as CSV.")
@click.pass_obj
def command(
    console: Console,
    path: str,
    store: str | None,
    time_limit: float | None,
    parquet_file: str | None,
    csv_file: str | None,
) -> int:
    """Write the cells of a study that ran as a table, a row a cell: Parquet, CSV, or both.

    Its columns are those of the data frame of planner.study, which docs/studies.md lists.
    """
    if parquet_file is None and csv_file is None:
        raise UsageError("say what to write: --parquet FILE, --csv FILE, or both")
    for option, file in (("--parquet", parquet_file), ("--csv", csv_file)):
        if file is not None:
            refuse_unwritable(file, option)
    from planner.studies.collecting import records_of
    from planner.studies.frames import as_csv, as_parquet, frame_of

    plan = planned(console, path, time_limit)
    refuse_replacing(plan, store, ("--parquet", parquet_file), ("--csv", csv_file))
    with opened(plan, store) as there:
        records = records_of(plan.cells, there)
    if not records:
        raise UsageError(f"no cell of {path} has run: there is nothing to export")
    frame = frame_of(records)
    if csv_file is not None:
        console.write_file(csv_file, as_csv(frame))
    if parquet_file is not None:
        console.write_file(parquet_file, as_parquet(frame))
    return codes.OK
