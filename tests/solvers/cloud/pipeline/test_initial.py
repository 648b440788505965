"""INITIAL: the whole budget on each application's best type."""

from planner.cloud.instance import CloudInstance
from solvers.cloud.pipeline.estimate import Estimate
from solvers.cloud.pipeline.initial import initial
from solvers.cloud.pipeline.rented import possible
from solvers.cloud.ticks import Ticks
from tests.instances import bag, cloud, kind
from tests.solvers.cloud.pipeline.fleets import thai


def counts(instance: CloudInstance, *, thrifty: bool = False) -> list[int]:
    ticks = possible(Ticks.of(instance))
    return initial(ticks, Estimate(ticks), thrifty=thrifty).counts


def test_each_application_gets_the_whole_budget_and_tied_types_share() -> None:
    # A2 is best on it4, A3 on it3: 40 / 10 = 4 each; A1 is as good on both: 2 and 2.
    assert counts(thai(32, 40)) == [0, 0, 6, 6]


def test_a_type_dearer_than_the_budget_is_not_the_best() -> None:
    assert counts(cloud([bag("A", (1, 100))], [kind("dear", 9, 1), kind("poor", 2, 5)], budget=8)) == [0, 4]


def test_of_two_equally_fast_types_the_cheaper_is_the_best() -> None:
    assert counts(cloud([bag("A", (1, 100))], [kind("dear", 3, 5), kind("cheap", 2, 5)], budget=6)) == [0, 3]


def test_thrifty_starts_from_the_least_money_for_the_work() -> None:
    instance = cloud([bag("A", (1, 100))], [kind("fast", 9, 5), kind("thrifty", 2, 10)], budget=18)
    assert (counts(instance), counts(instance, thrifty=True)) == ([2, 0], [0, 9])


def test_unlimited_money_buys_no_more_vms_than_can_help() -> None:
    # 20 tasks of 10 s and one of 100 s: with six VMs nothing ends after 100 s, longest task first.
    assert counts(cloud([bag("A", (1, 20), (10, 1))], [kind("t", 1, 10)])) == [6]


def test_limits_on_vms_hold() -> None:
    types = [kind("a", 1, 1, None), kind("b", 1, None, 1), kind("both", 1, 9, 9)]
    bags = [bag("A", (1, 50)), bag("B", (1, 50))]
    assert counts(cloud(bags, types, budget=10)) == [10, 10, 0]
    assert counts(cloud(bags, types, budget=10, max_vms=5)) == [2, 2, 0]
    assert counts(cloud(bags, types, budget=10, max_vms=1)) == [0, 0, 1], "one VM must run both"
    capped = [kind("a", 1, 1, None, limit=3), *types[1:]]
    assert counts(cloud(bags, capped, budget=10)) == [3, 10, 0]
