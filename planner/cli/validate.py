"""`planner validate`: all faults of files, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from planner import files
from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console
from planner.cloud.instance import CloudInstance
from planner.errors import Fault, InputError
from planner.files.claims import ResultWithoutPlanError
from planner.report.layout import Block, line, paragraph, span
from planner.report.numbers import counted

FORMAT = "planner/validation/1"


@dataclass(frozen=True, slots=True)
class _Report:
    """What is to be said about one file; `kind` is None where it has faults."""

    path: str
    kind: str | None
    content: str
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()


@click.command("validate", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@options.printing
@click.pass_obj
def command(console: Console, paths: tuple[str, ...], as_json: bool) -> int:
    """Read instance, plan and result files (or folders, or - for stdin) and list all their faults.

    Exit code 3 where any file has one; warnings change nothing.
    """
    reports = [report for path in paths for report in _reports(path)]
    if as_json:
        console.result(files.dumps({"format": FORMAT, "files": [_wire(report) for report in reports]}) + "\n")
    else:
        for report in reports:
            console.show(_block(report, console.width, console.quiet))
    return codes.INVALID_INPUT if any(report.faults for report in reports) else codes.OK


def _reports(path: str) -> list[_Report]:
    try:
        found: Sequence[Path] = files.find_files([path])
    except InputError as error:
        return [_Report(path, None, "", error.faults)]
    return [_report(file) for file in found]


def _report(file: Path) -> _Report:
    path = "stdin" if str(file) == "-" else str(file)
    try:
        thing = files.read_any(file)
    except ResultWithoutPlanError as result:
        return _Report(path, "result", f"result for {result.instance}: {result.status}, no plan")
    except InputError as error:
        return _Report(path, None, "", error.faults)
    if isinstance(thing, CloudInstance):
        counts = [
            counted(thing.task_count, "task"),
            counted(len(thing.applications), "application"),
            counted(len(thing.instance_types), "type"),
        ]
        content = f"instance {thing.name}: {', '.join(counts)}"
        return _Report(path, "instance", content, warnings=files.warnings(thing))
    kind = "plan" if thing.claims is None else "result"
    vms = sum(vm.count for vm in thing.plan.vms)
    return _Report(path, kind, f"{kind} for {thing.plan.instance}: {counted(vms, 'VM')}")


def _block(report: _Report, width: int, quiet: bool) -> Block:
    if report.faults:
        head = line(span("fault", "bad"), f"  {report.path}: {counted(len(report.faults), 'fault')}")
    else:
        head = line(span("ok", "good"), f"     {report.path}  ", span(report.content, "faint"))
    block = [head]
    for fault in report.faults:
        block += paragraph(str(fault), width, "         ", first="       ")
    for warning in () if quiet else report.warnings:
        block += paragraph(f"warning: {warning}", width, "         ", "warn", first="       ")
    return block


def _wire(report: _Report) -> dict[str, object]:
    return {
        "path": report.path,
        "kind": report.kind,
        "valid": not report.faults,
        "faults": [{"path": fault.path, "message": fault.message} for fault in report.faults],
        "warnings": [{"path": fault.path, "message": fault.message} for fault in report.warnings],
    }
