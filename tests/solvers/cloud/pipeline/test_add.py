"""ADD: the remaining budget becomes empty VMs."""

from solvers.cloud.pipeline.add import add, by_price, by_speed
from solvers.cloud.pipeline.estimate import Estimate
from tests.instances import bag, cloud, kind
from tests.solvers.cloud.pipeline.fleets import coins, fleet, thai


def test_types_by_speed_and_by_price() -> None:
    estimate = Estimate(fleet(thai(32, 40)).ticks)
    assert by_speed(estimate) == [3, 2, 1, 0]  # 31, 34, 36 and 66 s a unit of all three applications
    assert by_price(estimate) == [0, 3, 2, 1]


def test_the_fastest_type_takes_the_money_and_the_next_what_is_left() -> None:
    rented = fleet(thai(32, 45))
    estimate = Estimate(rented.ticks)
    new = add(rented, rented.ticks.budget, by_speed(estimate), estimate)
    assert (rented.counts, list(new)) == ([1, 0, 0, 4], [0, 1, 2, 3, 4])


def test_no_money_no_vm() -> None:
    rented = fleet(thai(32, 40), (3, {0: 1}), (3, {0: 1}), (3, {0: 1}), (3, {0: 1}))
    estimate = Estimate(rented.ticks)
    assert not add(rented, rented.ticks.budget, by_speed(estimate), estimate)


def test_a_type_that_starts_after_the_end_is_left_out() -> None:
    # Five ready VMs end after 400 s; the other type is faster for all, 700 s against 2000 s.
    types = [kind("slow to start", 1, 1, startup=500), kind("ready", 1, 10, startup=0)]
    instance = cloud([bag("A", (10, 20))], types, budget=8)
    rented = fleet(instance, *[(1, {0: 4})] * 5)
    estimate = Estimate(rented.ticks)
    assert by_speed(estimate) == [0, 1]
    add(rented, coins(rented, 8), by_speed(estimate), estimate)
    assert rented.counts == [0, 8]


def test_billing_by_the_second_adds_what_startups_the_rest_can_pay() -> None:
    # 1000 s of work at 1 a second on one VM with 10 s of startup cost 1010: 49 are left, for four startups.
    instance = cloud([bag("A", (1, 100))], [kind("t", 3600, 10)], startup=10, quantum=1, budget=1059)
    rented = fleet(instance, (0, {0: 100}))
    estimate = Estimate(rented.ticks)
    add(rented, rented.ticks.budget, by_speed(estimate), estimate)
    assert rented.counts == [5]


def test_free_machines_stop_at_the_number_of_tasks() -> None:
    rented = fleet(cloud([bag("A", (1, 4))], [kind("own", 0, 10)], budget=0), (0, {0: 4}))
    estimate = Estimate(rented.ticks)
    add(rented, coins(rented, 0), by_speed(estimate), estimate)
    assert rented.counts == [4]
