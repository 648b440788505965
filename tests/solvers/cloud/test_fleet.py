"""Numbers of tasks on VMs, turned into plans with names, and back."""

from __future__ import annotations

import dataclasses
from collections import Counter
from fractions import Fraction

import pytest

from planner.cloud.checker import check
from planner.cloud.instance import Application, CloudInstance, TaskGroup
from planner.cloud.plan import PlannedTasks, PlannedVM
from solvers.cloud import fleet
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.ticks import Ticks
from tests.instances import bag, cloud, kind


@pytest.fixture
def ticks() -> Ticks:
    return Ticks.of(cloud([bag("A", (1, 6), (2, 2))], [kind("t", 1, 10), kind("u", 2, 5)]))


def test_makespan_and_cost(ticks: Ticks) -> None:
    vms = [LoadedVM(0, (4, 0)), LoadedVM(1, (2, 2))]
    assert ticks.seconds(fleet.makespan(ticks, vms)) == 40
    assert ticks.money(fleet.cost(ticks, vms)) == 3


def test_like_vms_stand_together_by_type_and_longest_first(ticks: Ticks) -> None:
    vms = [
        LoadedVM(1, (1, 0)),
        LoadedVM(0, (1, 0)),
        LoadedVM(0, (1, 1)),
        LoadedVM(0, (1, 0)),
        LoadedVM(1, (0, 1)),
    ]
    assert [
        (vm.type, vm.count, [(t.size, t.count) for t in vm.tasks]) for vm in fleet.plan(ticks, vms).vms
    ] == [
        ("t", 1, [(1, 1), (2, 1)]),
        ("t", 2, [(1, 1)]),
        ("u", 1, [(2, 1)]),
        ("u", 1, [(1, 1)]),
    ]


def test_the_order_of_the_vms_changes_nothing(ticks: Ticks) -> None:
    vms = [LoadedVM(0, (2, 0)), LoadedVM(1, (3, 1)), LoadedVM(0, (1, 1))]
    assert fleet.plan(ticks, vms) == fleet.plan(ticks, vms[::-1]) == fleet.plan(ticks, Counter(vms))


def test_a_counter_gives_how_often_each_vm_occurs(ticks: Ticks) -> None:
    plan = fleet.plan(ticks, Counter({LoadedVM(0, (3, 1)): 2}))
    assert (plan.fleet, check(ticks.instance, plan).valid) == ({"t": 2}, True)


def test_a_vm_without_tasks_is_not_rented(ticks: Ticks) -> None:
    assert fleet.plan(ticks, [LoadedVM(0, (6, 2)), LoadedVM(1, (0, 0))]).fleet == {"t": 1}


def test_loaded_is_the_way_back(ticks: Ticks) -> None:
    vms = [LoadedVM(0, (2, 1)), LoadedVM(0, (2, 1)), LoadedVM(1, (2, 0))]
    assert Counter(fleet.loaded(ticks, fleet.plan(ticks, vms))) == Counter(vms)


def _named() -> CloudInstance:
    groups = (
        TaskGroup(Fraction(1), 2, ("a", "b")),
        TaskGroup(Fraction(1), 2),
        TaskGroup(Fraction(1), 1, ("c",)),
    )
    return dataclasses.replace(
        cloud([bag("A", (1, 1))], [kind("t", 1, 10)]), applications=(Application("A", groups),)
    )


def test_ids_are_handed_out_in_the_order_of_the_file_and_their_vms_stand_alone() -> None:
    ticks = Ticks.of(_named())
    plan = fleet.plan(ticks, [LoadedVM(0, (2,)), LoadedVM(0, (2,)), LoadedVM(0, (1,))])
    one = Fraction(1)
    assert plan.vms == (
        PlannedVM("t", (PlannedTasks("A", one, 2, ("a", "b")),)),
        PlannedVM("t", (PlannedTasks("A", one, 1, ("c",)), PlannedTasks("A", one, 1))),
        PlannedVM("t", (PlannedTasks("A", one, 1),)),
    )
    assert check(ticks.instance, plan).valid
    assert Counter(fleet.loaded(ticks, plan)) == {LoadedVM(0, (2,)): 2, LoadedVM(0, (1,)): 1}
