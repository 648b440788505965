"""From numbers of tasks by class on each VM to a plan that names types, applications, sizes and tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import islice
from typing import NamedTuple, TypeAlias

from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from planner.errors import Unsupported
from solvers.cloud.ticks import Ticks

MOST_VMS = 1_000_000  # in a plan held VM by VM; some 500 bytes each
Content: TypeAlias = tuple[int, ...]


class LoadedVM(NamedTuple):
    """One VM of type `kind`; `content[c]` is the number of class-c tasks it runs."""

    kind: int
    content: Content


def refuse_many(vms: int) -> None:
    """Raise `Unsupported` where so many VMs cannot be held one by one."""
    if vms > MOST_VMS:
        raise Unsupported(
            f"a plan of {vms:,} VMs is too large to be worked on one VM after the other (at most "
            f"{MOST_VMS:,}); use the solver 'rounding', which counts VMs that are alike"
        )


def makespan(ticks: Ticks, vms: Iterable[LoadedVM]) -> int:
    """The longest exec_vm, in ticks (equation 7)."""
    return max(ticks.execution(kind, content) for kind, content in vms)


def cost(ticks: Ticks, vms: Iterable[LoadedVM]) -> int:
    """The bill in coins (equation 8)."""
    return sum(ticks.vm_cost(kind, ticks.execution(kind, content)) for kind, content in vms)


def plan(ticks: Ticks, vms: Iterable[LoadedVM] | Counter[LoadedVM]) -> CloudPlan:
    """The plan that rents these VMs, identical ones together, in a fixed order: by type, then longest first.

    A `Counter` gives how often each VM occurs. Tasks with ids are handed out in the order of the file, and
    a VM that runs such tasks stands alone.
    """
    counted = Counter({vm: n for vm, n in Counter(vms).items() if any(vm.content)})
    ordered = sorted(counted, key=lambda vm: (vm.kind, -ticks.execution(*vm), vm.content))
    instance = ticks.instance
    waiting: dict[tuple[int, Fraction], list[str]] = {}
    for number, application in enumerate(instance.applications):
        for group in application.tasks:
            waiting.setdefault((number, group.size), []).extend(group.ids)
    ids = {label: iter(names) for label, names in waiting.items() if names}
    owners = [instance.applications[a].name for a, _ in ticks.labels]
    alike: dict[tuple[int, int], PlannedTasks] = {}  # by class and number: plans say the same many times
    planned: list[PlannedVM] = []
    for vm in ordered:
        name = instance.instance_types[vm.kind].name
        held = [(c, n) for c, n in enumerate(vm.content) if n]
        named = bool(ids) and any(ticks.labels[c] in ids for c, _ in held)
        for _ in range(counted[vm] if named else 1):
            tasks: list[PlannedTasks] = []
            for c, n in held:
                size = ticks.labels[c][1]
                own = tuple(islice(ids.get(ticks.labels[c], iter(())), n)) if named else ()
                if own:
                    tasks.append(PlannedTasks(owners[c], size, len(own), own))
                if rest := n - len(own):
                    tasks.append(alike.setdefault((c, rest), PlannedTasks(owners[c], size, rest)))
            planned.append(PlannedVM(name, tuple(tasks), 1 if named else counted[vm]))
    return CloudPlan(instance.name, tuple(planned))


def loaded(ticks: Ticks, plan: CloudPlan) -> list[LoadedVM]:
    """The VMs of a valid plan in whole numbers, one entry a VM: the inverse of `plan`.

    Raises `Unsupported` where the plan rents more than MOST_VMS.
    """
    refuse_many(sum(plan.fleet.values()))
    instance = ticks.instance
    kinds = {item.name: t for t, item in enumerate(instance.instance_types)}
    positions = {(instance.applications[a].name, size): c for c, (a, size) in enumerate(ticks.labels)}
    vms: list[LoadedVM] = []
    for vm in plan.vms:
        content = [0] * len(ticks.counts)
        for tasks in vm.tasks:
            content[positions[tasks.application, tasks.size]] += tasks.count
        vms += [LoadedVM(kinds[vm.type], tuple(content))] * vm.count
    return vms
