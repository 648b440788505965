"""The cheap bounds: closed forms by hand, the definition scanned tick by tick, and never above the truth."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from math import ceil

import pytest

from planner import files
from planner.cloud.instance import CloudInstance, classes
from planner.goal import Goal
from planner.solver import Effort
from solvers.cloud import bound
from solvers.cloud.cheap_bound import CheapBound
from solvers.cloud.ticks import Ticks
from tests.brute_force import truth
from tests.instances import SHIPPED, Number, bag, cloud, kind, random_instance


def _makespan(instance: CloudInstance) -> Fraction:
    return CheapBound().lower(instance, Goal.MAKESPAN)


@pytest.mark.parametrize(
    ("family", "budget", "seconds"),
    [
        # 480 units of each application at 100 + 90 + 90 money-seconds a unit and hour: 134 400 / B
        ("thai2015-160", 40, 3360),
        ("thai2015-160", 45, 2987),
        ("thai2015-160", 50, 2688),
        ("thai2015-160", 60, 2240),
        ("thai2015-160", 70, 1920),
        ("thai2015-160", 80, 1680),
        ("thai2015-160", 85, 1582),
        # 750 units: 210 000 / B
        ("thai2015", 60, 3500),
        ("thai2015", 65, 3231),
        ("thai2015", 70, 3000),
        ("thai2015", 75, 2800),
        ("thai2015", 80, 2625),
        ("thai2015", 85, 2471),
    ],
)
def test_the_papers_instances_have_the_hourly_closed_form(family: str, budget: int, seconds: int) -> None:
    assert _makespan(files.read(SHIPPED / "cloud" / family / f"b{budget}.json")) == seconds


@pytest.mark.parametrize("budget", [40, 45, 50, 55])
def test_the_hourly_money_bound_says_nothing_where_the_budget_is_hopeless(budget: int) -> None:
    # Even a full hour does too little: the bound is the longest task, 5 units at 9 or 10 seconds.
    assert _makespan(files.read(SHIPPED / "cloud" / "thai2015" / f"b{budget}.json")) == 50


@pytest.mark.parametrize(
    ("budget", "seconds"),
    [
        (300, 60),  # 300 s of work at 1 a second; a VM bills 60 s at least, so it must work as long
        (600, 30),  # ten VMs billed 60 s each
        (400, 45),  # T s of work for 60: 300·60/T <= 400
        (299, 30),  # hopeless, so only the longest task counts
    ],
)
def test_by_the_second_with_a_minimum(budget: int, seconds: int) -> None:
    instance = cloud([bag("A", (1, 10))], [kind("t", 3600, 30)], quantum=1, minimum=60, budget=budget)
    assert _makespan(instance) == seconds


@pytest.mark.parametrize(
    ("budget", "seconds"),
    [
        (390, 130),  # three VMs pay 30 s of start-up each: T/(T - 30)·300 <= 390
        (360, 180),
        (330, 330),  # one VM
        (329, 60),  # hopeless: the longest task with start-up
        (900, 60),
    ],
)
def test_by_the_second_with_start_up(budget: int, seconds: int) -> None:
    instance = cloud([bag("A", (1, 10))], [kind("t", 3600, 30)], quantum=1, startup=30, budget=budget)
    assert _makespan(instance) == seconds


@pytest.mark.parametrize(
    ("budget", "seconds"),
    [
        (9, 1600),  # nine VMs of an hour, 600 s of it start-up: 9000/(T - 600) <= 9
        (4, 2850),
        (3, 3600),
        ("2.9", 6807),  # two hours a VM: 2·9000/(T - 600) <= 2.9 where one hour is too short
        ("2.5", 1500),  # hopeless, for 9000/3600 is 2.5 without any start-up
    ],
)
def test_by_the_hour_with_start_up(budget: Number, seconds: int) -> None:
    owned = kind("u", "0.1", 1_200_000)  # never worth its time, but makes a coin 0.1
    instance = cloud([bag("A", (1, 10))], [kind("t", 1, 900), owned], startup=600, budget=budget)
    tick = 300  # all times are multiples of 300 s, and so is every makespan
    assert _makespan(instance) == ceil(Fraction(seconds, tick)) * tick


def test_a_fee_is_part_of_the_price_of_work() -> None:
    # 10 hours of work; an hour of a VM costs 1 and 1 once: with T hours 10·(T + 1)/T <= 15, so T = 2.
    assert _makespan(cloud([bag("A", (1, 10))], [kind("t", 1, 3600, fee=1)], budget=15)) == 7200


def test_a_type_bills_at_least_what_its_shortest_task_needs() -> None:
    # A 90 s task bills two minutes. Three tasks for 5 minutes' money: 3·90·2/T <= 5 gives T >= 108.
    instance = cloud([bag("A", (1, 3))], [kind("t", 60, 90)], quantum=60, budget=5)
    assert _makespan(instance) == 120


@pytest.mark.parametrize(
    ("changes", "seconds"),
    [
        ({"max_vms": 2}, 25),  # 45 s of work on the faster type, on two VMs, 2 s of start-up
        ({"max_vms": 20}, 11),  # the longest task, 9 s, and start-up
        ({}, 11),
    ],
)
def test_limits_leave_only_so_much_room(changes: dict[str, int], seconds: int) -> None:
    instance = cloud(
        [bag("A", (9, 5))],
        [kind("t", 1, 1, startup=2), kind("u", 1, 2, startup=3)],
        **changes,  # type: ignore[arg-type]
    )
    assert _makespan(instance) == seconds


def test_limits_of_types_add_up_where_every_type_has_one() -> None:
    types = [kind("t", 1, 1, limit=1), kind("u", 1, 2, limit=2)]
    assert _makespan(cloud([bag("A", (1, 30))], types)) == 10
    assert _makespan(cloud([bag("A", (1, 30))], [*types, kind("v", 1, 9)])) == 1


def test_types_that_may_not_be_rented_count_for_nothing() -> None:
    types = [kind("fast", 0, 1, limit=0), kind("slow", 1, 10)]
    assert _makespan(cloud([bag("A", (1, 3))], types)) == 10
    assert bound.longest_task(Ticks.of(cloud([bag("A", (1, 3))], types[:1]))) is None


def test_the_serial_makespan_is_the_slowest_order() -> None:
    instance = cloud(
        [bag("A", (1, 3)), bag("B", (2, 1))], [kind("t", 1, 5, None, startup=7), kind("u", 1, 2, 4)]
    )
    assert bound.serial(Ticks.of(instance)) == 3 * 5 + 8 + 7


def test_least_cost_is_the_cheapest_work_at_the_deadline() -> None:
    # Each task takes an hour on t, so 10 in all, or 0.4 h on u, so 8 in all. By half an hour a VM of type u
    # does one task for its whole hour: 10 tasks are 20.
    types = [kind("t", 1, 3600), kind("u", 2, 1440)]
    assert CheapBound().lower(cloud([bag("A", (1, 10))], types), Goal.COST) == 8
    assert CheapBound().lower(cloud([bag("A", (1, 10))], types, deadline=1800), Goal.COST) == 20


@pytest.mark.parametrize("seed", range(250))
def test_no_bound_is_above_the_truth_and_no_reason_denies_a_plan(seed: int) -> None:
    instance = random_instance(seed)
    found = truth(instance)
    optimum = found.optimum(instance.budget)
    if optimum is None:
        return
    assert CheapBound().lower(instance, Goal.MAKESPAN) <= optimum[0]
    least_cost = min(cost for _, cost in found.front)
    assert CheapBound().lower(instance, Goal.COST) <= least_cost
    assert CheapBound().infeasible(instance, Effort()) is None


@pytest.mark.parametrize("seed", range(120))
def test_it_is_the_definition_scanned_tick_by_tick(seed: int) -> None:
    instance = dataclasses.replace(random_instance(seed), deadline=None)
    ticks = Ticks.of(instance)
    longest = bound.longest_task(ticks)
    if longest is None or instance.budget is None or bound.serial(ticks) > 3000:
        return
    start = max(longest, bound._limits_bound(ticks))
    budget = ticks.money(ticks.budget or 0)  # in whole coins, as all bills are
    fitting = (
        T
        for T in range(start, bound.serial(ticks) + 1)
        if _affordable(instance, budget, T * ticks.seconds_per_tick)
    )
    assert bound.least_makespan(ticks) == next(fitting, start)


@pytest.mark.parametrize("seed", range(120))
def test_it_is_never_weaker_than_the_closed_form_for_one_best_type(seed: int) -> None:
    """T >= o + h·w for the least h with h·q - o >= h·w, where w is the work a quantum's money must do."""
    instance = dataclasses.replace(random_instance(seed), deadline=None)
    if instance.budget and truth(instance).optimum(instance.budget) is not None:
        assert _makespan(instance) >= _closed_form(instance)


def _affordable(instance: CloudInstance, budget: Fraction, makespan: Fraction) -> bool:
    """Whether all tasks, each at the best price of work on VMs that end by then, cost at most the budget."""
    total = Fraction(0)
    quantum = instance.billing.quantum
    for application, size, count in classes(instance):
        offers = []
        for item in instance.instance_types:
            speeds = [
                g.size * s
                for a, s in zip(instance.applications, item.seconds_per_unit, strict=True)
                if s
                for g in a.tasks
            ]
            startup, speed = instance.startup_of(item), item.seconds_per_unit[application]
            if item.max_instances == 0 or speed is None or startup + speed * size > makespan:
                continue
            fewest = ceil(max(instance.billing.minimum, startup + min(speeds)) / quantum)
            for h in range(fewest, max(fewest, ceil(makespan / quantum)) + 1):
                work = min(makespan, h * quantum) - startup
                if work > 0:
                    offers.append(speed * size * (h * quantum * item.price / 3600 + item.fee) / work)
        if not offers:
            return False
        total += count * min(offers)
    return total <= budget


def _closed_form(instance: CloudInstance) -> Fraction:
    quantum, budget = instance.billing.quantum, instance.budget or Fraction(1)
    work = Fraction(0)
    for application, size, count in classes(instance):
        prices = [
            i.price * s * size for i in instance.instance_types if (s := i.seconds_per_unit[application])
        ]
        work += quantum * count * min(prices) / 3600 / budget
    types = [item for item in instance.instance_types if any(item.seconds_per_unit)]
    startup = min(instance.startup_of(item) for item in types)
    shortest = [
        instance.startup_of(item)
        + min(
            g.size * s
            for a, s in zip(instance.applications, item.seconds_per_unit, strict=True)
            if s
            for g in a.tasks
        )
        for item in types
    ]
    hours = ceil(max(instance.billing.minimum, min(shortest)) / quantum)
    if quantum > work:
        return startup + max(hours, ceil(startup / (quantum - work))) * work
    return Fraction(0)
