"""`planner validate`: all faults of files, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner import files
from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.errors import Fault, InputError
from planner.files.claims import PlanFile, ResultWithoutPlanError
from planner.grid.step import GridStep
from planner.kinds import Instance, Plan
from planner.report.layout import Block, line, paragraph, span
from planner.report.numbers import counted

if TYPE_CHECKING:
    from planner.grid.system import GridSystem

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
    """Read instance, system, plan, result and study files (or folders, or - for stdin) and list all faults.

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
    if file.suffix.lower() == ".toml":
        return _study_report(file)
    try:
        thing = files.read_any(file)
    except ResultWithoutPlanError as result:
        return _Report(path, "result", f"result for {result.instance}: {result.status}, no plan")
    except InputError as error:
        return _Report(path, None, "", error.faults)
    if isinstance(thing, PlanFile):
        kind = "plan" if thing.claims is None else "result"
        name = "" if thing.plan.instance is None else f" for {thing.plan.instance}"
        return _Report(path, kind, f"{kind}{name}: {_size(thing.plan)}")
    kind = "instance" if isinstance(thing, CloudInstance | GridStep) else "system"
    return _Report(path, kind, f"{kind} {thing.name}: {_contents(thing)}", warnings=files.warnings(thing))


def _study_report(file: Path) -> _Report:
    """Of a study its instances are looked at, too, as it cannot run without them."""
    from planner.studies.planning import planned

    try:
        plan = planned(file)
    except InputError as error:
        faults = (
            error.faults
            if error.source in ("", str(file))
            else tuple(f.of(error.source) for f in error.faults)
        )
        return _Report(str(file), None, "", faults)
    cells = f"{counted(len(plan.problems), 'instance')}, {counted(len(plan.cells), 'cell')}"
    notes = tuple(Fault("", note) for note in plan.notes)
    return _Report(str(file), "study", f"study {plan.study.name}: {cells}", warnings=notes)


def _contents(thing: Instance | GridSystem) -> str:
    if isinstance(thing, CloudInstance):
        counts = [
            counted(thing.task_count, "task"),
            counted(len(thing.applications), "application"),
            counted(len(thing.instance_types), "type"),
        ]
    elif isinstance(thing, GridStep):
        counts = [counted(len(thing.jobs), "job"), counted(len(thing.resources), "resource")]
    else:
        counts = [
            counted(len(thing.schedulers), "scheduler"),
            counted(len(thing.resource_names), "resource"),
            counted(thing.steps, "step"),
        ]
    return ", ".join(counts)


def _size(plan: Plan) -> str:
    if isinstance(plan, CloudPlan):
        return counted(sum(vm.count for vm in plan.vms), "VM")
    return f"{counted(len(plan.assignments), 'job')} on {counted(plan.used, 'resource')}"


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
