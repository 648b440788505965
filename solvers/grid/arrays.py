"""A step as float64 arrays, for the kernels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from planner.grid.step import GridStep
from solvers.grid.kernels.matching import Floats

ROUNDING = Fraction(1, 2**53)
"""The share by which one operation on doubles, or one conversion to them, is off at most."""


@dataclass(frozen=True, slots=True)
class Arrays:
    """Backlogs, capacities and lengths in the order of the step, each the nearest double to its fraction.

    `limit` is the most new jobs on one resource; the number of jobs where the step has no limit.
    """

    backlog: Floats
    capacity: Floats
    lengths: Floats
    limit: int

    @classmethod
    def of(cls, step: GridStep) -> Arrays:
        """The arrays of that step."""
        limit = step.max_jobs_per_resource
        return cls(
            _doubles(resource.backlog for resource in step.resources),
            _doubles(resource.capacity for resource in step.resources),
            _doubles(job.length for job in step.jobs),
            len(step.jobs) if limit is None else min(limit, len(step.jobs)),
        )


def _doubles(values: Iterable[Fraction]) -> Floats:
    return np.array([float(value) for value in values], dtype=np.float64)
