"""REPLACE: more, cheaper VMs for the same money."""

from solvers.cloud.pipeline.estimate import Estimate
from solvers.cloud.pipeline.replace import replace
from tests.instances import bag, cloud, kind
from tests.solvers.cloud.pipeline.fleets import coins, fleet, money, seconds


def test_the_papers_example() -> None:
    """IV-G: two it2 end after 50 s where one it1 ends after 80 s, for the same 2."""
    instance = cloud([bag("A1", (1, 10))], [kind("it1", 2, 8), kind("it2", 1, 10)], budget=2)
    rented = fleet(instance, (0, {0: 10}))
    assert seconds(rented) == [80]
    assert replace(rented, coins(rented, 2), Estimate(rented.ticks))
    assert (rented.counts, seconds(rented), money(rented)) == ([0, 2], [50, 50], 2)


def test_what_is_left_of_the_budget_is_spent_too() -> None:
    instance = cloud([bag("A1", (1, 12))], [kind("it1", 2, 8), kind("it2", 1, 10)], budget=3)
    rented = fleet(instance, (0, {0: 12}))
    assert replace(rented, coins(rented, 3), Estimate(rented.ticks))
    assert (rented.counts, seconds(rented)) == ([0, 3], [40, 40, 40])


def test_no_replacement_where_none_ends_earlier() -> None:
    instance = cloud([bag("A1", (1, 10))], [kind("it1", 2, 8), kind("it2", 1, 20)], budget=2)
    rented = fleet(instance, (0, {0: 10}))
    assert not replace(rented, coins(rented, 2), Estimate(rented.ticks))
    assert seconds(rented) == [80]


def test_several_vms_go_together_where_one_alone_does_not_help() -> None:
    # Either VM alone leaves the other at 80 s.
    types = [kind("it1", 2, 8), kind("it2", 1, 10)]
    rented = fleet(cloud([bag("A1", (7, 1), (3, 20))], types, budget=4), (0, {0: 10}), (0, {0: 10}))
    assert replace(rented, coins(rented, 4), Estimate(rented.ticks))
    assert (rented.counts, seconds(rented)) == ([0, 4], [150, 150, 150, 150])


def test_over_budget_a_lower_cost_is_an_improvement() -> None:
    instance = cloud([bag("A1", (1, 10))], [kind("it1", 5, 8), kind("it2", 1, 100)], budget=5)
    rented = fleet(instance, (0, {0: 5}), (0, {0: 5}))
    assert money(rented) == 10
    assert replace(rented, coins(rented, 5), Estimate(rented.ticks))
    assert money(rented) <= 6


def test_limits_hold() -> None:
    types = [kind("it1", 2, 8), kind("it2", 1, 10, limit=1)]
    rented = fleet(cloud([bag("A1", (1, 10))], types, budget=2), (0, {0: 10}))
    assert not replace(rented, coins(rented, 2), Estimate(rented.ticks))


def test_a_lower_cost_alone_is_no_reason() -> None:
    """IV-G: "if the budget is still satisfied and the overall execution time is reduced"."""
    types = [kind("it1", 5, 10), kind("it2", 1, 10)]
    rented = fleet(cloud([bag("A1", (1, 1), (10, 1))], types, budget=10), (0, {1: 1}), (0, {0: 1}))
    assert not replace(rented, coins(rented, 10), Estimate(rented.ticks))
