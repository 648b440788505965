"""What a seed makes of a system: the same for all, each draw from a source of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from planner.errors import Unsupported
from planner.grid.distribution import Constant, Exponential, Uniform
from planner.grid.system import CapacityChange, Drawn, Scheduler
from planner.grid.workload import MOST_JOBS, Workload, arrival_rate, draw
from tests.grid.systems import drawn, traced

SYSTEM = drawn(schedulers=5, resources=8, steps=400)

FIRST = [0, 0, 1, 1, 2, 2]
SCHEDULER = [3, 2, 4, 2, 0, 2]
CAPACITY = [5.606394622302311, 9.554173266933418]
LENGTH = [11.266177489926957, 22.294738051455845]


def same(one: Workload, other: Workload, *names: str) -> list[bool]:
    return [np.array_equal(getattr(one, name), getattr(other, name)) for name in names]


def test_a_seed_makes_the_same_arrays_and_another_one_others() -> None:
    names = ("capacity", "first", "scheduler", "length")
    assert same(draw(SYSTEM, 7), draw(SYSTEM, 7), *names) == [True] * 4
    assert same(draw(SYSTEM, 7), draw(SYSTEM, 8), *names) == [False] * 4


def test_numbers_of_a_seed_do_not_change_between_versions() -> None:
    world = draw(SYSTEM, 1)
    assert world.first[:6].tolist() == FIRST
    assert world.scheduler[:6].tolist() == SCHEDULER
    assert world.capacity[:2].tolist() == CAPACITY
    assert world.length[:2].tolist() == LENGTH


def test_more_steps_leave_all_earlier_draws_as_they_are() -> None:
    short, long = draw(replace(SYSTEM, steps=150), 3), draw(SYSTEM, 3)
    jobs = short.length.size
    assert np.array_equal(short.capacity, long.capacity)
    assert np.array_equal(short.first, long.first[:151])
    assert np.array_equal(short.scheduler, long.scheduler[:jobs])
    assert np.array_equal(short.length, long.length[:jobs])


def test_more_schedulers_change_who_gets_a_job_and_nothing_else() -> None:
    more = replace(SYSTEM, schedulers=drawn(schedulers=9).schedulers)
    assert same(draw(SYSTEM, 3), draw(more, 3), "capacity", "first", "length", "scheduler") == [
        True,
        True,
        True,
        False,
    ]


def test_lengths_of_the_same_mean_leave_arrivals_as_they_are() -> None:
    other = replace(SYSTEM, jobs=replace(SYSTEM.jobs, length=Constant(55)))
    assert same(draw(SYSTEM, 3), draw(other, 3), "capacity", "first", "scheduler", "length") == [
        True,
        True,
        True,
        False,
    ]


def test_other_capacities_leave_lengths_and_schedulers_as_they_are() -> None:
    other = replace(SYSTEM, resources=Drawn(8, Exponential(5)))
    one, two = draw(SYSTEM, 3), draw(other, 3)
    jobs = min(one.length.size, two.length.size)
    assert not np.array_equal(one.capacity, two.capacity)
    assert np.array_equal(one.length[:jobs], two.length[:jobs])
    assert np.array_equal(one.scheduler[:jobs], two.scheduler[:jobs])


def test_the_mean_of_arrivals_is_load_times_capacity_over_length() -> None:
    system = drawn(resources=8, steps=40_000, load=0.6, length=Uniform(10, 100), capacity=Constant(5))
    rate = 0.6 * 8 * 5 / 55
    assert arrival_rate(system.jobs, 40.0) == pytest.approx(rate)  # type: ignore[arg-type]
    counts = np.diff(draw(system, 1).first)
    # Poisson: variance = mean. 40,000 steps: the standard error of the mean is 0.5 % of rate^0.5.
    assert counts.mean() == pytest.approx(rate, abs=5 * np.sqrt(rate / 40_000))
    assert counts.var() == pytest.approx(rate, rel=0.05)
    assert np.corrcoef(counts[:-1], counts[1:])[0, 1] == pytest.approx(0, abs=0.025)


def test_equal_weights_share_the_jobs_equally_and_others_in_proportion() -> None:
    jobs = draw(replace(SYSTEM, steps=20_000), 1).scheduler
    assert np.bincount(jobs) / jobs.size == pytest.approx(np.full(5, 1 / 5), abs=0.015)
    weighted = replace(SYSTEM, steps=20_000, schedulers=(Scheduler("a", 1), Scheduler("b", 3)))
    jobs = draw(weighted, 1).scheduler
    assert np.bincount(jobs) / jobs.size == pytest.approx([0.25, 0.75], abs=0.02)


def test_equal_weights_of_any_size_draw_alike() -> None:
    heavy = replace(SYSTEM, schedulers=tuple(replace(one, weight=7.5) for one in SYSTEM.schedulers))
    assert np.array_equal(draw(heavy, 3).scheduler, draw(SYSTEM, 3).scheduler)


def test_a_trace_is_taken_as_it_is_whatever_the_seed() -> None:
    system = traced([2, 1], [(0, 3.5, 1), (0, 1, 0), (3, 2, 1)], 5, schedulers=2)
    world = draw(system, 99)
    assert world.first.tolist() == [0, 2, 2, 2, 3, 3]
    assert world.scheduler.tolist() == [1, 0, 1]
    assert world.length.tolist() == [3.5, 1, 2]
    assert world.capacity.tolist() == [2, 1]
    assert (world.finite, draw(SYSTEM, 1).finite) == (True, False)


def test_a_trace_of_no_jobs() -> None:
    world = draw(traced([2], [], 3), 1)
    assert (world.first.tolist(), world.length.size) == ([0, 0, 0, 0], 0)


def test_events_stand_in_the_order_of_steps_and_those_of_one_step_as_given() -> None:
    events = [CapacityChange(5, 0, 3.0), CapacityChange(2, 0, 2.0), CapacityChange(5, 0, 1.0)]
    world = draw(traced([2], [], 9, events=events), 1)
    assert [(event.step, event.capacity) for event in world.events] == [(2, 2.0), (5, 3.0), (5, 1.0)]  # type: ignore[union-attr]


def test_more_jobs_than_memory_holds_are_refused_before_they_are_drawn() -> None:
    # 8 resources of 5: 40 units a step, jobs of 1e-6: 3.2e7 jobs a step, in 400 steps 1.3e10.
    system = drawn(resources=8, capacity=Constant(5), length=Constant(1e-6), steps=400)
    with pytest.raises(Unsupported, match=r"drawn: about 1\.28e\+10 jobs are more than can be held"):
        draw(system, 1)
    assert MOST_JOBS == 100_000_000
