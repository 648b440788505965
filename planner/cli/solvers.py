"""`planner solvers`: which there are, what each can do, and whether it works here."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import click

from planner import files
from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console
from planner.cli.selftest import Outcome, self_test
from planner.errors import BackendMissing
from planner.report.layout import Block, Cells, Column, Line, paragraph, span, table
from planner.report.numbers import elapsed
from solvers import catalog

FORMAT = "planner/solvers/1"


@dataclass(frozen=True, slots=True)
class _Listed:
    """One solver with what was found out about it; `fix` says how to install what is missing."""

    entry: catalog.Entry
    fix: str | None
    options: dict[str, object]
    test: Outcome | None


@click.command("solvers", cls=Command)
@click.option("--no-test", is_flag=True, help="Only list them; do not run each on a tiny instance.")
@options.printing
@click.pass_obj
def command(console: Console, no_test: bool, as_json: bool) -> int:
    """List the solvers: what each proves, which goals it has, its options, and whether it works here.

    Each is run on a tiny instance with a known optimum, which takes a second or so altogether. A missing
    package is told with its fix and is no failure; a solver that fails its test gives the exit code.
    """
    listed = [_examined(entry, not no_test) for entry in catalog.entries()]
    if as_json:
        console.result(files.dumps({"format": FORMAT, "solvers": [_wire(one) for one in listed]}) + "\n")
    else:
        console.show(_block(listed, console.width))
    return codes.worst(one.test.exit_code for one in listed if one.test is not None)


def _examined(entry: catalog.Entry, test: bool) -> _Listed:
    try:
        solver = entry.solver_class()
    except BackendMissing as error:
        return _Listed(entry, str(error), {}, None)
    except Exception:  # the self-test tells what is wrong with it
        return _Listed(entry, None, {}, self_test(entry) if test else None)
    fields = dataclasses.fields(solver) if dataclasses.is_dataclass(solver) else ()
    own = {
        field.name: field.default
        for field in fields
        if field.init and field.default is not dataclasses.MISSING
    }
    return _Listed(entry, None, own, self_test(entry) if test else None)


def _block(listed: list[_Listed], width: int) -> Block:
    columns = [
        Column("solver"),
        Column("kind"),
        Column("proves"),
        Column("objectives"),
        Column("needs"),
        Column("test", wrap=True),
    ]
    rows: list[Cells | Line] = []
    for one in listed:
        entry = one.entry
        texts = [entry.kind, entry.proves, ", ".join(entry.goals), ", ".join(entry.needs) or "-"]
        rows.append(Cells((span(entry.name, "strong"), *map(span, texts), span(*_state(one)))))
        rows += paragraph(entry.summary, width, "  ", "faint")
        if one.options:
            rows += paragraph("options: " + _defaults(one.options), width, "    ", "faint", first="  ")
        problem = one.fix or (one.test.message if one.test is not None and not one.test.passed else None)
        if problem:
            rows += paragraph(problem, width, "    ", "bad", first="  ")
    return table(columns, rows, width)


def _state(one: _Listed) -> tuple[str, str]:
    if one.fix is not None:
        return "not installed", "warn"
    if one.test is None:
        return "installed", ""
    seconds = elapsed(one.test.seconds)
    return (f"passed, {seconds} s", "good") if one.test.passed else (f"failed, {seconds} s", "bad")


def _defaults(own: dict[str, object]) -> str:
    return ", ".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in own.items()
    )


def _wire(one: _Listed) -> dict[str, object]:
    test = one.test
    return {
        "name": one.entry.name,
        "kind": one.entry.kind,
        "summary": one.entry.summary,
        "proves": one.entry.proves,
        "goals": list(one.entry.goals),
        "needs": list(one.entry.needs),
        "origin": one.entry.origin,
        "options": {name: _plain(value) for name, value in one.options.items()},
        "installed": one.fix is None,
        "fix": one.fix,
        "self_test": None
        if test is None
        else {"passed": test.passed, "seconds": test.seconds, "message": test.message},
    }


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
