"""Grid systems for tests: short ways to write one down, and random ones with events."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from planner.grid.distribution import Constant, Distribution, Uniform
from planner.grid.system import (
    Arrivals,
    CapacityChange,
    Crash,
    Drawn,
    Event,
    GridSystem,
    Machine,
    Trace,
    counted_schedulers,
)

LENGTHS, CAPACITIES = Uniform(10, 100), Uniform(1, 10)


def traced(
    capacity: Sequence[float],
    jobs: Sequence[tuple[int, float] | tuple[int, float, int]],
    steps: int,
    *,
    schedulers: int = 1,
    events: Sequence[Event] = (),
) -> GridSystem:
    """Resources of those capacities, and jobs (step, length) or (step, length, scheduler)."""
    rows = [(job[0], job[1], job[2] if len(job) > 2 else 0) for job in jobs]
    trace = Trace(
        np.array([step for step, _, _ in rows], dtype=np.int64),
        np.array([who for _, _, who in rows], dtype=np.int64),
        np.array([length for _, length, _ in rows], dtype=np.float64),
    )
    machines = tuple(Machine(f"r{number}", value) for number, value in enumerate(capacity, start=1))
    return GridSystem("made", counted_schedulers(schedulers), steps, machines, trace, events=tuple(events))


def drawn(
    *,
    schedulers: int = 4,
    resources: int = 6,
    steps: int = 60,
    load: float = 0.8,
    length: Distribution = LENGTHS,
    capacity: Distribution = CAPACITIES,
    events: Sequence[Event] = (),
) -> GridSystem:
    """A system of which all is drawn."""
    return GridSystem(
        "drawn",
        counted_schedulers(schedulers),
        steps,
        Drawn(resources, capacity),
        Arrivals(load, length),
        events=tuple(events),
    )


def eventful(seed: int) -> GridSystem:
    """A small random system with outages, new capacities and crashes, now and then of all schedulers."""
    chance = random.Random(seed)
    schedulers, resources, steps = chance.randint(1, 5), chance.randint(1, 7), chance.randint(20, 70)
    events: list[Event] = [
        CapacityChange(
            chance.randrange(steps), chance.randrange(resources), chance.choice([0.0, 0.5, 3.0, 12.5])
        )
        for _ in range(chance.randint(0, 6))
    ]
    crashes = chance.choice([0, 1, 2, schedulers + 1])
    events += [
        Crash(chance.randrange(steps), chance.choice([None, *range(schedulers)])) for _ in range(crashes)
    ]
    return drawn(
        schedulers=schedulers,
        resources=resources,
        steps=steps,
        load=chance.choice([0.3, 0.7, 1.0, 1.3]),
        length=chance.choice([Uniform(10, 100), Uniform(0.5, 3), Constant(20)]),
        events=events,
    )
