"""--report FILE: what was run as one HTML page, or as Markdown or CSV by the file's ending."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.app import GIVEN
from planner.cli.console import Console, refuse_unwritable
from planner.errors import UsageError

if TYPE_CHECKING:
    from planner.report.records import Reported

ENDINGS = (".html", ".md", ".csv")

option = click.option(
    "--report",
    "report_file",
    metavar="FILE.html",
    help="Also write a report with figures to FILE: one page that needs nothing else. An ending of .md makes "
    "it Markdown, .csv the table of its cells.",
)


def refuse(path: str | None) -> None:
    """Raise `UsageError` before any work is done where no report can be written there."""
    if path is None:
        return
    refuse_unwritable(path, "--report")
    refuse_ending(path, "--report")


def refuse_ending(path: str, option: str) -> None:
    """Raise `UsageError` where the file's ending is none that a report can have."""
    if Path(path).suffix.lower() not in ENDINGS:
        raise UsageError(f"{option}: {path} must end in .html, .md or .csv, as that is what is written")


def command() -> str:
    """The command line that is running, as one would type it again."""
    return shlex.join(["planner", *click.get_current_context().meta[GIVEN]])


def write(console: Console, path: str, reported: Reported) -> None:
    """Write the report in the format of the file's ending."""
    console.write_file(path, content(path, reported))


def content(path: str, reported: Reported) -> str:
    """The report in the format of the ending of `path`."""
    ending = Path(f"report{path}" if path.startswith(".") else path).suffix.lower()
    if ending == ".md":
        from planner.report.markdown import as_markdown as written
    elif ending == ".csv":
        from planner.report.cells_csv import as_csv as written
    else:
        from planner.report.html import as_html as written
    return written(reported)
