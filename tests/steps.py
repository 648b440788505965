"""Grid steps for tests: short ways to write one down, small random ones, and the truth about tiny ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, product

from planner.goal import Goal
from planner.grid.step import GridStep, Job, Resource
from tests.instances import Number, number


def grid_step(
    resources: Sequence[tuple[Number, Number]], lengths: Sequence[Number], limit: int | None = None
) -> GridStep:
    """A step with `(capacity, backlog)` for each resource r1, r2, … and jobs j1, j2, … of those lengths."""
    return GridStep(
        "step",
        tuple(
            Resource(f"r{i}", number(capacity), number(backlog))
            for i, (capacity, backlog) in enumerate(resources, start=1)
        ),
        tuple(Job(f"j{i}", number(length)) for i, length in enumerate(lengths, start=1)),
        limit,
    )


def random_step(rng: random.Random, most_jobs: int = 8, most_resources: int = 5) -> GridStep:
    """A small step: whole numbers, decimals or doubles; ties; no, some or huge backlogs; a limit or none."""
    resources, jobs = rng.randint(1, most_resources), rng.randint(0, most_jobs)
    parts = rng.choice([1, 1, 10, 1000])

    def decimal(low: int, high: int) -> Fraction:
        return Fraction(max(1, rng.randint(low * parts, high * parts)), parts)

    capacities = [decimal(0, 6) for _ in range(resources)]
    kind = rng.random()
    if kind < 0.3:
        capacities = [capacities[0]] * resources
    elif kind < 0.5:
        capacities = [Fraction(rng.uniform(0.1, 10)) for _ in range(resources)]
    largest = rng.choice([0, 0, 5, 20, 10**12])
    backlogs = [decimal(0, largest) if largest else Fraction(0) for _ in range(resources)]
    longest = rng.choice([1, 2, 9, 60])
    lengths = [decimal(0, longest) for _ in range(jobs)]
    if rng.random() < 0.1:
        lengths = [Fraction(10 ** rng.uniform(-4, 4)) for _ in range(jobs)]
    limit = rng.choice([None, None, 1, 2])
    return grid_step(list(zip(capacities, backlogs, strict=True)), lengths, limit)


def realistic_step(jobs: int, resources: int, seed: int = 1, longest_queue: float = 100) -> GridStep:
    """Capacities U[1, 10], lengths U[10, 100] as doubles, backlogs U[0, longest_queue]."""
    rng = random.Random(seed)
    machines = [
        (Fraction(rng.uniform(1, 10)), Fraction(rng.uniform(0, longest_queue))) for _ in range(resources)
    ]
    return grid_step(machines, [Fraction(rng.uniform(10, 100)) for _ in range(jobs)])


def truth(step: GridStep) -> dict[Goal, Fraction] | None:
    """The least value of each goal, by trying every way and every order; None: there are too few places."""
    best: dict[Goal, Fraction] | None = None
    limit = step.max_jobs_per_resource
    for picks in product(range(len(step.resources)), repeat=len(step.jobs)):
        queues: list[list[Fraction]] = [[] for _ in step.resources]
        for job, pick in zip(step.jobs, picks, strict=True):
            queues[pick].append(job.length)
        if limit is not None and any(len(queue) > limit for queue in queues):
            continue
        ends = [
            (one.backlog + sum(queue)) / one.capacity
            for one, queue in zip(step.resources, queues, strict=True)
        ]
        values = {
            Goal.FLOW: sum(
                (_least_flow(*of) for of in zip(step.resources, map(tuple, queues), strict=True)), Fraction(0)
            ),
            Goal.MAKESPAN: max(ends),
            Goal.LOAD: sum((max(Fraction(0), end - 1) for end in ends), Fraction(0)) / len(ends),
        }
        best = values if best is None else {goal: min(values[goal], best[goal]) for goal in values}
    return best


@lru_cache(10_000)
def _least_flow(resource: Resource, lengths: tuple[Fraction, ...]) -> Fraction:
    """The least total completion time of these jobs there, over all orders."""
    totals = []
    for order in permutations(lengths):
        end = resource.backlog
        total = Fraction(0)
        for length in order:
            end += length
            total += end
        totals.append(total / resource.capacity)
    return min(totals)


def close(value: Fraction | None, other: Fraction | None) -> bool:
    """Whether the two are one value on the grid, within 1e-9; None is no value."""
    if value is None or other is None:
        return False
    return abs(value - other) <= abs(other) / 10**9
