"""BALANCE: the longest VM hands on or swaps until it cannot end earlier."""

from solvers.cloud.pipeline.balance import balance
from tests.instances import bag, cloud, kind
from tests.solvers.cloud.pipeline.fleets import coins, fleet, money, seconds


def test_moves_even_out_equal_vms() -> None:
    rented = fleet(cloud([bag("A", (1, 9))], [kind("t", 1, 10)]), (0, {0: 9}), (0, {}), (0, {}))
    balance(rented, None)
    assert seconds(rented) == [30, 30, 30]


def test_moves_even_out_unequal_types() -> None:
    instance = cloud([bag("A", (1, 9))], [kind("fast", 2, 10), kind("slow", 1, 20)])
    rented = fleet(instance, (0, {0: 9}), (1, {}))
    balance(rented, None)
    assert seconds(rented) == [60, 60]


def test_the_move_that_makes_the_least_work_comes_first() -> None:
    # On the other type A takes three times as long, B only as long.
    instance = cloud([bag("A", (1, 4)), bag("B", (1, 4))], [kind("s", 1, 10, 10), kind("t", 1, 30, 10)])
    rented = fleet(instance, (0, {0: 4, 1: 4}), (1, {}))
    balance(rented, None)
    assert rented.tasks == [{0: 4}, {1: 4}]


def test_a_swap_helps_where_no_move_does() -> None:
    # 50 + 30 against 40 + 20: no move helps, 50 for 40 makes it 70 and 70.
    instance = cloud([bag("A", (2, 1), (3, 1), (4, 1), (5, 1))], [kind("t", 1, 10)])
    rented = fleet(instance, (0, {3: 1, 1: 1}), (0, {2: 1, 0: 1}))
    balance(rented, None)
    assert seconds(rented) == [70, 70]


def test_both_gain_where_tasks_sit_on_the_wrong_types() -> None:
    instance = cloud([bag("A", (1, 5)), bag("B", (1, 5))], [kind("a", 1, 10, 30), kind("b", 1, 30, 10)])
    rented = fleet(instance, (0, {1: 5}), (1, {0: 5}))
    balance(rented, None)
    assert seconds(rented) == [50, 50]


def test_the_bill_stays_within_the_limit() -> None:
    instance = cloud([bag("A", (1, 10))], [kind("t", 1, 10)])
    rented = fleet(instance, (0, {0: 10}), (0, {}), (0, {}))
    balance(rented, coins(rented, 2))
    assert (seconds(rented), money(rented)) == ([50, 50], 2)


def test_a_plan_over_the_limit_does_not_get_dearer() -> None:
    rented = fleet(cloud([bag("A", (1, 10))], [kind("t", 1, 10)]), (0, {0: 10}), (0, {}))
    balance(rented, coins(rented, 0))
    assert (seconds(rented), money(rented)) == ([100], 1)
