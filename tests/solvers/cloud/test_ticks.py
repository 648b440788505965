"""Whole numbers: units that hold everything exactly, and one-way rounding where none is small enough."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest

from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance, TaskGroup
from planner.goal import Goal
from planner.result import Status
from planner.run import solve
from planner.solver import Effort
from solvers.cloud import fleet
from solvers.cloud.cheap_bound import CheapBound
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.ticks import LARGEST_SUM, Ticks
from tests.brute_force import truth
from tests.instances import bag, cloud, kind, many_digits, random_instance


def test_a_tick_is_the_coarsest_unit_in_which_all_times_are_whole() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 2), ("0.5", 1))], [kind("t", 2, "1.5", startup="4.5")]))
    # 1.5, 0.75, 4.5 and 3600 are whole multiples of 0.75 and of nothing longer
    assert ticks.seconds_per_tick == Fraction(3, 4)
    assert (ticks.times, ticks.startup, ticks.quantum) == (((1, 2),), (6,), 4800)
    assert not ticks.rounded


def test_a_coin_is_the_coarsest_unit_in_which_all_bills_are_whole() -> None:
    ticks = Ticks.of(
        cloud([bag("A", (1, 1))], [kind("t", "0.6", 1), kind("u", "0.9", 1, fee="0.06")], quantum=1800)
    )
    # half an hour costs 0.30 and 0.45, the fee is 0.06
    assert (ticks.money_per_coin, ticks.price, ticks.fee) == (Fraction(3, 100), (10, 15), (0, 2))


@pytest.mark.parametrize(("budget", "coins"), [("1.49", 14), ("1.5", 15), (None, None)])
def test_a_budget_is_the_coins_it_holds(budget: str | None, coins: int | None) -> None:
    assert Ticks.of(cloud([bag("A", (1, 1))], [kind("t", "0.1", 1)], budget=budget)).budget == coins


def test_a_deadline_is_the_ticks_before_it() -> None:
    instance = cloud([bag("A", (1, 1))], [kind("t", 1, 10)], deadline="39.99")
    assert Ticks.of(instance).deadline == 3


def test_tasks_of_one_size_are_one_class_whichever_entry_they_stand_in() -> None:
    instance = cloud([bag("A", (2, 1), (1, 5), (2, 3)), bag("B", (2, 7))], [kind("t", 1, 3, None)])
    ticks = Ticks.of(instance)
    assert ticks.labels == ((0, 1), (0, 2), (1, 2))
    assert (ticks.counts, ticks.times) == ((5, 4, 7), ((1, 2, None),))


def test_execution_billing_and_cost_of_one_vm() -> None:
    instance = cloud(
        [bag("A", (1, 9))], [kind("t", 6, 10, fee="0.5")], startup=20, quantum=60, minimum=90
    )  # ticks of 10 s; a minute costs 0.1, in coins of 0.1
    ticks = Ticks.of(instance)
    assert [ticks.execution(0, (n,)) for n in (0, 1, 9)] == [2, 3, 11]
    assert [ticks.quanta(e) for e in (1, 9, 12, 13, 18, 19)] == [2, 2, 2, 3, 3, 4]
    assert ticks.money(ticks.vm_cost(0, 13)) == Fraction(8, 10)
    assert ticks.seconds(13) == 130


def test_every_vm_bills_a_quantum_where_there_is_no_minimum() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 1))], [kind("t", 1, 10)]))
    assert [ticks.quanta(e) for e in (0, 1, 360, 361)] == [1, 1, 1, 2]


def test_free_machines_and_no_start_up_have_a_unit_too() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 1))], [kind("t", 0, 10)]))
    assert (ticks.price, ticks.fee, ticks.money_per_coin) == ((0,), (0,), 1)


@pytest.mark.parametrize("seed", range(60))
def test_a_plan_is_worth_the_same_in_ticks_and_coins_as_to_the_checker(seed: int) -> None:
    instance = dataclasses.replace(random_instance(seed), budget=None, deadline=None)
    ticks = Ticks.of(instance)
    for t in ticks.types:
        able = [n if time is not None else 0 for n, time in zip(ticks.counts, ticks.times[t], strict=True)]
        if any(able):
            vms = [LoadedVM(t, tuple(able))]
            verdict = check(instance, fleet.plan(ticks, vms))
            assert verdict.makespan == ticks.seconds(fleet.makespan(ticks, vms))
            assert verdict.cost == ticks.money(fleet.cost(ticks, vms))


LONG = "3." + "141592653" * 3  # 28 digits: thousands of them do not add up within 2^59 ticks


def _long(**changes: object) -> CloudInstance:
    return cloud([bag("A", ("1.7", 4), (1, 5))], [kind("t", 1, LONG, startup=LONG)], **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("quantum", [3600, "0." + "0" * 28 + "1"])
def test_times_that_do_not_fit_are_rounded_one_way_by_less_than_a_tick(quantum: int | str) -> None:
    instance = _long(quantum=quantum, minimum=LONG)
    up, down = Ticks.of(instance, "up"), Ticks.of(instance, "down")
    assert up.rounded
    assert down.resolution == up.resolution
    exact = (Fraction(LONG), Fraction("1.7") * Fraction(LONG))
    for ticks, low, high in ((up, 0, 1), (down, -1, 0)):
        pairs = [
            *zip(ticks.times[0], exact, strict=True),
            (ticks.startup[0], exact[0]),
            (ticks.minimum, exact[0]),
        ]
        assert all(low <= whole - true / ticks.seconds_per_tick <= high for whole, true in pairs)
    assert up.times[0] != down.times[0]


def test_a_quantum_shorter_than_a_tick_becomes_the_tick_at_the_same_price_a_second() -> None:
    quantum = Fraction(1, 10**29)
    ticks = Ticks.of(_long(quantum=quantum))
    assert ticks.quantum == 1
    assert ticks.seconds_per_tick > quantum
    assert (ticks.seconds_per_tick / quantum).denominator == 1  # so that no whole number of quanta is cut
    hour = ticks.money(ticks.price[0]) * 3600 / ticks.seconds_per_tick
    assert abs(hour - 1) < Fraction(1, 10**9)


def test_a_quantum_longer_than_a_tick_stays_whole_ticks() -> None:
    ticks = Ticks.of(_long())
    assert ticks.quantum * ticks.seconds_per_tick == 3600


@pytest.mark.parametrize("seed", range(60))
def test_sums_stay_within_the_limit_whatever_the_numbers(seed: int) -> None:
    for ticks in (Ticks.of(many_digits(seed), "up"), Ticks.of(many_digits(seed), "down")):
        tasks = sum(ticks.counts)
        slowest = [max((row[c] or 0 for row in ticks.times), default=0) for c in ticks.task_classes]
        serial = tasks * max(ticks.startup) + sum(
            n * time for n, time in zip(ticks.counts, slowest, strict=True)
        )
        quanta = (serial + ticks.minimum) // ticks.quantum
        rounding = 2 * tasks * tasks * len(ticks.times)
        assert tasks * (serial + ticks.quantum + ticks.minimum) <= LARGEST_SUM + rounding
        assert tasks * (quanta * sum(ticks.price) + sum(ticks.fee)) <= 2 * LARGEST_SUM + rounding


def test_a_shortest_task_lost_in_rounding_proves_nothing_wrong() -> None:
    """Rounded down, a VM of less than a tick bills nothing, for its quantum may be a mere part of a tick."""
    tiny = "0." + "0" * 14 + "1"
    instance = cloud(
        [bag("A", (10**15, 1)), bag("B", (tiny, 1))],
        [kind("free", 0, 10**6, None), kind("dear", 10**6, None, 1)],
        quantum="0." + "0" * 15 + "1",
        budget="0.000000001",
    )
    assert truth(instance).optimum(instance.budget) == (10**21, Fraction(10**6) / 3600 / 10**15)
    assert Ticks.of(instance, "down").quanta(0) == 0
    assert CheapBound().infeasible(instance, Effort()) is None
    assert CheapBound().lower(instance, Goal.COST) <= Fraction(10**6) / 3600 / 10**15


def test_a_fast_type_whose_time_is_lost_in_rounding_keeps_the_bound_below_the_optimum() -> None:
    instance = cloud(
        [bag("A", (10**15, 1))],
        [kind("slow", 1, 10**15), kind("fast", 2, "0." + "0" * 14 + "1", startup=0)],
        budget=10,
    )
    assert truth(instance).optimum(instance.budget) == (1, 2)
    assert CheapBound().lower(instance, Goal.MAKESPAN) <= 1
    assert CheapBound().infeasible(instance, Effort()) is None


def test_huge_prices_are_counted_in_coarser_coins_and_the_optimum_is_still_proven() -> None:
    instance = cloud(
        [bag("A", (1, 3))],
        [
            kind("t", "999999999999999." + "123456789012345", 10),
            kind("u", "123456789012345." + "987654321", 30),
        ],
        budget=1999999999999999,
    )
    ticks = Ticks.of(instance)
    assert ticks.rounded
    assert ticks.money(ticks.price[0]) >= instance.instance_types[0].price
    result = solve(instance, "exact")
    assert (result.status, result.makespan) == (Status.OPTIMAL, 20)
    assert result.tiebreak_proven is False  # costs were rounded, so nothing is claimed about them


@pytest.mark.parametrize("seed", range(45))
def test_with_many_digits_plans_are_valid_bounds_hold_and_nothing_feasible_is_denied(seed: int) -> None:
    instance = many_digits(seed)
    found = truth(instance)
    optimum = found.optimum(instance.budget)
    for solver in ("exact", "compact", "heuristic"):
        result = solve(instance, solver, time_limit=3)  # raises where the checker finds fault
        if optimum is None:
            assert result.plan is None
        else:
            assert result.status is not Status.INFEASIBLE
            assert result.bound is not None
            assert result.bound <= optimum[0]
    if optimum is not None:
        assert CheapBound().lower(instance, Goal.COST) <= min(cost for _, cost in found.front)


def test_what_is_equal_in_value_is_equal_in_ticks() -> None:
    one = cloud([bag("A", (1, 2))], [kind("t", 1, 10)])
    two = dataclasses.replace(
        one, applications=(dataclasses.replace(one.applications[0], tasks=(TaskGroup(Fraction(1), 1),) * 2),)
    )
    assert Ticks.of(one).counts == Ticks.of(two).counts
