"""The bound on mean ALoR: against every binding on tiny systems, and below every policy on larger ones."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from planner.grid import simulation
from planner.grid.distribution import Choices, Exponential, Lognormal, Uniform
from planner.grid.policy import Policy
from planner.grid.system import (
    Arrivals,
    CapacityChange,
    Crash,
    Drawn,
    Event,
    GridSystem,
    counted_schedulers,
)
from planner.grid.workload import Workload, draw
from solvers import catalog
from solvers.grid import prices
from solvers.grid.kernels.slots import least_cost, sums_of_least
from solvers.grid.offered import Offered, deserted, offered
from solvers.grid.policies.clds import CLDS
from solvers.grid.policies.dealt import Dealt
from solvers.grid.policies.earliest import EarliestCompletion
from solvers.grid.policies.least_load import LeastLoad
from solvers.grid.policies.min_min import MinMin
from solvers.grid.policies.osl import OSL
from solvers.grid.policies.random import RandomSelection
from solvers.grid.system_bound import SystemBound, lagrangian, released
from tests.solvers.grid.offline import capacities, optimum, tiny, workload

ROUNDED = 1 + 1e-12


def bound(world: Workload) -> float:
    found = SystemBound().lower(world)
    assert found.mean_alor is not None, found.reason
    return found.mean_alor


def filled(length: Fraction, records: int, ceiling: Fraction, initial: Fraction, price: Fraction) -> Fraction:
    """The cheapest filling of priced slots, slot by slot: the definition behind the closed form."""
    slots = sorted((Fraction(k + 1) / initial + price, ceiling) for k in range(records))
    total = Fraction(0)
    for cost, room in [*slots, (Fraction(records) / initial, length)]:
        if cost <= Fraction(records) / initial:
            used = min(room, length)
            total += used * cost
            length -= used
    return total


def eighths(chance: random.Random) -> float:
    """Numbers with which doubles are exact."""
    return chance.randint(1, 60) / 8


def power(chance: random.Random) -> float:
    """Capacities by which doubles divide exactly."""
    return 2.0 ** chance.randint(-2, 3)


def exact_total(world: Workload, price: list[Fraction]) -> Fraction:
    """The Lagrangian's value by its definition, in fractions."""
    table = capacities(world)
    initial = [Fraction(number) for number in world.capacity.tolist()]
    ceiling = [max(row) or start for row, start in zip(table, initial, strict=True)]
    gained = Fraction(0)
    for step in range(world.steps):
        for job in range(world.first[step], world.first[step + 1]):
            length = Fraction(world.length[job])
            gained += min(
                filled(length, world.steps - step, *each)
                for each in zip(ceiling, initial, price, strict=True)
            )
    return gained - sum(each * sum(row) for each, row in zip(price, table, strict=True))


def check_closed_form(chance: random.Random) -> None:
    ceiling, initial = power(chance), power(chance)
    length, records = eighths(chance), chance.randint(1, 12)
    scaled = chance.choice((0.0, chance.randint(0, 100) / 8))
    exact = filled(
        Fraction(length), records, Fraction(ceiling), Fraction(initial), Fraction(scaled) / Fraction(initial)
    )
    found = least_cost(length, float(records), ceiling, ceiling / initial, scaled)
    assert Fraction(found) == exact


def check_any_prices(chance: random.Random) -> None:
    world = tiny(chance, lambda: chance.randint(1, 40) / chance.choice((1, 3, 7, 10)))
    least = optimum(world)
    resources = offered(world)
    jobs = released(world, resources)
    for _ in range(5):
        drawn = [chance.choice((0.0, chance.expovariate(1.0))) for _ in world.capacity]
        exact = exact_total(world, [Fraction(price) for price in drawn])
        assert exact <= least * world.steps * world.capacity.size
        found = lagrangian(jobs, resources, np.array(drawn))
        assert found <= exact
        scale = float(exact) + 2 * float(np.dot(drawn, resources.total))
        assert found == pytest.approx(float(exact), rel=0, abs=1e-7 * scale)


def check_lower(chance: random.Random) -> None:
    world = tiny(chance, lambda: chance.randint(1, 40) / chance.choice((1, 3, 7, 10)))
    assert Fraction(bound(world)) <= optimum(world)


CHECKS = pytest.mark.parametrize("check", [check_closed_form, check_any_prices, check_lower])


@CHECKS
@pytest.mark.parametrize("seed", range(100))
def test_random_cases(check, seed):
    check(random.Random(seed))


@pytest.mark.slow
@CHECKS
@pytest.mark.parametrize("seed", range(100, 3100, 100))
def test_more_random_cases(check, seed):
    for each in range(seed, seed + 100):
        check(random.Random(each))


def test_bound_is_near_the_optimum_of_tiny_systems():
    """A bound of 0 would be valid, too."""
    ratios = []
    for seed in range(60):
        chance = random.Random(seed)
        world = tiny(chance, lambda chance=chance: chance.randint(1, 40) / 4)
        ratios.append(bound(world) / float(optimum(world)))
    assert np.mean(ratios) > 0.85


def test_lone_job_is_exact():
    # 5 units at capacity 2: the records are 5/2, 3/2 and 1/2.
    assert bound(workload([2.0], [(1, 5.0)], 6)) == pytest.approx(4.5 / 6, rel=1e-8)


def test_work_that_is_never_served():
    assert bound(workload([1.0], [(0, 100.0)], 3)) == pytest.approx((100 + 99 + 98) / 3, rel=1e-8)
    outage = [CapacityChange(0, 0, 0.0)]
    assert bound(workload([2.0], [(0, 3.0)], 4, outage)) == pytest.approx(1.5, rel=1e-8)


def test_capacity_that_comes_late():
    events = [CapacityChange(2, 0, 8.0)]
    world = workload([1.0], [(0, 10.0)], 5, events)
    assert 0 < Fraction(bound(world)) <= optimum(world) == Fraction(10 + 9 + 8, 5)


def test_last_change_of_a_step_counts_and_changes_after_the_end_do_not():
    events = [CapacityChange(1, 0, 50.0), CapacityChange(1, 0, 3.0), CapacityChange(4, 0, 70.0)]
    found = offered(workload([2.0], [(0, 1.0)], 4, events))
    assert found.ceiling == pytest.approx([3.0])
    assert found.total == pytest.approx([2 + 3 * 3])


def test_no_jobs():
    assert bound(workload([1.0, 2.0], [], 4)) == 0.0


def test_jobs_that_a_simulation_finishes_in_no_time_do_not_count():
    world = workload([1.0], [(0, 1e-10)] * 5 + [(0, 0.5)], 2)
    run = simulation.run(world, EarliestCompletion())
    assert bound(world) <= run.mean
    assert bound(workload([1.0], [(0, 1e-10)], 2)) == 0.0


def test_a_simulation_rounds_less_than_the_bound_gives_up():
    world = workload([1.0], [(0, 1.0 + 0.9e-9)], 2)
    assert bound(world) <= simulation.run(world, EarliestCompletion()).mean


def test_none_where_jobs_are_rejected():
    crashes = [Crash(1, 1), Crash(1, 1), Crash(2, None)]
    world = workload([1.0], [(0, 1.0), (2, 1.0)], 4, crashes, schedulers=2)
    found = SystemBound().lower(world)
    assert found.mean_alor is None
    assert found.reason == "from step 2 on no scheduler is left: jobs that arrive are rejected"
    assert simulation.run(world, LeastLoad()).jobs.rejected == 1
    before = workload([1.0], [(0, 1.0), (1, 1.0)], 4, crashes, schedulers=2)
    assert bound(before) > 0
    assert simulation.run(before, LeastLoad()).jobs.rejected == 0


@pytest.mark.parametrize("seed", range(30))
def test_deserted_is_when_simulations_reject(seed):
    chance = random.Random(seed)
    schedulers, steps = chance.randint(1, 4), 8
    events = [
        Crash(chance.randrange(steps), chance.choice((None, *range(schedulers))))
        for _ in range(chance.randint(0, 7))
    ]
    jobs = [(step, 1.0) for step in range(steps)]
    world = workload([5.0], jobs, steps, events, schedulers)
    assert simulation.run(world, LeastLoad()).jobs.rejected == steps - deserted(world)


def test_none_beyond_doubles():
    found = SystemBound().lower(workload([1e-200], [(0, 1e200)], 4))
    assert found.mean_alor is None
    assert found.reason is not None


def test_pruning_keeps_every_minimum():
    chance = np.random.default_rng(3)
    length, records = chance.uniform(1, 50, 400), np.floor(chance.uniform(1, 60, 400))
    capacity, scaled = chance.uniform(1, 10, 30), chance.exponential(3.0, 30)
    factor = chance.uniform(0.5, 2.0, 30)
    order = np.argsort(length)
    length, records = length[order], records[order]
    expected = [
        min(least_cost(p, k, *row) for row in zip(capacity, factor, scaled, strict=True))
        for p, k in zip(length, records, strict=True)
    ]
    for block in (1, 7, 400):
        bounds = np.append(np.arange(0, 400, block), 400)
        found = sums_of_least(length, records, capacity, factor, scaled, bounds)
        assert math.fsum(found) == pytest.approx(math.fsum(expected), rel=1e-13)


def test_prices_raise_the_bound():
    world = draw(system(load=0.9), 1)
    resources = offered(world)
    jobs = released(world, resources)
    unpriced = lagrangian(jobs, resources, np.zeros(world.capacity.size))
    priced = lagrangian(jobs, resources, prices.steady(jobs.length, world.steps, resources))
    assert priced > 1.5 * unpriced > 0


def test_no_prices_where_the_program_fails():
    one = np.array([1.0])
    assert prices.steady(np.array([1e300]), 3, Offered(one, one, 3 * one)) == pytest.approx([0.0])


def test_overload_has_prices():
    world = draw(system(load=1.5, steps=200), 1)
    assert bound(world) > 10


def test_is_in_the_catalog():
    assert isinstance(catalog.system_bound(), SystemBound)


def system(load=0.8, steps=300, events: tuple[Event, ...] = (), length=None, capacity=None) -> GridSystem:
    return GridSystem(
        "random",
        counted_schedulers(5),
        steps,
        Drawn(12, capacity or Uniform(1, 10)),
        Arrivals(load, length or Uniform(10, 100)),
        events=events,
    )


EVENTS = (
    CapacityChange(50, 2, 0.0),
    CapacityChange(120, 2, 6.0),
    CapacityChange(80, 5, 20.0),
    CapacityChange(0, 7, 0.0),
    CapacityChange(200, 7, 9.0),
    Crash(100, None),
)

SYSTEMS = {
    "steady": system(),
    "heavy": system(load=0.95),
    "light": system(load=0.1),
    "overload": system(load=1.3, steps=100),
    "short": system(steps=5),
    "events": system(events=EVENTS),
    "lognormal": system(length=Lognormal(2.0, 1.5)),
    "exponential": system(length=Exponential(3.0), capacity=Choices((1.0, 8.0), (3.0, 1.0))),
}

POLICIES: tuple[Policy, ...] = (
    RandomSelection(),
    LeastLoad(),
    EarliestCompletion(),
    MinMin(),
    MinMin(knowledge="global"),
    CLDS(),
    OSL(),
    Dealt(),
)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", SYSTEMS)
def test_below_every_policy(name, seed):
    world = draw(SYSTEMS[name], seed)
    least = bound(world)
    assert least > 0
    for policy in POLICIES:
        assert least <= simulation.run(world, policy).mean * ROUNDED, policy


@pytest.mark.slow
@pytest.mark.parametrize(("load", "least"), [(0.6, 1.7), (0.9, 3.5)])
def test_value_at_scale(load, least):
    large = GridSystem(
        "large",
        counted_schedulers(300),
        3000,
        Drawn(1200, Uniform(1, 10)),
        Arrivals(load, Uniform(10, 100)),
    )
    assert bound(draw(large, 1)) > least
