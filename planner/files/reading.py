"""Read instances, plans and results; every fault of a file at once."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.errors import Fault, InputError, SimulationNeeded
from planner.files import formats
from planner.files.claims import PlanFile, ResultWithoutPlanError, claims_of
from planner.files.crossref import instance_faults, plan_faults, step_faults
from planner.files.faults import in_order
from planner.files.text import Document, load, parsed
from planner.files.validating import validated
from planner.files.wire.base import shown
from planner.files.wire.cloud import CloudWire
from planner.files.wire.grid_plan import GridPlanWire
from planner.files.wire.plan import PlanWire
from planner.files.wire.result import RESULT_WIRES, ResultWire
from planner.files.wire.step import StepWire
from planner.grid.step import GridStep
from planner.kinds import CLOUD, GRID_STEP, KINDS, Instance

if TYPE_CHECKING:
    from planner.grid.system import GridSystem

_PLANS = {formats.PLAN: CLOUD.name, formats.GRID_PLAN: GRID_STEP.name}
"""The formats of plans, with the kind of problem each is for."""


def read(path: str | Path) -> Instance | GridSystem:
    """The instance or system in the file; "-" reads stdin. Raises `InputError` with all its faults."""
    document = load(path)
    chosen = choose(document, (*formats.INSTANCES, formats.SYSTEM))
    return _system(document, _folder(path)) if chosen == formats.SYSTEM else _instance(document, chosen)


def read_instance(path: str | Path) -> Instance:
    """As `read`, for what solvers take: raises `SimulationNeeded` where the file holds a system."""
    document = load(path)
    chosen = choose(document, (*formats.INSTANCES, formats.SYSTEM))
    if chosen == formats.SYSTEM:
        raise SimulationNeeded(document.source)
    return _instance(document, chosen)


def read_cloud(path: str | Path) -> CloudInstance:
    """As `read`, for cloud instances only."""
    document = load(path)
    choose(document, (formats.CLOUD,))
    return _cloud(document)


def read_system(path: str | Path) -> GridSystem:
    """As `read`, for systems to simulate only."""
    document = load(path)
    choose(document, (formats.SYSTEM,))
    return _system(document, _folder(path))


@overload
def read_plan(path: str | Path, kind: Literal["cloud"]) -> PlanFile[CloudPlan]: ...
@overload
def read_plan(path: str | Path, kind: str | None = None) -> PlanFile[Any]: ...
def read_plan(path: str | Path, kind: str | None = None) -> PlanFile[Any]:
    """The plan in a plan file or a result file; "-" reads stdin.

    `kind` is that of the problem it must be for, as in `planner.kinds`; None: any. Raises `InputError` with
    all faults of the file, its subclass `ResultWithoutPlanError` where a valid result has no plan.
    """
    document = load(path)
    plans = tuple(name for name, of in _PLANS.items() if kind in (of, None))
    return _plan_or_result(document, choose(document, (*plans, formats.RESULT)), kind)


def read_any(path: str | Path) -> Instance | GridSystem | PlanFile[Any]:
    """Whatever the file's `format` says it is.

    Raises `InputError` with all faults of the file, its subclass `ResultWithoutPlanError` for a valid result
    without a plan.
    """
    document = load(path)
    chosen = choose(document, formats.READABLE)
    if chosen in formats.INSTANCES:
        return _instance(document, chosen)
    return _system(document, _folder(path)) if chosen == formats.SYSTEM else _plan_or_result(document, chosen)


def refuse_unreadable(text: str, source: str) -> None:
    """Raise the `InputError`, under the name `source`, that reading a file of this text would raise."""
    document = parsed(text.encode("utf-8", "replace"), source)
    chosen = choose(document, formats.READABLE)
    if chosen in formats.INSTANCES:
        _instance(document, chosen)
    elif chosen == formats.SYSTEM:
        _system(document, None)
    elif chosen in _PLANS:
        _plan(document, chosen)
    else:
        _result(document)


def choose(document: Document, wanted: tuple[str, ...]) -> str:
    """The format, of those wanted, to read the document by; refuses at once what is of another format."""
    tree = document.tree
    if not isinstance(tree, dict):
        raise InputError(document.source, [Fault("", f"must hold an object, not {shown(tree)}")])
    given = tree.get("format", ...)
    fault = formats.format_fault(given, wanted)
    if fault is None:
        return str(given)
    meant = formats.guess(tree)
    if meant in wanted and given not in formats.ALL:
        # The file is clearly meant to be one: its other faults are worth telling, too.
        document.faults["format",] = fault
        return meant
    raise InputError(document.source, in_order({**document.faults, ("format",): fault}, tree))


def _instance(document: Document, chosen: str) -> Instance:
    return _cloud(document) if chosen == formats.CLOUD else _step(document)


def _cloud(document: Document) -> CloudInstance:
    wire = validated(document, CloudWire, instance_faults(document.tree))
    return wire.domain(_sha256(document))


def _step(document: Document) -> GridStep:
    wire = validated(document, StepWire, step_faults(document.tree))
    return wire.domain(_sha256(document))


def _system(document: Document, folder: Path | None) -> GridSystem:
    """The system, and the jobs of the file it names in `folder`, if it names one."""
    # numpy takes longer to import than most files to read, and nothing else here needs it.
    from planner.files.systems import system_of

    return system_of(document, folder)


def _plan_or_result(document: Document, chosen: str, kind: str | None = None) -> PlanFile[Any]:
    if chosen in _PLANS:
        return PlanFile(_plan(document, chosen).domain())
    result = _result(document, kind)
    if result.plan is None:
        raise ResultWithoutPlanError(document.source, result.instance, result.status)
    return PlanFile(result.plan.domain(), result.instance_sha256, claims_of(result))


def _plan(document: Document, chosen: str) -> PlanWire | GridPlanWire:
    if chosen == formats.PLAN:
        return validated(document, PlanWire, plan_faults(document.tree))
    return validated(document, GridPlanWire, iter(()))


def _result(document: Document, kind: str | None = None) -> ResultWire:
    """The result; where `kind` is given it must be of that kind."""
    tree = document.tree if isinstance(document.tree, dict) else {}
    given = tree.get("kind")
    if kind is not None and given != kind and given in KINDS:
        fault = f"this result is of kind {given}; one of kind {kind} is needed here"
        raise InputError(document.source, [Fault("kind", fault)])
    # One of unknown kind is read as the kind that was first; that its kind is unknown is one of its faults.
    model = RESULT_WIRES[given if isinstance(given, str) and given in RESULT_WIRES else CLOUD.name]
    return validated(document, model, plan_faults(tree.get("plan"), ("plan",)))


def _sha256(document: Document) -> str:
    return hashlib.sha256(document.data).hexdigest()


def _folder(path: str | Path) -> Path | None:
    """The folder that the file is in; stdin is in none."""
    return None if str(path) == "-" else Path(path).parent
