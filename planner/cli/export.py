"""`planner export`: an instance as an integer program for anyone's own solver."""

from __future__ import annotations

import click

from planner import files
from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console
from planner.goal import Goal
from solvers import catalog


@click.command("export", cls=Command)
@click.argument("path", metavar="INSTANCE")
@click.option(
    "--format",
    "form",
    type=click.Choice(["mps", "lp"]),
    help="File format: free MPS or CPLEX LP.  [default: lp where the output ends in .lp, else mps]",
)
@options.cloud_objective
@options.writing
@click.pass_obj
def command(console: Console, path: str, form: str | None, objective: str) -> int:
    """Write the integer program that solver milp solves, for any solver that reads MPS or LP.

    Times are in ticks and money in coins, both whole numbers; comments at the top say what they are worth.
    The file has one objective; the tie-break is not in it.
    """
    if form is None:
        form = "lp" if (console.output or "").lower().endswith(".lp") else "mps"
    console.result(catalog.exporter("cloud").write(files.read_cloud(path), Goal(objective), form))
    return codes.OK
