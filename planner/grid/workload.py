"""What one seed makes of a system: the same capacities, arrivals and lengths for every policy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from planner.errors import Unsupported
from planner.grid.policy import Floats, Ints, seeded
from planner.grid.system import Arrivals, Drawn, Event, GridSystem, Trace

MOST_JOBS = 100_000_000
"""More jobs than this, at 64 bytes each, are refused before anything is drawn."""


class Stream(IntEnum):
    """Independent sources of random numbers of one seed: a change in one draw changes no other."""

    CAPACITY = 0
    ARRIVAL = 1
    SCHEDULER = 2
    LENGTH = 3
    POLICY = 4
    SHARED = 5


@dataclass(frozen=True, slots=True, eq=False)
class Workload:
    """A system with everything random drawn.

    `capacity` (resources,) are the initial ones. The jobs of step t are those from `first[t]` to
    `first[t + 1]`, in arrival order; `scheduler` and `length` (jobs,) tell who gets each and its work.
    `finite`: the jobs are all there will ever be.
    """

    seed: int
    steps: int
    schedulers: int
    capacity: Floats
    first: Ints
    scheduler: Ints
    length: Floats
    finite: bool
    events: tuple[Event, ...]
    resource_names: tuple[str, ...]
    scheduler_names: tuple[str, ...]


def draw(system: GridSystem, seed: int) -> Workload:
    """The workload of that seed. Raises `Unsupported` where it has more jobs than memory can hold."""
    resources = system.resources
    capacity = (
        resources.capacity.draw(seeded(seed, Stream.CAPACITY), resources.count)
        if isinstance(resources, Drawn)
        else np.array([machine.capacity for machine in resources])
    )
    jobs = system.jobs
    if isinstance(jobs, Trace):
        counts = np.bincount(jobs.steps, minlength=system.steps)
        scheduler, length = jobs.schedulers, jobs.lengths
    else:
        counts, scheduler, length = _arrivals(system, jobs, float(capacity.sum()), seed)
    return Workload(
        seed=seed,
        steps=system.steps,
        schedulers=len(system.schedulers),
        capacity=capacity,
        first=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        scheduler=np.asarray(scheduler, dtype=np.int64),
        length=np.asarray(length, dtype=np.float64),
        finite=isinstance(jobs, Trace),
        events=tuple(sorted(system.events, key=lambda event: event.step)),
        resource_names=system.resource_names,
        scheduler_names=tuple(scheduler.name for scheduler in system.schedulers),
    )


def arrival_rate(jobs: Arrivals, capacity: float) -> float:
    """Mean jobs a step: load · total capacity / E[length]."""
    return jobs.load * capacity / jobs.length.mean


def _arrivals(system: GridSystem, jobs: Arrivals, capacity: float, seed: int) -> tuple[Ints, Ints, Floats]:
    """Jobs in each step, and each job's scheduler and length."""
    rate = arrival_rate(jobs, capacity)
    expected = rate * system.steps
    if not expected <= MOST_JOBS:
        raise Unsupported(
            f"{system.name}: about {expected:.3g} jobs are more than can be held in memory "
            f"({MOST_JOBS:,}); simulate fewer steps, or longer jobs"
        )
    counts = seeded(seed, Stream.ARRIVAL).poisson(rate, system.steps).astype(np.int64)
    total = int(counts.sum())
    weights = np.array([scheduler.weight for scheduler in system.schedulers])
    generator = seeded(seed, Stream.SCHEDULER)
    scheduler = (
        generator.integers(0, weights.size, total)
        if (weights == weights[0]).all()
        else generator.choice(weights.size, size=total, p=weights / weights.sum())
    )
    return counts, scheduler.astype(np.int64), jobs.length.draw(seeded(seed, Stream.LENGTH), total)
