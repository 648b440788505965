"""Tasks cut into equal units: one class an application, the same work, never less possible."""

from __future__ import annotations

import pytest

from planner.solver import Effort
from solvers.cloud.relaxation import relax
from solvers.cloud.ticks import Ticks
from solvers.cloud.units import in_units
from solvers.cpsat import Outcome
from tests.brute_force import truth
from tests.instances import bag, cloud, kind, random_instance


def test_the_unit_is_the_largest_size_that_divides_all() -> None:
    instance = cloud([bag("A", (4, 2), (6, 1)), bag("B", ("0.5", 3), ("0.75", 2))], [kind("t", 1, 5, 8)])
    units = in_units(Ticks.of(instance))
    assert units.labels == ((0, 2), (1, instance.applications[1].tasks[0].size / 2))
    assert units.counts == (2 * 2 + 3, 3 * 2 + 2 * 3)
    assert [units.seconds(time or 0) for time in units.times[0]] == [10, 2]


def test_a_type_that_cannot_run_an_application_still_cannot() -> None:
    instance = cloud(
        [bag("A", (2, 1), (3, 1)), bag("B", (1, 1))], [kind("t", 1, None, 3), kind("u", 1, 4, None)]
    )
    assert in_units(Ticks.of(instance)).times == ((None, 3), (4, None))


@pytest.mark.parametrize("seed", range(60))
def test_work_in_all_is_the_same(seed: int) -> None:
    ticks = Ticks.of(random_instance(seed))
    units = in_units(ticks)
    for fine, row in zip(units.times, ticks.times, strict=True):
        assert sum(n * (time or 0) for n, time in zip(units.counts, fine, strict=True)) == sum(
            n * (time or 0) for n, time in zip(ticks.counts, row, strict=True)
        )


@pytest.mark.parametrize("seed", range(60))
def test_what_a_plan_can_do_units_can_do(seed: int) -> None:
    instance = random_instance(seed)
    optimum = truth(instance).optimum(instance.budget)
    if optimum is not None:
        ticks = Ticks.of(instance)
        makespan = int(optimum[0] / ticks.seconds_per_tick)
        assert (
            relax(in_units(ticks), makespan, Effort(), budget=ticks.budget).outcome is not Outcome.INFEASIBLE
        )
