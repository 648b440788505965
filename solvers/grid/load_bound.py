"""The certified bound on the load that costs next to nothing, and the plan that comes with it.

With s_i = max(0, C_i - L_i), the work that resource i does within the step beyond its backlog, new work x_i
leaves a load of max(0, L_i/C_i - 1) + max(0, x_i - s_i)/C_i there. Two relaxations, each the better one where
the other is weak (docs/model-grid.md, section 5):

- fluid: lengths may be cut. Work goes where s_i is free, then to the fastest resources, up to `limit` of
  the longest jobs on each. Good where jobs are short beside the capacities.
- whole: the first job on i saves s_i/C_i, also where it is shorter than s_i. A job of length p costs p/C_i,
  less that, so it is a matching of jobs and places. Exact where no job is shorter than the s_i that it saves.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

import numpy as np

from planner.grid.step import GridStep
from solvers.grid.arrays import ROUNDING, Arrays
from solvers.grid.kernels.matching import matched

_FINE = 2**100  # terms of sums are rounded down to such parts: capacities may have no common denominator


def standing(step: GridStep) -> Fraction:
    """The part of the total load that no plan changes, rounded down by 2^-100 a resource."""
    return sum(
        (_down(max(Fraction(0), one.backlog / one.capacity - 1)) for one in step.resources), Fraction(0)
    )


def fluid(step: GridStep) -> Fraction:
    """A lower bound on the load by cutting jobs."""
    longest = sorted((job.length for job in step.jobs), reverse=True)
    most = sum(longest[: step.max_jobs_per_resource], Fraction(0))
    left = sum(longest, Fraction(0))
    free = [min(most, max(Fraction(0), one.capacity - one.backlog)) for one in step.resources]
    left -= sum(free, Fraction(0))
    total = standing(step)
    fastest = sorted(zip((one.capacity for one in step.resources), free, strict=True), reverse=True)
    for capacity, served in fastest:
        if left <= 0:
            break
        taken = min(left, most - served)
        total += _down(taken / capacity)
        left -= taken
    return total / len(step.resources)


def whole(step: GridStep, arrays: Arrays) -> tuple[Sequence[Sequence[int]], Fraction]:
    """A plan and a lower bound on the load, by matching jobs and places.

    Places cost 1 more here than they do, so that no cost is negative and rounding is a matter of factors, as
    in `flow.best`.
    """
    jobs, resources = arrays.lengths.size, arrays.capacity.size
    fastest = np.argsort(-arrays.capacity, kind="stable")
    more = arrays.limit - 1  # jobs on a resource beyond the first
    further = np.repeat(fastest[: -(-jobs // more)], more)[:jobs] if more > 0 else fastest[:0]
    owners = np.concatenate([np.arange(resources), further])
    offsets = np.concatenate([np.minimum(1.0, arrays.backlog / arrays.capacity), np.ones(further.size)])
    steepest = np.argsort(arrays.capacity[owners], kind="stable")
    order = np.argsort(arrays.lengths, kind="stable")
    position, value = matched(offsets[steepest], 1 / arrays.capacity[owners[steepest]], arrays.lengths[order])
    queues: list[list[int]] = [[] for _ in step.resources]
    for job, place in zip(order.tolist(), position.tolist(), strict=True):
        queues[owners[steepest[place]]].append(job)
    matching = Fraction(value) * (1 - (jobs + 8) * ROUNDING) - jobs
    return queues, (standing(step) + matching) / resources


def choices(arrays: Arrays) -> int:
    """How many choices `whole` has to remember."""
    return arrays.lengths.size * (arrays.capacity.size + 1)


def _down(value: Fraction) -> Fraction:
    return Fraction(floor(value * _FINE), _FINE)
