"""`planner schema`: the JSON Schemas of the file formats."""

from __future__ import annotations

import click

from planner import files
from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console
from planner.errors import UsageError
from planner.report.layout import line
from solvers.catalog import nearest


@click.command("schema", cls=Command)
@click.argument("name", metavar="[FORMAT]", required=False)
@options.printing
@click.pass_obj
def command(console: Console, name: str | None, as_json: bool) -> int:
    """Print the JSON Schema of FORMAT, or list the formats.

    FORMAT may be written planner/cloud/1, cloud-1 or just cloud.
    """
    known = files.schemas()
    if name is None:
        if as_json:
            console.result(files.dumps({"formats": list(known)}) + "\n")
        else:
            console.show([line(format_name) for format_name in known])
        return codes.OK
    found = next((full for full in known if name in _names(full)), None)
    if found is None:
        guess = nearest(name, [*known, *map(_short, known)])
        raise UsageError(f"unknown format {name!r}{guess}; there are: {', '.join(known)}")
    console.result(files.dumps(known[found], indent=2) + "\n")
    return codes.OK


def _names(full: str) -> tuple[str, ...]:
    """What the format may be called: its name, the same without the project, as in the file's name, short."""
    own = full.removeprefix("planner/")
    return full, own, own.replace("/", "-"), _short(full)


def _short(full: str) -> str:
    return full.split("/")[1]
