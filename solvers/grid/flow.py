"""The least flow of a step, and how much of the kernel's value is certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from planner.grid.step import GridStep
from solvers.grid.arrays import ROUNDING, Arrays
from solvers.grid.kernels.flow import least_flow, needed

LARGEST_TABLE = 2 * 10**9  # choices the kernel remembers, a bit each: 250 MB, and two to three seconds


@dataclass(frozen=True, slots=True)
class Flow:
    """For each resource its new jobs in the order of service, and a certified lower bound on any flow."""

    queues: Sequence[Sequence[int]]
    bound: Fraction


def choices(arrays: Arrays) -> int:
    """How many choices `best` would have to remember: jobs x spare positions."""
    jobs = arrays.lengths.size
    depths = needed(arrays.backlog, arrays.capacity, np.sort(arrays.lengths), arrays.limit)
    return int(jobs * (depths.sum() - jobs + 1))


def best(arrays: Arrays) -> Flow:
    """A plan of least flow, up to rounding, for a step with enough places.

    The bound: with u = 2^-53, a cost (L + k·p)/C computed from doubles that are off by u each, in five
    roundings of positive numbers, is off by a factor of at most (1 + u)^6; adding up n costs makes that
    (1 + u)^(n + 8) with room to spare. The kernel's value is the least of such sums, so the least flow is at
    least value·(1 + u)^-(n + 8) >= value·(1 - (n + 8)·u): 8e-14 below it for 700 jobs.
    """
    resource, turn, value = least_flow(arrays.backlog, arrays.capacity, arrays.lengths, arrays.limit)
    queues: list[list[int]] = [[] for _ in range(arrays.capacity.size)]
    for job in np.argsort(turn, kind="stable").tolist():
        queues[resource[job]].append(job)
    return Flow(queues, Fraction(value) * (1 - (arrays.lengths.size + 8) * ROUNDING))


def cheap_bound(step: GridStep) -> Fraction:
    """A lower bound for steps too large for `best`.

    The better of two: each job alone on a resource that were the fastest and the first to be free; and all
    jobs, shortest first, on one resource that has all the capacity, for when j jobs are done at least the
    work of the j shortest is.
    """
    count = len(step.jobs)
    rising = sorted(job.length for job in step.jobs)
    fastest = max(resource.capacity for resource in step.resources)
    free = min(resource.backlog / resource.capacity for resource in step.resources)
    pooled = sum(((count - j) * length for j, length in enumerate(rising)), Fraction(0))
    return max(
        count * free + sum(rising, Fraction(0)) / fastest,
        pooled / sum(resource.capacity for resource in step.resources),
    )
