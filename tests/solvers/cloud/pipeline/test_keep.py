"""KEEP: two VMs for one hour each in place of one for two."""

from solvers.cloud.pipeline.keep import keep
from tests.instances import bag, cloud, kind
from tests.solvers.cloud.pipeline.fleets import coins, fleet, money, seconds

TASKS = [bag("A", (1, 8))]
BY_THE_HOUR = cloud(TASKS, [kind("t", 1, 900)])


def test_two_hours_become_two_vms_at_the_same_cost() -> None:
    rented = fleet(BY_THE_HOUR, (0, {0: 8}))
    keep(rented, coins(rented, 2))
    assert (seconds(rented), money(rented)) == ([3600, 3600], 2)


def test_a_vm_within_its_hour_stays() -> None:
    rented = fleet(BY_THE_HOUR, (0, {0: 4}))
    keep(rented, coins(rented, 99))
    assert seconds(rented) == [3600]


def test_the_budget_stops_it() -> None:
    # Six tasks run 1.5 hours and cost 2; as 3 + 3 they still do. Nine quarters cost 3; as 5 + 4 too.
    rented = fleet(cloud([bag("A", (1, 5))], [kind("t", 1, 900, fee=1)]), (0, {0: 5}))
    keep(rented, coins(rented, 3))
    assert (seconds(rented), money(rented)) == ([4500], 3), "a second fee would cost 4"


def test_all_is_undone_where_the_makespan_stays() -> None:
    # Only one of the two longest VMs could be split.
    instance = cloud(TASKS, [kind("t", 1, 900)], max_vms=3)
    rented = fleet(instance, (0, {0: 8}), (0, {0: 8}))
    keep(rented, None)
    assert seconds(rented) == [7200, 7200]


def test_billing_by_the_second_splits_as_long_as_startups_can_be_paid() -> None:
    # 80 s of work at 1 a second; each VM adds 10 s of startup: 120 pay for four VMs.
    instance = cloud([bag("A", (1, 8))], [kind("t", 3600, 10)], startup=10, quantum=1)
    rented = fleet(instance, (0, {0: 8}))
    keep(rented, coins(rented, 120))
    assert (seconds(rented), money(rented)) == ([30, 30, 30, 30], 120)


def test_odd_tasks_go_to_the_shorter_half() -> None:
    instance = cloud([bag("A", (1, 3), (2, 3))], [kind("t", 1, 1000)])
    rented = fleet(instance, (0, {0: 3, 1: 3}))
    keep(rented, coins(rented, 4))
    # 5000 + 4000, and these again: hours that are split cost nothing.
    assert (seconds(rented), money(rented)) == ([3000, 3000, 2000, 1000], 4)
