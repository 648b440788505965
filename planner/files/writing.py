"""Instances, plans and results as JSON: exact where read back, nearest doubles where shown."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import simplejson

from planner.cloud.instance import Application, CloudInstance, InstanceType, TaskGroup
from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from planner.errors import Fault, InputError
from planner.files import formats
from planner.files.jsonable import Numbers, notes_of, plain
from planner.files.numbers import nearest
from planner.files.output import write_text
from planner.files.reading import refuse_unreadable
from planner.files.writing_grid import plan_tree, step_tree
from planner.goal import Goal
from planner.grid.plan import GridPlan
from planner.grid.step import GridStep
from planner.kinds import KINDS, Plan
from planner.result import Result

if TYPE_CHECKING:
    from planner.grid.system import GridSystem

Writable: TypeAlias = "CloudInstance | GridStep | GridSystem | CloudPlan | GridPlan | Result[Any]"


def write(thing: Writable, path: str | Path) -> None:
    """Write an instance, system, plan or result as a file, whole or not at all.

    Raises `InputError` where the folder is missing or not writable, a number has no exact JSON form, or
    the file could not be read again: a size of 0, two applications of one name.
    """
    text = dumps(thing, indent=2) + "\n"
    refuse_unreadable(text, _name(thing))
    write_text(path, text)


def dumps(thing: Writable | Mapping[str, Any] | list[Any], indent: int | None = None) -> str:
    """The thing as JSON text, on one line unless `indent` is given; also takes what `to_wire` returns."""
    tree = thing if isinstance(thing, Mapping | list) else to_wire(thing)
    try:
        return simplejson.dumps(tree, indent=indent, ensure_ascii=False, use_decimal=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        # Only people's own data (meta, options) can hold what JSON does not have.
        source = "output" if isinstance(thing, Mapping | list) else _name(thing)
        raise InputError(source, [Fault("", f"cannot be written as JSON: {error}")]) from error


def _name(thing: Writable) -> str:
    named = thing.instance if isinstance(thing, CloudPlan | GridPlan | Result) else thing.name
    return named or "plan"


def to_wire(thing: Writable) -> dict[str, Any]:
    """The thing as dicts, lists, text and numbers, ready for JSON.

    A number that no double prints as is a `Decimal`, which simplejson writes and the standard library's
    json refuses. Raises `InputError` where a number has no finite decimal form.
    """
    match thing:
        case CloudInstance():
            return _instance(thing)
        case GridStep():
            return step_tree(thing)
        case CloudPlan() | GridPlan():
            return _any_plan(thing, thing.instance)
        case Result():
            return _result(thing)
    # numpy takes longer to import than most files to write, and nothing else here needs it.
    from planner.files.writing_system import system_tree

    return system_tree(thing)


def _instance(instance: CloudInstance) -> dict[str, Any]:
    number = Numbers(instance.name)
    names = [application.name for application in instance.applications]
    return {
        "format": formats.CLOUD,
        "name": instance.name,
        **notes_of(instance.notes),
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


def _application(application: Application, number: Numbers, place: str) -> dict[str, Any]:
    tasks = [_tasks(group, number, f"{place}.tasks[{i}]") for i, group in enumerate(application.tasks)]
    return {"name": application.name, **notes_of(application.notes), "tasks": tasks}


def _tasks(group: TaskGroup | PlannedTasks, number: Numbers, place: str) -> dict[str, Any]:
    which = {"ids": list(group.ids)} if group.ids else {"count": group.count}
    return {"size": number(group.size, f"{place}.size"), **which, **notes_of(group.notes)}


def _instance_type(kind: InstanceType, names: list[str], number: Numbers, place: str) -> dict[str, Any]:
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
    return {"name": kind.name, **notes_of(kind.notes), "price": price, **limits, "seconds_per_unit": speeds}


def _any_plan(plan: Plan, source: str | None) -> dict[str, Any]:
    return _plan(plan) if isinstance(plan, CloudPlan) else plan_tree(plan, source)


def _plan(plan: CloudPlan) -> dict[str, Any]:
    number = Numbers(plan.instance)
    vms = [_vm(vm, number, f"vms[{index}]") for index, vm in enumerate(plan.vms)]
    return {"format": formats.PLAN, "instance": plan.instance, **notes_of(plan.notes), "vms": vms}


def _vm(vm: PlannedVM, number: Numbers, place: str) -> dict[str, Any]:
    tasks = [
        {"application": tasks.application, **_tasks(tasks, number, f"{place}.tasks[{index}]")}
        for index, tasks in enumerate(vm.tasks)
    ]
    return {"type": vm.type, "count": vm.count, **notes_of(vm.notes), "tasks": tasks}


def _result(result: Result[Any]) -> dict[str, Any]:
    resolution = result.resolution
    # The cloud's two values stand in every result, null where the kind does not have them.
    others = [goal for goal in KINDS[result.kind].goals if goal not in (Goal.MAKESPAN, Goal.COST)]
    return {
        "format": formats.RESULT,
        "instance": result.instance,
        "instance_sha256": result.instance_sha256,
        "kind": result.kind,
        "solver": result.solver,
        "options": plain(result.options),
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
        **{goal.value: _nearest(result.value(goal)) for goal in others},
        "exact": {
            "makespan": _text(result.makespan),
            "cost": _text(result.cost),
            **{goal.value: _text(result.value(goal)) for goal in others},
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
        "plan": None if result.plan is None else _any_plan(result.plan, result.instance),
    }


def _nearest(value: Fraction | None) -> int | float | None:
    return None if value is None else nearest(value)


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
