"""`planner study merge`: stores of shards, or of several machines, as one."""

from __future__ import annotations

from pathlib import Path

import click

from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console
from planner.errors import UsageError
from planner.report.layout import line
from planner.report.numbers import counted


@click.command("merge", cls=Command)
@click.argument("out", metavar="OUT")
@click.argument("stores", nargs=-1, required=True, metavar="STORE...")
@options.writing
@click.pass_obj
def command(console: Console, out: str, stores: tuple[str, ...]) -> int:
    """Put all cells of STORE... into the store OUT, which is made where it is missing.

    Of a cell that is in several, a result wins over a failure, and what was there first over what comes
    later. Nothing is removed, and running it again changes nothing.
    """
    from planner.studies.store import Store

    target = Path(out)
    for store in stores:
        if target.exists() and Path(store).exists() and target.samefile(store):
            raise UsageError(f"{store} is OUT itself; a store cannot be merged into itself")
        with Store(Path(store), write=False):
            pass  # what is wrong with any of them is told before OUT is made
    with Store(target, write=True) as merged:
        for store in stores:
            added = merged.add_all(Path(store))
            console.show([line(f"{store}: {counted(added, 'cell')} taken over")])
    return codes.OK
