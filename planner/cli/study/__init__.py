"""`planner study`: the group of commands for batch studies."""

from __future__ import annotations

import click

from planner.cli.app import EPILOG, Commands

STUDY_COMMANDS = {
    "run": "Run the cells of a study that have no result yet.",
    "status": "Count the cells that are done, failed and pending.",
    "report": "Write what came of a study as one HTML page, Markdown or CSV.",
    "export": "Write the cells as a table: Parquet or CSV.",
    "merge": "Put the cells of several stores into one.",
}


@click.group("study", cls=Commands, overview=STUDY_COMMANDS, home="planner.cli.study", epilog=EPILOG)
def command() -> None:
    """Batch studies: hundreds of instances × solvers × seeds, each cell once, whatever happens in between.

    A study is a TOML file (planner schema study); its results are in one SQLite file beside it.
    """
