"""Valid plans changed in one place: the checker names what broke, or recomputes what the plan is worth."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

import planner
from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from tests.brute_force import Worth
from tests.property.strategies import instances, quick

Change = Callable[[CloudInstance, list[PlannedVM], random.Random], None]


def _drop_a_task(_: CloudInstance, vms: list[PlannedVM], rng: random.Random) -> None:
    vm, tasks = _some(vms, rng)
    _put(vms, vm, tasks, replace(tasks, count=tasks.count - 1))


def _run_a_task_twice(_: CloudInstance, vms: list[PlannedVM], rng: random.Random) -> None:
    vm, tasks = _some(vms, rng)
    _put(vms, vm, tasks, replace(tasks, count=tasks.count + 1))


def _change_a_size(_: CloudInstance, vms: list[PlannedVM], rng: random.Random) -> None:
    vm, tasks = _some(vms, rng)
    _put(vms, vm, tasks, replace(tasks, size=tasks.size + Fraction(1, 10**9)))


def _change_an_application(_: CloudInstance, vms: list[PlannedVM], rng: random.Random) -> None:
    vm, tasks = _some(vms, rng)
    _put(vms, vm, tasks, replace(tasks, application="nobody's"))


def _rent_what_does_not_exist(_: CloudInstance, vms: list[PlannedVM], rng: random.Random) -> None:
    place = rng.randrange(len(vms))
    vms[place] = replace(vms[place], type="nobody's")


def _rent_an_empty_vm(instance: CloudInstance, vms: list[PlannedVM], rng: random.Random) -> None:
    vms.insert(rng.randrange(len(vms) + 1), PlannedVM(instance.instance_types[0].name, ()))


def _forget_a_vm(_: CloudInstance, vms: list[PlannedVM], rng: random.Random) -> None:
    del vms[rng.randrange(len(vms))]


def _rent_a_vm_twice(_: CloudInstance, vms: list[PlannedVM], rng: random.Random) -> None:
    place = rng.randrange(len(vms))
    vms[place] = replace(vms[place], count=vms[place].count + 1)


def _rent_a_vm_no_time(_: CloudInstance, vms: list[PlannedVM], rng: random.Random) -> None:
    vms[rng.randrange(len(vms))] = replace(vms[0], count=0)


def _name_tasks_that_have_no_names(_: CloudInstance, vms: list[PlannedVM], rng: random.Random) -> None:
    vm, tasks = _some(vms, rng)
    _put(vms, vm, tasks, replace(tasks, ids=tuple(f"x{n}" for n in range(tasks.count))))


BREAKING: dict[Change, set[str]] = {
    _drop_a_task: {"unassigned tasks"},
    _run_a_task_twice: {"tasks assigned twice"},
    _change_a_size: {"unknown size"},
    _change_an_application: {"unknown application"},
    _rent_what_does_not_exist: {"unknown type"},
    _rent_an_empty_vm: {"empty VM"},
    _forget_a_vm: {"unassigned tasks"},
    _rent_a_vm_twice: {"tasks assigned twice"},
    _rent_a_vm_no_time: {"count"},
    _name_tasks_that_have_no_names: {"unknown task"},
}


@pytest.mark.parametrize("change", BREAKING, ids=lambda change: change.__name__.strip("_"))
@quick
@given(instance=instances(feasible=True), rng=st.randoms(use_true_random=False))
def test_a_broken_plan_is_rejected_by_the_rule_it_breaks(
    change: Change, instance: CloudInstance, rng: random.Random
) -> None:
    plan = _plan(instance)
    assert check(instance, plan).valid
    vms = list(plan.vms)
    change(instance, vms, rng)
    verdict = check(instance, replace(plan, vms=tuple(vms)))
    assert not verdict.valid
    assert BREAKING[change] <= {violation.rule for violation in verdict.violations}


@quick
@given(instance=instances(feasible=True), rng=st.randoms(use_true_random=False))
def test_other_plans_of_the_same_tasks_are_recomputed_right(
    instance: CloudInstance, rng: random.Random
) -> None:
    """Tasks moved, VMs split, joined and of another type: worth what an evaluation of its own says."""
    vms = [vm for vm in _plan(instance).vms for vm in [replace(vm, count=1)] * vm.count]
    contents = [Counter({(t.application, t.size): t.count for t in vm.tasks}) for vm in vms]
    types = [vm.type for vm in vms]
    for _ in range(rng.randint(1, 4)):
        source, target = rng.randrange(len(contents)), rng.randrange(len(contents) + 1)
        if target == len(contents):
            contents.append(Counter())
            types.append(rng.choice(instance.instance_types).name)
        key = rng.choice(sorted(contents[source].elements()))
        contents[source][key] -= 1
        contents[target][key] += 1
        alive = [place for place, content in enumerate(contents) if content.total()]
        contents, types = [+contents[place] for place in alive], [types[place] for place in alive]
    types[0] = rng.choice(instance.instance_types).name
    plan = CloudPlan(
        instance.name,
        tuple(
            PlannedVM(name, tuple(PlannedTasks(a, size, n) for (a, size), n in content.items()))
            for name, content in zip(types, contents, strict=True)
        ),
    )
    makespan, cost = _evaluated(instance, types, contents)
    verdict = check(instance, plan)
    assert (verdict.valid, verdict.makespan, verdict.cost) == (True, makespan, cost)
    tight = replace(instance, budget=cost, deadline=makespan, max_vms=len(types))
    assert check(tight, plan).valid
    little = Fraction(1, 10**12)
    for changed, rule in (
        (replace(instance, budget=cost - little), "budget"),
        (replace(instance, deadline=makespan - little), "deadline"),
        (replace(instance, max_vms=len(types) - 1), "max_vms"),
        (_limited(instance, types[0], types.count(types[0]) - 1), "max_instances"),
        (_unable(instance, types[0], next(iter(contents[0]))[0]), "cannot run"),
    ):
        assert {violation.rule for violation in check(changed, plan).violations} == {rule}


@quick
@given(instance=instances(feasible=True), rng=st.randoms(use_true_random=False))
def test_ids_swapped_dropped_or_doubled(instance: CloudInstance, rng: random.Random) -> None:
    named = replace(
        instance,
        applications=tuple(
            replace(
                a,
                tasks=tuple(
                    replace(group, ids=tuple(f"{a.name}.{place}.{n}" for n in range(group.count)))
                    for place, group in enumerate(a.tasks)
                ),
            )
            for a in instance.applications
        ),
    )
    plan = _plan(named)
    assert check(named, plan).valid
    vms = list(plan.vms)
    vm, tasks = _some(vms, rng)
    other = replace(tasks, ids=("nobody", *tasks.ids[1:]))
    assert _rules(named, plan, vm, tasks, other) == {"unknown task", "unassigned tasks"}
    fewer = replace(tasks, ids=tasks.ids[1:])
    assert _rules(named, plan, vm, tasks, fewer) == {"ids", "unassigned tasks"}
    without = replace(tasks, ids=())
    assert _rules(named, plan, vm, tasks, without) == {"ids", "unassigned tasks"}
    doubled = replace(tasks, ids=(*tasks.ids, tasks.ids[0]), count=tasks.count + 1)
    assert _rules(named, plan, vm, tasks, doubled) >= {"tasks assigned twice"}


def _plan(instance: CloudInstance) -> CloudPlan:
    plan = planner.solve(instance, "heuristic").plan
    assert plan is not None
    return plan


def _some(vms: list[PlannedVM], rng: random.Random) -> tuple[int, PlannedTasks]:
    vm = rng.randrange(len(vms))
    return vm, rng.choice(vms[vm].tasks)


def _put(vms: list[PlannedVM], vm: int, old: PlannedTasks, new: PlannedTasks) -> None:
    vms[vm] = replace(vms[vm], tasks=tuple(new if tasks is old else tasks for tasks in vms[vm].tasks))


def _rules(
    instance: CloudInstance, plan: CloudPlan, vm: int, old: PlannedTasks, new: PlannedTasks
) -> set[str]:
    vms = list(plan.vms)
    _put(vms, vm, old, new)
    return {violation.rule for violation in check(instance, replace(plan, vms=tuple(vms))).violations}


def _limited(instance: CloudInstance, name: str, limit: int) -> CloudInstance:
    types = (replace(t, max_instances=limit) if t.name == name else t for t in instance.instance_types)
    return replace(instance, instance_types=tuple(types))


def _unable(instance: CloudInstance, name: str, application: str) -> CloudInstance:
    place = [a.name for a in instance.applications].index(application)
    types = (
        replace(
            t, seconds_per_unit=tuple(None if k == place else s for k, s in enumerate(t.seconds_per_unit))
        )
        if t.name == name
        else t
        for t in instance.instance_types
    )
    return replace(instance, instance_types=tuple(types))


def _evaluated(
    instance: CloudInstance, types: list[str], contents: list[Counter[tuple[str, Fraction]]]
) -> Worth:
    """Makespan and cost straight from equations (5) to (8), with billing, fee and start-up."""
    makespan = cost = Fraction(0)
    for name, content in zip(types, contents, strict=True):
        item = next(item for item in instance.instance_types if item.name == name)
        speed = dict(zip([a.name for a in instance.applications], item.seconds_per_unit, strict=True))
        seconds = instance.startup if item.startup is None else item.startup
        seconds += sum((speed[a] or 0) * size * n for (a, size), n in content.items())
        quanta = ceil(seconds / instance.billing.quantum)
        quanta = max(quanta, ceil(instance.billing.minimum / instance.billing.quantum))
        makespan = max(makespan, seconds)
        cost += quanta * instance.billing.quantum * item.price / 3600 + item.fee
    return makespan, cost
