"""`planner study report`: what came of a study, for people."""

from __future__ import annotations

import click

from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console, refuse_unwritable
from planner.cli.reporting import content, refuse_ending
from planner.cli.study.options import opened, planned, refuse_replacing, selecting
from planner.errors import UsageError


@click.command("report", cls=Command)
@selecting
@click.option(
    "--markdown", "markdown_file", metavar="FILE.md", help="Write the report as Markdown to FILE, too."
)
@click.option(
    "--csv", "csv_file", metavar="FILE.csv", help="Write the table of all cells to FILE as CSV, too."
)
@options.writing
@click.pass_obj
def command(
    console: Console,
    path: str,
    store: str | None,
    time_limit: float | None,
    markdown_file: str | None,
    csv_file: str | None,
) -> int:
    """Write what came of a study as one HTML page that needs nothing else: to stdout, or to -o FILE.html.

    A FILE.md gets Markdown and a FILE.csv the table of cells. With --markdown or --csv and no -o, only these
    are written. Cells that are pending are counted, no more.
    """
    from planner.studies.collecting import reported

    html = console.output is not None or (markdown_file is None and csv_file is None)
    if html and console.prints_on_terminal:
        raise UsageError("a page of HTML is for a browser: write it to a file with -o FILE.html")
    for option, file in (("--markdown", markdown_file), ("--csv", csv_file)):
        if file is not None:
            refuse_unwritable(file, option)
    plan = planned(console, path, time_limit)
    refuse_replacing(
        plan, store, ("--output", console.output), ("--markdown", markdown_file), ("--csv", csv_file)
    )
    if console.output is not None:
        refuse_ending(console.output, "--output")
    with opened(plan, store) as there:
        about = reported(plan, there)
    if about.pending:
        console.warning(f"{about.pending} of {len(plan.cells)} cells have not run")
    if html:
        console.result(content(console.output or ".html", about))
    if markdown_file is not None:
        from planner.report.markdown import as_markdown

        console.write_file(markdown_file, as_markdown(about))
    if csv_file is not None:
        from planner.report.cells_csv import as_csv

        console.write_file(csv_file, as_csv(about))
    return codes.OK
