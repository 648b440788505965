"""The fleet that the pipeline's functions share."""

from planner.cloud.checker import check
from solvers.cloud.fleet import plan
from solvers.cloud.pipeline.rented import possible
from solvers.cloud.ticks import Ticks
from tests.instances import bag, cloud, kind
from tests.solvers.cloud.pipeline.fleets import fleet, money, seconds

TWO_TYPES = cloud([bag("A", (1, 10), (3, 2))], [kind("slow", 1, 20), kind("fast", 3, 10)], startup=100)


def test_loads_and_bill_follow_the_tasks() -> None:
    rented = fleet(TWO_TYPES, (0, {0: 4}), (1, {0: 6, 1: 2}))
    assert seconds(rented) == [100 + 6 * 10 + 2 * 30, 100 + 4 * 20]
    assert money(rented) == 1 + 3
    rented.give(0, 0, -4)
    assert money(rented) == 3, "an empty VM costs nothing"
    rented.close()
    assert (len(rented), rented.counts) == (1, [0, 1])


def test_the_bill_is_the_checkers() -> None:
    rented = fleet(TWO_TYPES, (0, {0: 10}), (1, {1: 2}))
    verdict = check(TWO_TYPES, plan(rented.ticks, rented.loaded()))
    assert verdict.valid
    assert verdict.cost == rented.ticks.money(rented.cost)
    assert verdict.makespan == rented.ticks.seconds(rented.makespan)


def test_a_copy_changes_nothing_in_the_original() -> None:
    rented = fleet(TWO_TYPES, (0, {0: 4}))
    other = rented.copy()
    other.give(0, 0, 3)
    other.open(1)
    assert (rented.tasks, seconds(rented), rented.counts) == ([{0: 4}], [180], [1, 0])


def test_giving_a_vm_back_takes_it_off_the_bill() -> None:
    rented = fleet(TWO_TYPES, (0, {0: 4}), (1, {0: 6}))
    rented.close([1])
    assert (rented.kind, money(rented)) == ([0], 1)


def test_vacancies_keep_to_every_limit() -> None:
    types = [kind("capped", 1, 1, limit=2), kind("free", 1, 1)]
    rented = fleet(cloud([bag("A", (1, 9))], types, max_vms=4), (0, {0: 1}))
    assert (rented.vacancies(0), rented.vacancies(1)) == (1, 3)
    few = fleet(cloud([bag("A", (1, 2))], types), (1, {0: 1}))
    assert few.vacancies(1) == 1, "no more VMs than tasks"


def test_placements_that_no_plan_can_contain_are_gone() -> None:
    types = [
        kind("late", 1, 60),
        kind("dear", 9, 10),
        kind("sold out", 1, 10, limit=0),
        kind("good", 1, 10),
    ]
    ticks = possible(Ticks.of(cloud([bag("A", (1, 5))], types, budget=5, deadline=50)))
    assert [row[0] is None for row in ticks.times] == [True, True, True, False]
