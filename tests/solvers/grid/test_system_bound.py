"""The bound on mean ALoR: against every binding on tiny systems, and below every policy on larger ones."""

from __future__ import annotations

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
from solvers.grid.kernels.slots import evenly_priced, lower_to_cheapest, priced
from solvers.grid.kernels.windows import least_prices
from solvers.grid.offered import deserted, offered
from solvers.grid.policies.clds import CLDS
from solvers.grid.policies.dealt import Dealt
from solvers.grid.policies.earliest import EarliestCompletion
from solvers.grid.policies.least_load import LeastLoad
from solvers.grid.policies.min_min import MinMin
from solvers.grid.policies.osl import OSL
from solvers.grid.policies.random import RandomSelection
from solvers.grid.price_paths import price_path, rounded
from solvers.grid.prices import BURSTS, CHANGING, STEADY, Prices, prices
from solvers.grid.system_bound import SystemBound, lagrangian, released
from tests.solvers.grid.offline import capacities, optimum, tiny, workload

ROUNDED = 1 + 1e-12


def bound(world: Workload) -> float:
    found = SystemBound().lower(world)
    assert found.mean_alor is not None, found.reason
    return found.mean_alor


def filled(length: Fraction, ceiling: Fraction, slots: list[Fraction], unserved: Fraction) -> Fraction:
    """The cheapest filling of slots that take up to `ceiling` each, slot by slot: the definition."""
    total = Fraction(0)
    for cost in sorted(slots):
        if cost < unserved:
            used = min(ceiling, length)
            total += used * cost
            length -= used
    return total + length * unserved


def exact_total(world: Workload, price: list[list[Fraction]]) -> Fraction:
    """The Lagrangian's value by its definition, in fractions; price[i][t] is that of work in load."""
    table = capacities(world)
    initial = [Fraction(number) for number in world.capacity.tolist()]
    gained = Fraction(0)
    for step in range(world.steps):
        for job in range(world.first[step], world.first[step + 1]):
            gained += min(
                filled(
                    Fraction(world.length[job]),
                    max(served) or start,
                    [(t - step + 1) / start + row[t] for t in range(step, world.steps)],
                    (world.steps - step) / start,
                )
                for start, served, row in zip(initial, table, price, strict=True)
            )
    paid = sum(
        cost * served
        for row, each in zip(price, table, strict=True)
        for cost, served in zip(row, each, strict=True)
    )
    return gained - paid


def thirds(chance: random.Random) -> float:
    return chance.randint(1, 40) / chance.choice((1, 3, 7, 10))


def check_even_prices(chance: random.Random) -> None:
    slots, records, price = chance.randint(1, 99) / 8, chance.randint(1, 12), chance.randint(0, 99) / 8
    costs = [k + 1 + Fraction(price) for k in range(records)]
    exact = filled(Fraction(slots), Fraction(1), costs, Fraction(records))
    assert Fraction(evenly_priced(slots, float(records), price)) == exact


def check_prices_in_time(chance: random.Random) -> None:
    slots, steps = chance.randint(1, 99) / 8, chance.randint(1, 12)
    prefix, reached = [0.0], 0.0
    for t in range(steps):
        reached = max(reached, t + chance.choice((0.0, chance.randint(0, 24) / 8)))
        prefix.append(prefix[-1] + min(reached, steps - 1) - t)
    step = chance.randrange(steps)
    costs = [t - step + 1 + Fraction(prefix[t + 1]) - Fraction(prefix[t]) for t in range(step, steps)]
    exact = filled(Fraction(slots), Fraction(1), costs, Fraction(steps - step))
    assert Fraction(priced(slots, step, np.array(prefix))) == exact


def check_any_prices(chance: random.Random) -> None:
    """Whatever the prices are, in whatever order, the definition is no greater than the optimum."""
    world = tiny(chance, lambda: thirds(chance))
    least = optimum(world) * world.steps * world.capacity.size
    for _ in range(5):
        price = [
            [chance.choice((0, 1, 1)) * Fraction(thirds(chance)) / 4 for _ in range(world.steps)]
            for _ in world.capacity
        ]
        assert exact_total(world, price) <= least


def check_lagrangian(chance: random.Random) -> None:
    """The fast evaluation is the definition's, less what is given up."""
    world = tiny(chance, lambda: thirds(chance))
    resources = offered(world)
    inner = chance.sample(range(1, world.steps), chance.randint(0, world.steps - 1))
    edges = np.array([0, *sorted(inner), world.steps])
    slot = np.array([[chance.choice((0, 1)) * thirds(chance) for _ in edges[1:]] for _ in world.capacity])
    chosen = Prices(edges, slot)
    price = [
        [Fraction(each) / Fraction(start) for each in price_path(rounded(chosen), resources, i)]
        for i, start in enumerate(world.capacity.tolist())
    ]
    exact = exact_total(world, price)
    assert exact <= optimum(world) * world.steps * world.capacity.size
    found = lagrangian(released(world, resources), resources, chosen)
    assert Fraction(found) <= exact
    paid = sum(float(sum(row)) for row in price) * 40
    assert found == pytest.approx(float(exact), rel=0, abs=1e-8 * (float(exact) + 2 * paid))


def check_lower(chance: random.Random) -> None:
    world = tiny(chance, lambda: thirds(chance))
    assert Fraction(bound(world)) <= optimum(world)


CHECKS = pytest.mark.parametrize(
    "check", [check_even_prices, check_prices_in_time, check_any_prices, check_lagrangian, check_lower]
)


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
    assert found.within(np.array([0, 2, 4])) == pytest.approx(np.array([[2 + 3, 3 + 3]]))
    assert found.each_step() == pytest.approx([2, 3, 3, 3])


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
    steps, edges = 60, np.array([0, 20, 45, 60])
    capacity, factor = chance.uniform(1, 10, 30), chance.uniform(0.5, 2.0, 30)
    floor = np.floor(chance.exponential(3.0, (30, 3)) * 8) / 8
    reached = np.maximum.accumulate(np.arange(steps) + np.repeat(floor, np.diff(edges), axis=1), axis=1)
    prefix = np.zeros((30, steps + 1))
    np.cumsum(np.minimum(reached, steps - 1) - np.arange(steps), axis=1, out=prefix[:, 1:])
    length, step = np.sort(chance.uniform(1, 50, 400)), chance.integers(0, steps, 400)
    expected = [
        min(scale * priced(p / c, a, row) for c, scale, row in zip(capacity, factor, prefix, strict=True))
        for p, a in zip(length, step, strict=True)
    ]
    for order in (np.arange(400), np.lexsort((length, step // 10))):
        for block in (1, 7, 400):
            least = np.full(400, np.inf)
            blocks = np.append(np.arange(0, 400, block), 400)
            lower_to_cheapest(
                length[order], step[order], blocks, capacity, factor, prefix, edges, floor, least
            )
            assert least == pytest.approx(np.array(expected)[order], rel=1e-13)


def test_least_prices_of_one_window_are_those_of_a_steady_flow():
    # Value 30 for a job of 8 units: on capacity 4 its two slots add 3, on capacity 1 its eight slots add 36.
    found = least_prices(
        np.ones(2), np.array([4.0, 1.0]), np.array([0.0, 40.0]), np.array([20.0]), np.array([0]),
        np.array([8.0]), np.array([[30.0]]),
    )  # fmt: skip
    assert found == pytest.approx(np.array([[(30 - 3) / 2], [0.0]]))


@pytest.mark.parametrize("seed", range(20))
def test_price_paths_let_work_be_served_in_order(seed):
    chance = random.Random(seed)
    world = tiny(chance, lambda: thirds(chance))
    resources = offered(world)
    half = (world.steps + 1) // 2
    edges = np.unique([0, half, world.steps])
    slot = np.array([[thirds(chance) for _ in edges[1:]] for _ in world.capacity])
    for resource in range(world.capacity.size):
        path = price_path(rounded(Prices(edges, slot)), resources, resource)
        reached = path + np.arange(world.steps)
        assert (path >= 0).all()
        assert (np.diff(reached) >= 0).all()
        assert reached.max() <= world.steps - 1


def test_prices_raise_the_bound():
    world = draw(system(load=0.9), 1)
    resources = offered(world)
    jobs = released(world, resources)
    unpriced = lagrangian(jobs, resources, free(world))
    for detail in (STEADY, CHANGING, BURSTS):
        found = lagrangian(jobs, resources, prices(jobs.length, jobs.step, resources, detail))
        assert found > 1.5 * unpriced > 0


def test_prices_follow_a_burst():
    jobs = [(0, 10.0)] * 40
    world = workload([1.0, 2.0, 4.0], jobs, 400)
    resources = offered(world)
    each = released(world, resources)
    steady, changing = (
        lagrangian(each, resources, prices(each.length, each.step, resources, detail))
        for detail in (STEADY, CHANGING)
    )
    assert changing > 5 * steady
    splits = [(a, b, 40 - a - b) for a in range(41) for b in range(41 - a)]
    best = min(
        sum(max(0.0, 10 * jobs / c - t) for jobs, c in zip(split, (1, 2, 4), strict=True) for t in range(99))
        for split in splits
    )
    assert 0.9 < bound(world) * 400 * 3 / best <= 1


def test_an_outage_is_waited_for():
    events = [CapacityChange(10, 0, 0.0), CapacityChange(60, 0, 2.0)]
    world = workload([2.0], [(10, 4.0), (30, 4.0)], 100, events)
    assert bound(world) == pytest.approx(float(optimum(world)), rel=0.02)


def test_no_prices_where_the_program_fails():
    world = workload([1.0], [(0, 1e300)], 3)
    found = prices(world.length, np.array([0]), offered(world), STEADY)
    assert found.slot == pytest.approx(free(world).slot)


def free(world: Workload) -> Prices:
    return Prices(np.array([0, world.steps]), np.zeros((world.capacity.size, 1)))


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
