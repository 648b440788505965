"""Packing by construction: a plan within makespan, quanta and fleet comes out, and it mostly does."""

from __future__ import annotations

import dataclasses

import pytest

from planner import files
from planner.cloud.checker import check
from planner.solver import Effort
from solvers.cloud import fleet
from solvers.cloud.packing import construct, spread
from solvers.cloud.relaxation import Mix, relax
from solvers.cloud.ticks import Ticks
from solvers.cloud.units import in_units
from tests.brute_force import truth
from tests.instances import SHIPPED, bag, cloud, kind, random_instance


def test_every_vm_is_filled_to_the_last_tick() -> None:
    # 7 + 3 and 6 + 4 are the only ways to put 20 s of work on two VMs by 10 s.
    ticks = Ticks.of(cloud([bag("A", (3, 1), (4, 1), (6, 1), (7, 1))], [kind("t", 1, 1)]))
    vms = construct(ticks, 10, Mix((2,), (2,), ((1, 1, 1, 1),)))
    assert vms is not None
    assert sorted(vm.content for vm in vms) == [(0, 1, 1, 0), (1, 0, 0, 1)]


def test_it_gives_up_where_there_is_no_packing() -> None:
    # 5, 5 and 8 are 18 s of work on two VMs, but 9 s is no sum of them.
    ticks = Ticks.of(cloud([bag("A", (5, 2), (8, 1))], [kind("t", 1, 1)]))
    assert construct(ticks, 9, Mix((2,), (2,), ((2, 1),))) is None


def test_no_vm_passes_its_share_of_the_quanta() -> None:
    # Three quanta of 10 s for two VMs: one may run 20 s, the other 10 s.
    ticks = Ticks.of(cloud([bag("A", (5, 6))], [kind("t", 1, 1)], quantum=10))
    vms = construct(ticks, 4, Mix((2,), (3,), ((6,),)))  # ticks of 5 s
    assert vms is not None
    assert sorted(vm.content for vm in vms) == [(2,), (4,)]
    assert construct(ticks, 4, Mix((2,), (2,), ((6,),))) is None


def test_where_time_costs_nothing_quanta_do_not_bind() -> None:
    ticks = Ticks.of(cloud([bag("A", (5, 6))], [kind("t", 0, 1)], quantum=10))
    assert construct(ticks, 4, Mix((2,), (2,), ((6,),))) is not None


def test_spreading_keeps_the_work_of_each_type_and_mixes_the_sizes() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 10), (5, 10))], [kind("t", 1, 1), kind("u", 1, 1)]))
    lopsided = Mix((1, 1), (1, 1), ((10, 4), (0, 6)))  # all small tasks on one type
    (t_small, t_large), (u_small, u_large) = spread(ticks, 60, ticks, lopsided).tasks
    assert t_small + 5 * t_large == u_small + 5 * u_large == 30
    assert (t_small + u_small, t_large + u_large) == (10, 10)
    assert min(t_small, u_small) >= 3


def test_types_that_cannot_run_the_longest_task_by_then_get_none() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 10), (5, 2))], [kind("slow", 1, 2), kind("fast", 1, 1)]))
    mix = spread(ticks, 8, in_units(ticks), Mix((1, 1), (1, 1), ((4,), (16,))))
    assert mix.tasks == ((4, 0), (6, 2))


def test_what_the_papers_models_promise_is_packed_at_once() -> None:
    """On thai2015-160 with 40 the fleet of the bound, 3360 s, is packed without a search."""
    ticks = Ticks.of(files.read(SHIPPED / "cloud" / "thai2015-160" / "b40.json"))
    units = in_units(ticks)
    found = relax(units, 3360, Effort(), budget=ticks.budget)
    assert found.mix is not None
    vms = construct(ticks, 3360, spread(ticks, 3360, units, found.mix))
    assert vms is not None
    assert fleet.makespan(ticks, vms) == 3360
    verdict = check(ticks.instance, fleet.plan(ticks, vms))
    assert (verdict.valid, verdict.makespan, verdict.cost) == (True, 3360, 40)


def test_most_mixes_of_small_instances_are_packed_and_none_wrongly() -> None:
    tried = packed = 0
    for seed in range(150):
        instance = random_instance(seed)
        ticks = Ticks.of(instance)
        optimum = truth(instance).optimum(instance.budget)
        if optimum is None:
            continue
        makespan = int(optimum[0] / ticks.seconds_per_tick)
        mix = relax(ticks, makespan, Effort(), budget=ticks.budget).mix
        assert mix is not None
        for candidate in (mix, spread(ticks, makespan, ticks, mix)):
            vms = construct(ticks, makespan, candidate)
            tried += 1
            if vms is not None:
                packed += 1
                verdict = check(dataclasses.replace(instance, budget=None), fleet.plan(ticks, vms))
                assert verdict.valid
                assert verdict.makespan is not None
                assert verdict.makespan <= optimum[0]
                for t in ticks.types:
                    assert sum(1 for vm in vms if vm.kind == t and any(vm.content)) <= candidate.vms[t]
    assert packed > 0.7 * tried


@pytest.mark.parametrize("count", [1, 7, 100])
def test_many_tasks_of_one_class_are_dealt_evenly(count: int) -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 3 * count))], [kind("t", 1, 1)]))
    vms = construct(ticks, count, Mix((3,), (3,), ((3 * count,),)))
    assert vms is not None
    assert [vm.content for vm in vms] == [(count,)] * 3
