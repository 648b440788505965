"""REDUCE: whole VMs go, their tasks move where they cost nothing."""

from solvers.cloud.pipeline.reduce import reduce
from tests.instances import bag, cloud, kind
from tests.solvers.cloud.pipeline.fleets import coins, fleet, money, seconds

HOURLY = cloud([bag("A", (1, 9))], [kind("a", 1, 1000), kind("b", 2, 800)])


def test_the_shortest_vm_goes_until_the_budget_holds() -> None:
    rented = fleet(HOURLY, (0, {0: 1}), (0, {0: 2}), (0, {0: 2}))
    reduce(rented, coins(rented, 2), local=True)
    assert (seconds(rented), money(rented)) == ([3000, 2000], 2)


def test_nothing_happens_within_the_budget() -> None:
    rented = fleet(HOURLY, (0, {0: 1}), (0, {0: 1}))
    reduce(rented, coins(rented, 2), local=True)
    assert seconds(rented) == [1000, 1000]


def test_no_vm_goes_where_that_would_not_save_money() -> None:
    # Three full hours: moving one VM's tasks opens an hour on each of the other two.
    rented = fleet(HOURLY, (0, {0: 3}), (0, {0: 3}), (0, {0: 3}))
    reduce(rented, coins(rented, 2), local=False)
    assert (seconds(rented), money(rented)) == ([3000, 3000, 3000], 3)


def test_local_mode_stays_within_the_type_and_global_mode_does_not() -> None:
    vms = (0, {0: 1}), (1, {0: 2})
    local = fleet(HOURLY, *vms)
    reduce(local, coins(local, 2), local=True)
    assert local.counts == [1, 1]
    reduce(local, coins(local, 2), local=False)
    assert (local.counts, seconds(local)) == ([0, 1], [2400])


def test_a_vm_that_cannot_run_the_tasks_receives_none() -> None:
    instance = cloud([bag("A", (1, 1)), bag("B", (1, 1))], [kind("a", 1, 10, None), kind("b", 1, 10, 10)])
    rented = fleet(instance, (0, {0: 1}), (1, {1: 1}))
    reduce(rented, coins(rented, 1), local=False)
    assert rented.tasks == [{1: 1, 0: 1}]


def test_too_many_vms_go_at_any_cost() -> None:
    instance = cloud([bag("A", (1, 6))], [kind("a", 1, 1200)], max_vms=1)
    rented = fleet(instance, (0, {0: 3}), (0, {0: 3}))
    reduce(rented, None, local=True)
    assert (seconds(rented), money(rented)) == ([7200], 2)


def test_under_a_ceiling_the_makespan_stays() -> None:
    rented = fleet(HOURLY, (0, {0: 2}), (0, {0: 1}), (0, {0: 1}))
    reduce(rented, coins(rented, 0), local=False, ceiling=rented.makespan)
    assert seconds(rented) == [2000, 2000]
