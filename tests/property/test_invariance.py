"""What must not change the optimum, and what must change it just so."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

import planner
from planner.cloud.instance import Application, Billing, CloudInstance, InstanceType, TaskGroup
from planner.result import Status
from solvers import catalog
from tests.brute_force import Worth
from tests.property.strategies import instances, quick


def _optimum(instance: CloudInstance) -> Worth | None:
    result = planner.solve(instance, "exact")
    if result.status is Status.INFEASIBLE:
        return None
    assert (result.status, result.tiebreak_proven) == (Status.OPTIMAL, True)
    assert result.makespan is not None
    assert result.cost is not None
    return result.makespan, result.cost


@quick
@given(instances())
def test_no_solver_is_better_than_the_optimum_and_no_bound_above_it(instance: CloudInstance) -> None:
    optimum = _optimum(instance)
    for entry in catalog.entries():
        # milp starts a process each time; the contract suite has it
        if entry.kind != "cloud" or entry.name in ("milp", "exact"):
            continue
        result = planner.solve(instance, entry.name, time_limit=20)
        if optimum is None:
            assert result.plan is None
            continue
        assert result.status is not Status.INFEASIBLE
        assert result.bound is not None
        assert result.bound <= optimum[0]
        if result.makespan is not None and result.cost is not None:
            assert (result.makespan, result.cost) >= optimum


@quick
@given(instances(), st.randoms(use_true_random=False))
def test_names_and_orders_mean_nothing(instance: CloudInstance, rng: random.Random) -> None:
    assert _optimum(_shuffled(instance, rng)) == _optimum(instance)


@quick
@given(instances(), st.sampled_from([Fraction(1, 7), Fraction(3), Fraction(5, 2), Fraction(1000)]))
def test_all_times_longer_at_a_price_lower_by_as_much_is_the_same_plan(
    instance: CloudInstance, k: Fraction
) -> None:
    """All times and the quantum times k, prices an hour by k: the makespan times k for the same money."""
    optimum = _optimum(instance)
    slower = replace(
        instance,
        startup=k * instance.startup,
        deadline=None if instance.deadline is None else k * instance.deadline,
        billing=Billing(k * instance.billing.quantum, k * instance.billing.minimum),
        instance_types=tuple(
            replace(
                item,
                price=item.price / k,
                startup=None if item.startup is None else k * item.startup,
                seconds_per_unit=tuple(None if s is None else k * s for s in item.seconds_per_unit),
            )
            for item in instance.instance_types
        ),
    )
    assert _optimum(slower) == (None if optimum is None else (k * optimum[0], optimum[1]))


@quick
@given(instances(), st.sampled_from([Fraction(1, 3), Fraction(7, 2)]))
def test_money_in_another_currency_is_the_same_plan(instance: CloudInstance, rate: Fraction) -> None:
    optimum = _optimum(instance)
    exchanged = replace(
        instance,
        budget=None if instance.budget is None else rate * instance.budget,
        instance_types=tuple(
            replace(item, price=rate * item.price, fee=rate * item.fee) for item in instance.instance_types
        ),
    )
    assert _optimum(exchanged) == (None if optimum is None else (optimum[0], rate * optimum[1]))


@quick
@given(instances(), st.sampled_from([Fraction(11, 10), Fraction(2), None]))
def test_more_budget_never_hurts(instance: CloudInstance, factor: Fraction | None) -> None:
    before = _optimum(instance)
    budget = None if instance.budget is None or factor is None else factor * instance.budget
    after = _optimum(replace(instance, budget=budget))
    if before is not None:
        assert after is not None
        assert after <= before


@quick
@given(instances())
def test_lifting_deadline_and_limits_never_hurts(instance: CloudInstance) -> None:
    before = _optimum(instance)
    types = tuple(replace(item, max_instances=None) for item in instance.instance_types)
    after = _optimum(replace(instance, deadline=None, max_vms=None, instance_types=types))
    if before is not None:
        assert after is not None
        assert after[0] <= before[0]


@quick
@given(instances())
def test_entries_of_alike_tasks_may_be_split_and_joined(instance: CloudInstance) -> None:
    split = [
        replace(a, tasks=tuple(replace(group, count=1) for group in a.tasks for _ in range(group.count)))
        for a in instance.applications
    ]
    assert _optimum(replace(instance, applications=tuple(split))) == _optimum(instance)


@quick
@given(instances())
def test_ids_are_only_names(instance: CloudInstance) -> None:
    named = tuple(
        replace(
            application,
            tasks=tuple(
                replace(group, ids=tuple(f"{place}.{n}" for n in range(group.count)))
                for place, group in enumerate(application.tasks)
            ),
        )
        for application in instance.applications
    )
    assert _optimum(replace(instance, applications=named)) == _optimum(instance)


@quick
@given(instances())
def test_larger_units_of_size_at_less_time_a_unit_mean_nothing(instance: CloudInstance) -> None:
    finer = replace(
        instance,
        applications=tuple(
            replace(a, tasks=tuple(replace(group, size=group.size * 3) for group in a.tasks))
            for a in instance.applications
        ),
        instance_types=tuple(
            replace(item, seconds_per_unit=tuple(None if s is None else s / 3 for s in item.seconds_per_unit))
            for item in instance.instance_types
        ),
    )
    assert _optimum(finer) == _optimum(instance)


@quick
@given(instances())
def test_a_type_that_is_never_better_changes_nothing(instance: CloudInstance) -> None:
    """A copy of a type, dearer and slower, which its own limit does not make useful."""
    first = replace(instance.instance_types[0], max_instances=None)
    worse = replace(
        first,
        name="worse",
        price=first.price + 1,
        seconds_per_unit=tuple(None if s is None else 2 * s for s in first.seconds_per_unit),
    )
    types = (first, *instance.instance_types[1:])
    without = replace(instance, instance_types=types)
    assert _optimum(replace(instance, instance_types=(*types, worse))) == _optimum(without)


def _shuffled(instance: CloudInstance, rng: random.Random) -> CloudInstance:
    order = list(range(len(instance.applications)))
    rng.shuffle(order)
    applications = []
    for place in order:
        groups: list[TaskGroup] = list(instance.applications[place].tasks)
        rng.shuffle(groups)
        applications.append(Application(f"renamed {place}", tuple(groups)))
    types: list[InstanceType] = [
        replace(item, name=f"z{k}", seconds_per_unit=tuple(item.seconds_per_unit[place] for place in order))
        for k, item in enumerate(instance.instance_types)
    ]
    rng.shuffle(types)
    return replace(instance, name="other", applications=tuple(applications), instance_types=tuple(types))
