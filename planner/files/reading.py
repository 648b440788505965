"""Read instances, plans and results; every fault of a file at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from planner.cloud.instance import CloudInstance
from planner.errors import Fault, InputError
from planner.files import formats
from planner.files.claims import PlanFile, ResultWithoutPlanError, claims_of
from planner.files.crossref import instance_faults, plan_faults
from planner.files.faults import in_order, structural
from planner.files.paths import Location
from planner.files.text import MOST_FAULTS, Document, joined, load, parsed, some
from planner.files.wire.base import Wire, shown
from planner.files.wire.cloud import CloudWire
from planner.files.wire.plan import PlanWire
from planner.files.wire.result import ResultWire

Model = TypeVar("Model", bound=Wire)


def read(path: str | Path) -> CloudInstance:
    """The instance in the file; "-" reads stdin. Raises `InputError` with all faults of the file."""
    document = load(path)
    _choose(document, (formats.CLOUD,))
    return _instance(document)


def read_plan(path: str | Path) -> PlanFile:
    """The plan in a plan file or a result file; "-" reads stdin.

    Raises `InputError` with all faults of the file, or where a result has no plan.
    """
    document = load(path)
    return _plan_or_result(document, _choose(document, (formats.PLAN, formats.RESULT)))


def read_any(path: str | Path) -> CloudInstance | PlanFile:
    """Whatever the file's `format` says it is.

    Raises `InputError` with all faults of the file, its subclass `ResultWithoutPlanError` for a valid result
    without a plan.
    """
    document = load(path)
    chosen = _choose(document, formats.READABLE)
    return _instance(document) if chosen == formats.CLOUD else _plan_or_result(document, chosen)


def refuse_unreadable(text: str, source: str) -> None:
    """Raise the `InputError`, under the name `source`, that reading a file of this text would raise."""
    document = parsed(text.encode("utf-8", "replace"), source)
    match _choose(document, formats.READABLE):
        case formats.CLOUD:
            _instance(document)
        case formats.PLAN:
            _plan(document)
        case _:
            _result(document)


def _choose(document: Document, wanted: tuple[str, ...]) -> str:
    """The format to read the document by; refuses at once what is of another format."""
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


def _instance(document: Document) -> CloudInstance:
    wire = _validated(document, CloudWire, instance_faults(document.tree))
    return wire.domain(hashlib.sha256(document.data).hexdigest())


def _plan_or_result(document: Document, chosen: str) -> PlanFile:
    if chosen == formats.PLAN:
        return PlanFile(_plan(document).domain())
    result = _result(document)
    if result.plan is None:
        raise ResultWithoutPlanError(document.source, result.instance, result.status)
    return PlanFile(result.plan.domain(), result.instance_sha256, claims_of(result))


def _plan(document: Document) -> PlanWire:
    return _validated(document, PlanWire, plan_faults(document.tree))


def _result(document: Document) -> ResultWire:
    plan = document.tree.get("plan") if isinstance(document.tree, dict) else None
    return _validated(document, ResultWire, plan_faults(plan, ("plan",)))


def _validated(document: Document, model: type[Model], between: Iterator[tuple[Location, str]]) -> Model:
    """The tree as `model`; raises `InputError` with the faults of all levels together.

    `between` yields those between values, which no model sees.
    """
    faults = some(between)
    wire: Model | None = None
    try:
        wire = model.model_validate(document.tree)
    except ValidationError as error:
        found = structural(error, model, document.tree)
        faults |= {place: joined(message, faults.get(place, "")) for place, message in found.items()}
    for location, message in document.faults.items():
        faults[location] = joined(message, faults.get(location, ""))
    if wire is None or faults:
        told = in_order(faults, document.tree)
        if len(faults) >= MOST_FAULTS and () not in faults:
            told.insert(0, Fault("", f"has {MOST_FAULTS} faults or more; not all of them are told"))
        raise InputError(document.source, told)
    return wire
