"""Judge a plan from the plan alone, in exact arithmetic.

This file decides what a plan is worth: makespan (equation 7), cost (equations 6 and 8, with the billing of
docs/model-cloud.md) and whether every rule holds (equations 3, 4, 9 and the limits). It shares no code
with any solver, so that a solver's mistake cannot hide here.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil

from planner.cloud.instance import HOUR, Billing, CloudInstance, InstanceType
from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from planner.verdict import Verdict, Violation


def check(instance: CloudInstance, plan: CloudPlan) -> Verdict:
    """Recompute makespan (seconds) and cost (money) of `plan` and list every rule of `instance` it breaks."""
    types = {instance_type.name: instance_type for instance_type in instance.instance_types}
    violations: list[Violation] = []
    makespan, cost = Fraction(0), Fraction(0)
    measurable = True
    for index, vm in enumerate(plan.vms):
        where = f"vms[{index}]"
        faults = _vm_faults(instance, types, vm, where)
        violations += faults
        instance_type = types.get(vm.type)
        seconds = None if instance_type is None else _execution(instance, instance_type, vm)
        if instance_type is None or seconds is None:
            measurable = False
            continue
        hours = _billed(instance.billing, seconds) / HOUR
        makespan = max(makespan, seconds)
        cost += vm.count * (hours * instance_type.price + instance_type.fee)
        if instance.deadline is not None and seconds > instance.deadline:
            text = f"runs {_number(seconds)} s, the deadline is {_number(instance.deadline)} s"
            violations.append(Violation("deadline", where, f"VM of type {vm.type!r} {text}"))
    violations += _task_faults(instance, plan)
    violations += _limit_faults(instance, plan)
    if not measurable:
        return Verdict(None, None, tuple(violations))
    if instance.budget is not None and cost > instance.budget:
        text = f"the plan costs {_number(cost)}, the budget is {_number(instance.budget)}"
        violations.append(Violation("budget", "", text))
    return Verdict(makespan, cost, tuple(violations))


def _execution(instance: CloudInstance, instance_type: InstanceType, vm: PlannedVM) -> Fraction | None:
    """exec_vm of equation (5) in seconds; None where a task cannot run there or is unknown."""
    speeds = {
        application.name: speed
        for application, speed in zip(instance.applications, instance_type.seconds_per_unit, strict=True)
    }
    seconds = instance.startup if instance_type.startup is None else instance_type.startup
    for tasks in vm.tasks:
        speed = speeds.get(tasks.application)
        if speed is None:
            return None
        seconds += speed * tasks.size * tasks.count
    return seconds


def _billed(billing: Billing, seconds: Fraction) -> Fraction:
    """Seconds that are paid for when a VM runs for `seconds`."""
    return billing.quantum * ceil(max(seconds, billing.minimum) / billing.quantum)


def _vm_faults(
    instance: CloudInstance, types: dict[str, InstanceType], vm: PlannedVM, where: str
) -> list[Violation]:
    faults = []
    if vm.count < 1:
        faults.append(Violation("count", where, f"stands for {vm.count} VMs; it must stand for at least one"))
    if not any(tasks.count for tasks in vm.tasks):
        text = f"VM of type {vm.type!r} runs no task; a VM without tasks is not rented, leave it out"
        faults.append(Violation("empty VM", where, text))
    if vm.type not in types:
        faults.append(Violation("unknown type", where, f"the instance has no type {vm.type!r}"))
        return faults
    names = [application.name for application in instance.applications]
    for tasks in vm.tasks:
        if tasks.count < 0:
            text = f"{tasks.count} tasks of {tasks.application!r}: a count cannot be negative"
            faults.append(Violation("count", where, text))
        if tasks.application in names:
            speed = types[vm.type].seconds_per_unit[names.index(tasks.application)]
            if speed is None:
                text = f"type {vm.type!r} cannot run application {tasks.application!r}"
                faults.append(Violation("cannot run", where, text))
        if tasks.ids and vm.count != 1:
            text = f"tasks with ids stand on a VM with count {vm.count}; each id runs once"
            faults.append(Violation("ids", where, text))
        if tasks.ids and len(tasks.ids) != tasks.count:
            text = f"{tasks.count} tasks of {tasks.application!r} carry {len(tasks.ids)} ids"
            faults.append(Violation("ids", where, text))
    return faults


def _task_faults(instance: CloudInstance, plan: CloudPlan) -> list[Violation]:
    """Equations (3) and (4): every task runs exactly once."""
    anonymous: Counter[tuple[str, Fraction]] = Counter()
    named: dict[tuple[str, str], Fraction] = {}
    for application in instance.applications:
        for group in application.tasks:
            if group.ids:
                named.update({(application.name, task): group.size for task in group.ids})
            else:
                anonymous[application.name, group.size] += group.count
    applications = {application.name for application in instance.applications}
    sizes = {(name, size) for name, size in anonymous} | {(name, size) for (name, _), size in named.items()}

    faults: list[Violation] = []
    planned: Counter[tuple[str, Fraction]] = Counter()
    seen: dict[tuple[str, str], str] = {}
    for index, vm in enumerate(plan.vms):
        where = f"vms[{index}]"
        for tasks in vm.tasks:
            if tasks.application not in applications:
                text = f"the instance has no application {tasks.application!r}"
                faults.append(Violation("unknown application", where, text))
            elif (tasks.application, tasks.size) not in sizes:
                text = f"application {tasks.application!r} has no tasks of size {_number(tasks.size)}"
                faults.append(Violation("unknown size", where, text))
            elif tasks.ids:
                faults += _id_faults(tasks, where, named, seen)
            else:
                planned[tasks.application, tasks.size] += vm.count * tasks.count
    for (name, size), count in anonymous.items():
        if planned[name, size] != count:
            rule = "unassigned tasks" if planned[name, size] < count else "tasks assigned twice"
            text = f"{planned[name, size]} of {count} tasks of {name!r} size {_number(size)} are planned"
            faults.append(Violation(rule, "", text))
    for (name, size), count in planned.items():
        if count and (name, size) not in anonymous:
            text = f"tasks of {name!r} size {_number(size)} have ids, the plan must name them"
            faults.append(Violation("ids", "", text))
    missing = [task for (_, task) in named.keys() - seen.keys()]
    if missing:
        text = f"{len(missing)} tasks with ids are not planned, {min(missing)!r} among them"
        faults.append(Violation("unassigned tasks", "", text))
    return faults


def _id_faults(
    tasks: PlannedTasks, where: str, named: dict[tuple[str, str], Fraction], seen: dict[tuple[str, str], str]
) -> list[Violation]:
    faults = []
    for task in tasks.ids:
        key = tasks.application, task
        if named.get(key) != tasks.size:
            text = f"application {tasks.application!r} has no task {task!r} of size {_number(tasks.size)}"
            faults.append(Violation("unknown task", where, text))
        elif key in seen:
            text = f"task {task!r} of {tasks.application!r} already runs on {seen[key]}"
            faults.append(Violation("tasks assigned twice", where, text))
        else:
            seen[key] = where
    return faults


def _limit_faults(instance: CloudInstance, plan: CloudPlan) -> list[Violation]:
    faults = []
    fleet = plan.fleet
    for instance_type in instance.instance_types:
        limit, rented = instance_type.max_instances, fleet.get(instance_type.name, 0)
        if limit is not None and rented > limit:
            text = f"{rented} VMs of type {instance_type.name!r}, at most {limit} may be rented"
            faults.append(Violation("max_instances", "", text))
    total = sum(fleet.values())
    if instance.max_vms is not None and total > instance.max_vms:
        text = f"{total} VMs in total, at most {instance.max_vms} may be rented"
        faults.append(Violation("max_vms", "", text))
    return faults


def _number(value: Fraction) -> str:
    """The value for a message: whole numbers plain, others as a short decimal."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.10g}"
