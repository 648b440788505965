"""Instances, plans and results as JSON: exact where read back, nearest doubles where shown."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import simplejson

from planner.cloud.instance import Application, CloudInstance, InstanceType, TaskGroup
from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from planner.errors import Fault, InputError
from planner.files import formats
from planner.files.numbers import exact, nearest
from planner.files.output import write_text
from planner.files.reading import refuse_unreadable
from planner.notes import Notes
from planner.result import Result

Writable = CloudInstance | CloudPlan | Result


def write(thing: Writable, path: str | Path) -> None:
    """Write an instance, plan or result as a file, whole or not at all.

    Raises `InputError` where the folder is missing or not writable, a number has no exact JSON form, or
    the file could not be read again: a size of 0, two applications of one name.
    """
    text = dumps(thing, indent=2) + "\n"
    refuse_unreadable(text, _name(thing))
    write_text(path, text)


def dumps(thing: Writable | Mapping[str, Any] | list[Any], indent: int | None = None) -> str:
    """The thing as JSON text, on one line unless `indent` is given; also takes what `to_wire` returns."""
    tree = to_wire(thing) if isinstance(thing, Writable) else thing
    try:
        return simplejson.dumps(tree, indent=indent, ensure_ascii=False, use_decimal=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        # Only people's own data (meta, options) can hold what JSON does not have.
        source = _name(thing) if isinstance(thing, Writable) else "output"
        raise InputError(source, [Fault("", f"cannot be written as JSON: {error}")]) from error


def _name(thing: Writable) -> str:
    return thing.name if isinstance(thing, CloudInstance) else thing.instance


def to_wire(thing: Writable) -> dict[str, Any]:
    """The thing as dicts, lists, text and numbers, ready for JSON.

    A number that no double prints as is a `Decimal`, which simplejson writes and the standard library's
    json refuses. Raises `InputError` where a number has no finite decimal form.
    """
    match thing:
        case CloudInstance():
            return _instance(thing)
        case CloudPlan():
            return _plan(thing, thing.instance)
        case Result():
            return _result(thing)
    raise TypeError(f"cannot write a {type(thing).__name__}")


class _Numbers:
    """Turns fractions into exact JSON numbers; its errors name the thing and the place."""

    def __init__(self, source: str) -> None:
        self._source = source

    def __call__(self, value: Fraction, place: str) -> Any:
        try:
            return exact(Fraction(value))
        except ValueError as error:
            raise InputError(self._source, [Fault(place, f"cannot be written: {error}")]) from error

    def optional(self, value: Fraction | None, place: str) -> Any:
        return None if value is None else self(value, place)


def _instance(instance: CloudInstance) -> dict[str, Any]:
    number = _Numbers(instance.name)
    names = [application.name for application in instance.applications]
    return {
        "format": formats.CLOUD,
        "name": instance.name,
        **_notes(instance.notes),
        "budget": number.optional(instance.budget, "budget"),
        "deadline": number.optional(instance.deadline, "deadline"),
        "startup": number(instance.startup, "startup"),
        "billing": {
            "quantum": number(instance.billing.quantum, "billing.quantum"),
            "minimum": number(instance.billing.minimum, "billing.minimum"),
        },
        "max_vms": instance.max_vms,
        "applications": [
            _application(application, number, f"applications[{index}]")
            for index, application in enumerate(instance.applications)
        ],
        "instance_types": [
            _instance_type(instance_type, names, number, f"instance_types[{index}]")
            for index, instance_type in enumerate(instance.instance_types)
        ],
    }


def _application(application: Application, number: _Numbers, place: str) -> dict[str, Any]:
    tasks = [_tasks(group, number, f"{place}.tasks[{i}]") for i, group in enumerate(application.tasks)]
    return {"name": application.name, **_notes(application.notes), "tasks": tasks}


def _tasks(group: TaskGroup | PlannedTasks, number: _Numbers, place: str) -> dict[str, Any]:
    which = {"ids": list(group.ids)} if group.ids else {"count": group.count}
    return {"size": number(group.size, f"{place}.size"), **which, **_notes(group.notes)}


def _instance_type(kind: InstanceType, names: list[str], number: _Numbers, place: str) -> dict[str, Any]:
    limits: dict[str, Any] = {}
    if kind.fee:
        limits["fee"] = number(kind.fee, f"{place}.fee")
    if kind.startup is not None:
        limits["startup"] = number(kind.startup, f"{place}.startup")
    if kind.max_instances is not None:
        limits["max_instances"] = kind.max_instances
    speeds = {
        name: number.optional(speed, f"{place}.seconds_per_unit.{name}")
        for name, speed in zip(names, kind.seconds_per_unit, strict=True)
    }
    price = number(kind.price, f"{place}.price")
    return {"name": kind.name, **_notes(kind.notes), "price": price, **limits, "seconds_per_unit": speeds}


def _plan(plan: CloudPlan, source: str) -> dict[str, Any]:
    number = _Numbers(source)
    vms = [_vm(vm, number, f"vms[{index}]") for index, vm in enumerate(plan.vms)]
    return {"format": formats.PLAN, "instance": plan.instance, **_notes(plan.notes), "vms": vms}


def _vm(vm: PlannedVM, number: _Numbers, place: str) -> dict[str, Any]:
    tasks = [
        {"application": tasks.application, **_tasks(tasks, number, f"{place}.tasks[{index}]")}
        for index, tasks in enumerate(vm.tasks)
    ]
    return {"type": vm.type, "count": vm.count, **_notes(vm.notes), "tasks": tasks}


def _result(result: Result) -> dict[str, Any]:
    resolution = result.resolution
    return {
        "format": formats.RESULT,
        "instance": result.instance,
        "instance_sha256": result.instance_sha256,
        "kind": result.kind,
        "solver": result.solver,
        "options": _plain(result.options),
        "seed": result.seed,
        "goal": result.goal.value,
        "status": result.status.value,
        "stopped_by": result.stopped_by.value,
        "objective": _nearest(result.objective),
        "bound": _nearest(result.bound),
        "gap": _nearest(result.gap),
        "tiebreak_proven": result.tiebreak_proven,
        "makespan": _nearest(result.makespan),
        "cost": _nearest(result.cost),
        "exact": {
            "makespan": _text(result.makespan),
            "cost": _text(result.cost),
            "bound": _text(result.bound),
        },
        "seconds": {
            "total": result.seconds.total,
            "build": result.seconds.build,
            "solve": result.seconds.solve,
            "check": result.seconds.check,
        },
        "resolution": None
        if resolution is None
        else {"seconds_per_tick": str(resolution.seconds_per_tick), "rounded": resolution.rounded},
        "versions": dict(result.versions),
        "message": result.message,
        "plan": None if result.plan is None else _plan(result.plan, result.instance),
    }


def _notes(notes: Notes) -> dict[str, Any]:
    given = {"source": notes.source, "description": notes.description, "currency": notes.currency}
    free = {"meta": _plain(notes.meta)} if notes.meta else {}
    return {key: value for key, value in given.items() if value is not None} | free


def _nearest(value: Fraction | None) -> int | float | None:
    return None if value is None else nearest(value)


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _plain(value: object) -> Any:
    """Free data without the types that only Python has."""
    match value:
        case Mapping():
            return {str(key): _plain(entry) for key, entry in value.items()}
        case list() | tuple():
            return [_plain(entry) for entry in value]
        case Enum():
            return _plain(value.value)
        case Fraction():
            return nearest(value)
        case _:
            return value
