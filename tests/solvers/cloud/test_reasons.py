"""Why nothing is feasible: the thing in the way is named, and the least budget that works is the least."""

from __future__ import annotations

import dataclasses
import re
from fractions import Fraction

import pytest

import planner
from planner.cloud.instance import CloudInstance
from planner.result import Status
from planner.solver import Effort
from solvers.cloud.cheap_bound import CheapBound
from tests.brute_force import truth
from tests.instances import SHIPPED, Number, bag, cloud, kind, random_instance


def _reason(instance: CloudInstance) -> str | None:
    return CheapBound().infeasible(instance, Effort())


@pytest.mark.parametrize(
    ("budget", "least", "more"),
    [(5, "6", "1"), ("5.75", "6", "0.25"), (0, "6", "6"), ("0.001", "6", "5.999")],
)
def test_the_least_budget_that_works_and_what_is_missing(budget: Number, least: str, more: str) -> None:
    instance = cloud([bag("A", (1, 4))], [kind("it1", 3, 1800), kind("it2", 2, 3600)], budget=budget)
    text = f"is too small: the least budget that works is {least} ({more} more)"
    assert (_reason(instance) or "").endswith(text)


def test_the_least_budget_is_none_too_small_to_speak_of() -> None:
    instance = cloud([bag("A", (1, 4))], [kind("it1", 3, 1800), kind("it2", 2, 3600)], budget=6)
    assert _reason(instance) is None


@pytest.mark.parametrize("budget", [40, 45, 50, 55])
def test_60_is_the_least_budget_of_the_papers_instances(budget: int) -> None:
    instance = planner.read(SHIPPED / "cloud" / "thai2015" / f"b{budget}.json")
    text = f"the budget of {budget} is too small: the least budget that works is 60 ({60 - budget} more)"
    assert _reason(instance) == text


def test_with_a_deadline_the_number_is_called_what_it_is() -> None:
    """By 10 s three VMs have room for 30 s of work, but not for four tasks longer than 5 s."""
    instance = cloud([bag("A", (4, 1), (6, 2), (7, 2))], [kind("t", 1, 1)], deadline=10, budget=3)
    assert _reason(instance) is None
    result = planner.solve(instance, "exact")
    assert result.status is Status.INFEASIBLE
    assert result.message is not None
    assert "with the deadline of 10 s" in result.message
    assert "the least budget that works is 4 (1 more)" in result.message


def test_a_bound_on_the_money_is_not_called_the_least_budget() -> None:
    instance = cloud([bag("A", (1, 4))], [kind("t", 1, 10)], deadline=20, budget=1)
    assert _reason(instance) == (
        "the budget of 1 is too small with the deadline of 20 s: no plan costs less than 2"
    )


def test_a_task_longer_than_the_deadline_is_named_with_its_time() -> None:
    instance = cloud(
        [bag("A", (1, 4)), bag("B", (3, 1))],
        [kind("t", 1, 10, 9), kind("u", 1, 3, 10)],
        startup=2,
        deadline=28,
    )
    assert (_reason(instance) or "").startswith(
        "the deadline of 28 s is too early: a task of 'B' of size 3 takes 29 s on its fastest type"
    )


def test_an_application_that_runs_nowhere_is_named() -> None:
    instance = cloud([bag("A", (1, 4)), bag("B", (3, 1))], [kind("t", 1, 10, None), kind("u", 1, 3, None)])
    assert _reason(instance) == "application 'B' runs on no instance type: every seconds_per_unit is null"


def test_an_application_whose_types_may_not_be_rented_is_named_with_them() -> None:
    types = [kind("t", 1, 10, None), kind("u", 1, None, 5, limit=0), kind("v", 1, 1, 5, limit=0)]
    assert _reason(cloud([bag("A", (1, 4)), bag("B", (3, 1))], types)) == (
        "application 'B' runs only on 'u', 'v', of which max_instances allows none"
    )


def test_no_vm_at_all() -> None:
    assert _reason(cloud([bag("A", (1, 4))], [kind("t", 1, 10, limit=0)])) == (
        "no VM may be rented: max_instances is 0 for every instance type"
    )


def test_limits_in_the_way_are_listed() -> None:
    instance = cloud(
        [bag("A", (1, 9))], [kind("t", 1, 10, limit=2), kind("u", 1, 20)], max_vms=3, deadline=20
    )
    # two VMs of type t and one of u run 2 + 2 + 1 tasks by 20 s
    assert (_reason(instance) or "").endswith(
        "by the deadline of 20 s: max_vms = 3, max_instances of 't' = 2"
    )


def test_two_applications_that_need_two_machines_where_one_is_allowed() -> None:
    instance = cloud(
        [bag("A", (1, 1)), bag("B", (1, 1))], [kind("t", 1, 1, None), kind("u", 1, None, 1)], max_vms=1
    )
    assert _reason(instance) == "the limits allow too few VMs to run everything: max_vms = 1"


@pytest.mark.parametrize("seed", range(150))
def test_exact_names_the_least_budget_where_money_is_in_the_way(seed: int) -> None:
    instance = random_instance(seed)
    found = truth(instance)
    if found.optimum(instance.budget) is not None or instance.budget is None:
        return
    result = planner.solve(instance, "exact")
    assert result.status is Status.INFEASIBLE
    assert result.message
    named = re.search(r"(the least budget that works is|no plan costs less than) (\S+)", result.message)
    if found.least_budget is None:
        return  # a deadline or limit is in the way whatever the money; the message may still name a price
    assert named is not None
    number = Fraction(named[2])
    if named[1].startswith("the least"):
        assert number == pytest.approx(found.least_budget, rel=1e-9)
    else:
        assert instance.deadline is not None
        assert instance.budget < number <= found.least_budget * Fraction(1_000_000_001, 1_000_000_000)


@pytest.mark.parametrize("seed", range(150))
def test_without_a_deadline_no_infeasible_instance_is_missed(seed: int) -> None:
    instance = dataclasses.replace(random_instance(seed), deadline=None)
    infeasible = truth(instance).optimum(instance.budget) is None
    assert (_reason(instance) is not None) is infeasible
