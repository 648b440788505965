"""Tiny drawn systems, and the least mean ALoR of any binding of their jobs, found by trying all, exactly."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from planner.grid.system import CapacityChange, Event
from planner.grid.workload import Workload


def workload(
    capacity: Sequence[float],
    jobs: Sequence[tuple[int, float]],
    steps: int,
    events: Sequence[Event] = (),
    schedulers: int = 1,
) -> Workload:
    """The workload of those (step, length) jobs, all at the first scheduler."""
    jobs = sorted(jobs, key=lambda job: job[0])
    counts = np.bincount([step for step, _ in jobs], minlength=steps) if jobs else np.zeros(steps, int)
    return Workload(
        seed=1,
        steps=steps,
        schedulers=schedulers,
        capacity=np.array(capacity, dtype=np.float64),
        first=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        scheduler=np.zeros(len(jobs), dtype=np.int64),
        length=np.array([length for _, length in jobs], dtype=np.float64),
        finite=True,
        events=tuple(sorted(events, key=lambda event: event.step)),
        resource_names=tuple(f"r{number + 1}" for number in range(len(capacity))),
        scheduler_names=tuple(f"s{number + 1}" for number in range(schedulers)),
    )


def tiny(chance: random.Random, number: Callable[[], float]) -> Workload:
    """A random system small enough to try every binding; `number` draws its lengths and capacities."""
    steps, count = chance.randint(1, 7), chance.randint(1, 3)
    jobs = [(chance.randrange(steps), number()) for _ in range(chance.randint(1, 5))]
    events = [
        CapacityChange(
            chance.randrange(steps + 2), chance.randrange(count), 0.0 if chance.random() < 0.5 else number()
        )
        for _ in range(chance.choice((0, 0, 1, 2, 4)))
    ]
    return workload([number() for _ in range(count)], jobs, steps, events)


def capacities(world: Workload) -> list[list[Fraction]]:
    """Of each resource, its capacity in each step."""
    table = [[Fraction(initial)] * world.steps for initial in world.capacity.tolist()]
    for event in world.events:
        assert isinstance(event, CapacityChange)
        for step in range(event.step, world.steps):
            table[event.resource][step] = Fraction(event.capacity)
    return table


def optimum(world: Workload) -> Fraction:
    """The least mean ALoR over all bindings.

    The work at one resource does not depend on the order of service, and is least in every record where the
    resource serves all it can: serving work later leaves no less of it. So each binding has one value.
    """
    table = capacities(world)
    jobs = [
        (step, Fraction(world.length[job]))
        for step in range(world.steps)
        for job in range(world.first[step], world.first[step + 1])
    ]
    resources = range(world.capacity.size)
    # One resource's loads depend on its own jobs alone, so each subset is valued once.
    value = {
        (resource, subset): _loads(subset, jobs, table[resource]) / Fraction(world.capacity[resource])
        for resource in resources
        for size in range(len(jobs) + 1)
        for subset in itertools.combinations(range(len(jobs)), size)
    }
    least = min(
        sum(
            (
                value[resource, tuple(job for job, bound_to in enumerate(binding) if bound_to == resource)]
                for resource in resources
            ),
            start=Fraction(0),
        )
        for binding in itertools.product(resources, repeat=len(jobs))
    )
    return least / world.steps / world.capacity.size


def _loads(subset: Sequence[int], jobs: list[tuple[int, Fraction]], capacity: list[Fraction]) -> Fraction:
    work, total = Fraction(0), Fraction(0)
    for step, served in enumerate(capacity):
        work += sum(jobs[job][1] for job in subset if jobs[job][0] == step)
        total += work
        work = max(Fraction(0), work - served)
    return total
