"""The aggregated model: exact where it can be, and never a no where a plan exists."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from math import ceil

import pytest

from planner.solver import Effort
from solvers.cloud import bound
from solvers.cloud.relaxation import Capacity, capacity, largest_fleet, next_makespan, relax
from solvers.cloud.ticks import Ticks
from solvers.cloud.units import in_units
from solvers.cpsat import Outcome
from tests.brute_force import Truth, truth
from tests.instances import bag, cloud, kind, random_instance


def test_what_one_vm_can_do_is_sharpened_to_attainable_sums() -> None:
    # Into 15 s fit 6 + 6 s or 10 s, and with 5 s of start-up that is 17 s of the 20.
    instance = cloud([bag("A", (6, 2), (10, 1))], [kind("t", 1, 1, startup=5)], quantum=4)
    ticks = Ticks.of(instance)
    assert capacity(ticks, 0, 20) == Capacity(reach=17, least_quanta=3, most_quanta=5)


def test_a_type_that_is_too_slow_or_not_for_rent_can_do_nothing() -> None:
    instance = cloud([bag("A", (10, 1))], [kind("t", 1, 1), kind("u", 1, 1, limit=0), kind("v", 1, None)])
    ticks = Ticks.of(instance)
    assert [capacity(ticks, t, 1) is None for t in ticks.types] == [False, True, True]
    assert capacity(ticks, 0, 0) is None


def test_the_mix_says_how_many_vms_quanta_and_tasks() -> None:
    # 20 tasks of half an hour for at most 10 an hour each: by one hour ten VMs run two each.
    instance = cloud([bag("A", (1, 20))], [kind("t", 1, 1800), kind("u", 2, 1800)], budget=10)
    found = relax(Ticks.of(instance), 2, Effort(), budget=10)
    assert found.mix is not None
    assert (found.mix.vms, found.mix.quanta, found.mix.tasks) == ((10, 0), (10, 0), ((20,), (0,)))
    assert relax(Ticks.of(instance), 2, Effort(), budget=9).outcome is Outcome.INFEASIBLE


def test_the_last_quantum_of_a_vm_is_only_worth_what_is_left_of_the_makespan() -> None:
    """By 90 minutes a VM billed two hours works 90: 6 hours of work on 4 VMs need the money of 8."""
    instance = cloud([bag("A", (1, 12))], [kind("t", 1, 1800)])
    ticks = Ticks.of(instance)
    assert relax(ticks, 3, Effort(), budget=6).outcome is Outcome.OPTIMAL  # six VMs of an hour
    assert relax(ticks, 3, Effort(), budget=5).outcome is Outcome.INFEASIBLE
    capped = Ticks.of(dataclasses.replace(instance, max_vms=4))
    assert relax(capped, 3, Effort(), budget=8).outcome is Outcome.OPTIMAL
    assert relax(capped, 3, Effort(), budget=7).outcome is Outcome.INFEASIBLE


def test_the_least_cost_is_proven() -> None:
    # Four tasks at 1.5 each on it1 (two an hour for 3), 2 each on it2.
    instance = cloud([bag("A", (1, 4))], [kind("it1", 3, 1800), kind("it2", 2, 3600)])
    found = relax(Ticks.of(instance), 2, Effort(), budget=None, minimise_cost=True)
    assert (found.outcome, found.least_cost) == (Outcome.OPTIMAL, 6)
    hopeless = relax(Ticks.of(instance), 2, Effort(), budget=5, minimise_cost=True)
    assert (hopeless.outcome, hopeless.least_cost) == (Outcome.INFEASIBLE, None)


def test_a_cut_asks_for_more_of_some_type() -> None:
    instance = cloud([bag("A", (1, 6))], [kind("t", 1, 10), kind("u", 5, 10)], budget=10)
    ticks = Ticks.of(instance)
    free = relax(ticks, 6, Effort(), budget=10, minimise_cost=True)
    assert free.mix is not None
    assert free.mix.vms == (1, 0)
    cut = relax(ticks, 6, Effort(), budget=10, minimise_cost=True, cuts=[(1, 3)])
    assert cut.mix is not None
    assert cut.mix.vms == (2, 0)
    both = relax(ticks, 6, Effort(), budget=10, minimise_cost=True, cuts=[(1, 3), (6, 0)])
    assert both.mix is not None
    assert both.mix.vms == (2, 1)
    assert relax(ticks, 6, Effort(), budget=10, cuts=[(6, 6)]).outcome is Outcome.INFEASIBLE


def test_the_next_makespan_is_a_start_up_and_a_sum_of_tasks() -> None:
    instance = cloud([bag("A", (6, 2), (10, 1))], [kind("t", 1, 1, startup=5), kind("u", 1, 2)], quantum=1)
    ticks = Ticks.of(instance)
    # on t: 5 + {6, 10, 12, 16, 22}; on u: 2·{6, 10, 12, 16, 22}
    seen, makespan = [], 0
    while makespan < ticks.startup[0] + 22 + 18:
        makespan = next_makespan(ticks, makespan)
        seen.append(makespan)
    assert seen[:9] == [11, 12, 15, 17, 20, 21, 24, 27, 32]
    assert seen[9:11] == [44, 45]  # beyond the last there is nothing to skip


def test_no_plan_rents_more_than_the_largest_fleet() -> None:
    types = [
        kind("t", 1, 10),
        kind("u", 2, 10, limit=3),
        kind("v", 0, 10),
        kind("w", 9, 10),
        kind("x", 1, 50),
    ]
    instance = cloud([bag("A", (1, 8))], types, budget=7)
    assert largest_fleet(Ticks.of(instance), 4, 7) == (7, 3, 8, 0, 0)
    assert largest_fleet(Ticks.of(instance), 4, None) == (8, 3, 8, 8, 0)


def _ticks_of(worth: Fraction, ticks: Ticks) -> int:
    return ceil(worth / ticks.seconds_per_tick)


def _fits(found: Truth, ticks: Ticks, makespan: int) -> bool:
    return any(
        worth <= ticks.seconds(makespan) and (ticks.budget is None or cost <= ticks.money(ticks.budget))
        for worth, cost in found.front
    )


def _makespans(ticks: Ticks, found: Truth) -> set[int]:
    """Makespans worth asking about: at, just below and far from those that plans have."""
    asked = {bound.serial(ticks), bound.serial(ticks) // 2, bound.serial(ticks) // 3}
    for worth, _ in found.front:
        asked |= {_ticks_of(worth, ticks), _ticks_of(worth, ticks) - 1}
    limit = bound.serial(ticks) if ticks.deadline is None else ticks.deadline
    return {makespan for makespan in asked if 0 < makespan <= limit}


@pytest.mark.parametrize("seed", range(70))
def test_it_never_says_no_where_a_plan_exists(seed: int) -> None:
    instance = random_instance(seed)
    ticks, found = Ticks.of(instance), truth(instance)
    for makespan in _makespans(ticks, found):
        if _fits(found, ticks, makespan):
            for model in (ticks, in_units(ticks)):
                assert relax(model, makespan, Effort(), budget=ticks.budget).outcome is not Outcome.INFEASIBLE


@pytest.mark.parametrize("seed", range(70))
def test_its_least_cost_is_never_above_the_cheapest_plan(seed: int) -> None:
    instance = random_instance(seed)
    ticks, found = Ticks.of(instance), truth(instance)
    for makespan in _makespans(ticks, found):
        costs = [cost for worth, cost in found.front if worth <= ticks.seconds(makespan)]
        least = relax(ticks, makespan, Effort(), budget=None, minimise_cost=True).least_cost
        if costs:
            assert least is not None
            assert ticks.money(least) <= min(costs)


@pytest.mark.parametrize("seed", range(70))
def test_without_a_deadline_the_merged_model_is_the_least_budget(seed: int) -> None:
    instance = dataclasses.replace(random_instance(seed), deadline=None)
    ticks = Ticks.of(instance)
    found = relax(ticks, bound.serial(ticks), Effort(), budget=None, minimise_cost=True, merged=True)
    least = truth(instance).least_budget
    assert least == (None if found.least_cost is None else ticks.money(found.least_cost))
