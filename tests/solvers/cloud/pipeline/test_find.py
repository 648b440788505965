"""Algorithm 1 as a solver."""

import re
import threading
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.goal import Goal
from planner.result import StoppedBy
from planner.solver import Answer, Effort, TimeLimit
from solvers.cloud.pipeline.find import Heuristic
from tests.instances import bag, cloud, kind, many_digits, random_instance
from tests.solvers.cloud.pipeline.fleets import thai


def solve(instance: CloudInstance, effort: Effort | None = None) -> Answer:
    return Heuristic().solve(instance, Goal.MAKESPAN, effort or Effort())


def makespan(instance: CloudInstance) -> Fraction:
    """The makespan of the heuristic's plan, which must exist and be valid."""
    answer = solve(instance)
    assert answer.plan is not None, answer.message
    verdict = check(instance, answer.plan)
    assert verdict.valid, verdict.violations
    assert verdict.makespan is not None
    return verdict.makespan


@pytest.mark.parametrize(
    ("count", "work", "budgets"), [(32, 134400, range(40, 90, 5)), (50, 210000, range(60, 90, 5))]
)
def test_the_papers_family_is_within_three_percent_of_the_bound(
    count: int, work: int, budgets: range
) -> None:
    """The bound is the cost of all work on its cheapest types, spread over the budget (in seconds)."""
    gaps = [makespan(thai(count, budget)) * budget / work - 1 for budget in budgets]
    assert min(gaps) >= 0
    assert sum(gaps) / len(gaps) <= Fraction(3, 100)


def test_the_least_budget_of_the_rescaled_family_is_met() -> None:
    assert makespan(thai(32, 40)) == 3360


@pytest.mark.parametrize("seed", range(300))
def test_every_plan_is_valid_and_every_refusal_says_why(seed: int) -> None:
    for instance in (random_instance(seed, 30), many_digits(seed)):
        answer = solve(instance)
        assert not answer.infeasible
        if answer.plan is None:
            assert answer.message
        else:
            assert check(instance, answer.plan).valid


@given(
    counts=st.lists(st.integers(1, 40), min_size=1, max_size=3),
    prices=st.lists(st.integers(0, 9), min_size=2, max_size=3),
    speeds=st.lists(st.integers(1, 400), min_size=9, max_size=9),
    budget=st.integers(0, 60),
    quantum=st.sampled_from([1, 60, 3600]),
    startup=st.sampled_from([0, 30, 4000]),
)
def test_plans_of_generated_instances_are_valid(
    counts: list[int], prices: list[int], speeds: list[int], budget: int, quantum: int, startup: int
) -> None:
    bags = [bag(f"A{a}", (a + 1, count)) for a, count in enumerate(counts)]
    types = [kind(f"t{k}", price, *speeds[3 * k : 3 * k + len(bags)]) for k, price in enumerate(prices)]
    instance = cloud(bags, types, budget=budget, quantum=quantum, startup=startup, minimum=60)
    plan = solve(instance).plan
    assert plan is None or check(instance, plan).valid


def test_unlimited_money_ends_with_the_longest_task_and_wastes_none() -> None:
    instance = cloud([bag("A", (1, 20), (10, 1))], [kind("t", 1, 10), kind("slow", 1, 30)])
    answer = solve(instance)
    assert answer.plan is not None
    verdict = check(instance, answer.plan)
    assert verdict.makespan == 100
    assert verdict.cost == 3


def test_machines_that_one_owns_are_all_used() -> None:
    instance = cloud([bag("A", (1, 12))], [kind("own", 0, 10, limit=4)], budget=0)
    assert makespan(instance) == 30


def test_money_too_short_for_the_fastest_type_still_buys_a_plan() -> None:
    """One type is fastest for all, at nine times the price; each application has its own cheap type.

    The cheap types need 3 * 2000 * 10 s, that is 3333 s of each of the 18 VMs that the budget buys.
    """
    types = [
        kind("fast", 90, 9, 9, 9),
        kind("a", 10, 10, 60, 60),
        kind("b", 10, 60, 10, 60),
        kind("c", 10, 60, 60, 10),
    ]
    instance = cloud([bag(name, (1, 2000)) for name in "ABC"], types, budget=180)
    assert makespan(instance) == 3340


@pytest.mark.parametrize(
    ("instance", "words"),
    [
        (thai(50, 55), r"budget of 55: the nearest costs \S+ more"),
        (replace(thai(32, 40), deadline=Fraction(3000)), r"deadline: the nearest ends 360 s after"),
        (cloud([bag("A", (1, 2))], [kind("t", 9, 1)], budget=5), r"'A', size 1, fits no instance type"),
        (cloud([bag("A", (1, 2)), bag("B", (1, 1))], [kind("t", 9, 1, None)]), r"'B', size 1, fits no"),
        (
            cloud(
                [bag("A", (1, 1)), bag("B", (1, 1))],
                [kind("a", 1, 1, None), kind("b", 1, None, 1)],
                max_vms=1,
            ),
            r"1 more VMs than the 1 allowed",
        ),
    ],
)
def test_a_refusal_names_what_was_missed(instance: CloudInstance, words: str) -> None:
    answer = solve(instance)
    assert answer.plan is None
    assert answer.message is not None
    assert re.search(words, answer.message), answer.message


def test_the_seed_changes_nothing() -> None:
    first, second = (solve(thai(32, 65), Effort(seed=seed)).plan for seed in (1, 2))
    assert first == second


def test_the_order_of_types_and_applications_hardly_matters() -> None:
    instance = thai(32, 65)
    turned = replace(
        instance,
        applications=instance.applications[::-1],
        instance_types=tuple(
            replace(item, seconds_per_unit=item.seconds_per_unit[::-1])
            for item in instance.instance_types[::-1]
        ),
    )
    assert abs(makespan(turned) / makespan(instance) - 1) < Fraction(1, 100)


class _Listener:
    def __init__(self) -> None:
        self.plans: list[CloudPlan] = []

    def incumbent(self, plan: CloudPlan) -> None:
        self.plans.append(plan)

    def bound(self, value: Fraction) -> None:
        raise AssertionError(f"the heuristic proves nothing, yet says {value}")


def test_each_better_plan_is_reported() -> None:
    listener = _Listener()
    answer = solve(thai(32, 85), Effort(progress=listener))
    values = [check(thai(32, 85), plan) for plan in listener.plans]
    assert all(verdict.valid for verdict in values)
    pairs = [(verdict.makespan, verdict.cost) for verdict in values]
    assert pairs == sorted(pairs, reverse=True)
    assert len(set(pairs)) == len(pairs)
    assert listener.plans[-1] == answer.plan


def test_it_stops_when_told_and_says_so() -> None:
    stop = threading.Event()
    stop.set()
    answer = solve(cloud([bag("A", (1, 9))], [kind("t", 1, 1)]), Effort(stop=stop))
    assert answer.stopped_by is StoppedBy.INTERRUPTED
    assert answer.plan is not None, "the first assignment was within the limits"
    assert solve(thai(32, 40), Effort(limit=TimeLimit(0))).stopped_by is StoppedBy.TIME_LIMIT


def test_the_tick_is_reported() -> None:
    resolution = solve(thai(32, 40)).resolution
    assert resolution is not None
    assert resolution.seconds_per_tick == 1
    assert not resolution.rounded
