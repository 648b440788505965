"""The complete model of a fleet: a packing with at most these VMs, or the proof that there is none."""

from __future__ import annotations

import pytest

from planner.cloud.checker import check
from planner.solver import Effort
from solvers.cloud import fleet
from solvers.cloud.relaxation import largest_fleet
from solvers.cloud.slots import pack_into
from solvers.cloud.ticks import Ticks
from solvers.cpsat import Outcome
from tests.brute_force import truth
from tests.instances import bag, cloud, kind, random_instance


def test_it_finds_the_one_packing_there_is() -> None:
    ticks = Ticks.of(cloud([bag("A", (3, 1), (4, 1), (6, 1), (7, 1))], [kind("t", 1, 1)]))
    packed = pack_into(ticks, 10, (2,), Effort(), None, None)
    assert packed.vms is not None
    assert sorted(vm.content for vm in packed.vms) == [(0, 1, 1, 0), (1, 0, 0, 1)]


def test_it_proves_that_there_is_none() -> None:
    # 18 s of work, two VMs of 9 s: as much as fits, but no two of 5, 5 and 8 make 9.
    ticks = Ticks.of(cloud([bag("A", (5, 2), (8, 1))], [kind("t", 1, 1)]))
    assert pack_into(ticks, 9, (2,), Effort(), None, None).outcome is Outcome.INFEASIBLE
    assert pack_into(ticks, 9, (3,), Effort(), None, None).outcome is Outcome.OPTIMAL
    assert pack_into(ticks, 10, (2,), Effort(), None, None).outcome is Outcome.OPTIMAL


def test_quanta_are_free_within_the_budget() -> None:
    # Both ways to run six tasks of 5 s on two VMs by 20 s cost 3 or 4 quanta of 10 s.
    ticks = Ticks.of(cloud([bag("A", (5, 6))], [kind("t", 360, 1)], quantum=10))
    assert pack_into(ticks, 4, (2,), Effort(), 3, None).vms is not None
    assert pack_into(ticks, 4, (2,), Effort(), 2, None).outcome is Outcome.INFEASIBLE


def test_fees_minimum_and_start_up_count() -> None:
    # Each VM: 20 s of start-up, so a task of 30 s bills 60 s at 1 a minute, at least 2 minutes; fee 1.
    instance = cloud([bag("A", (1, 2))], [kind("t", 60, 30, fee=1)], startup=20, quantum=60, minimum=100)
    ticks = Ticks.of(instance)
    assert ticks.seconds_per_tick == 10
    assert pack_into(ticks, 5, (2,), Effort(), 6, None).vms is not None
    assert pack_into(ticks, 5, (2,), Effort(), 5, None).outcome is Outcome.INFEASIBLE
    assert pack_into(ticks, 8, (2,), Effort(), 3, None).vms is not None
    assert pack_into(ticks, 8, (2,), Effort(), 2, None).outcome is Outcome.INFEASIBLE


def test_max_vms_binds_over_all_types() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 3))], [kind("t", 1, 10), kind("u", 1, 10)], max_vms=2))
    assert pack_into(ticks, 1, (2, 2), Effort(), None, None).outcome is Outcome.INFEASIBLE
    assert pack_into(ticks, 2, (2, 2), Effort(), None, None).vms is not None


def test_a_fleet_that_runs_nothing_packs_nothing() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 1))], [kind("t", 1, 10)]))
    assert pack_into(ticks, 5, (0,), Effort(), None, None).outcome is Outcome.INFEASIBLE


@pytest.mark.parametrize("seed", range(60))
def test_with_the_largest_fleet_it_decides_as_the_brute_force_does(seed: int) -> None:
    instance = random_instance(seed)
    ticks, found = Ticks.of(instance), truth(instance)
    optimum = found.optimum(instance.budget)
    if optimum is None:
        return
    makespan = int(optimum[0] / ticks.seconds_per_tick)
    most = largest_fleet(ticks, makespan, ticks.budget)
    packed = pack_into(ticks, makespan, most, Effort(), ticks.budget, None)
    assert packed.vms is not None
    verdict = check(instance, fleet.plan(ticks, packed.vms))
    assert (verdict.valid, verdict.makespan) == (True, optimum[0])
    assert pack_into(ticks, makespan - 1, most, Effort(), ticks.budget, None).outcome is Outcome.INFEASIBLE
