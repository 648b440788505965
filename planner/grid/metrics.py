"""What a run of a policy on a grid system came to; each metric is defined once, here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.grid.compiled import kernel
from planner.grid.policy import Floats, Ints

WINDOW = 100
"""Steps before and after an event over which its ALoR is averaged."""


@dataclass(frozen=True, slots=True)
class JobCounts:
    """Where the jobs are at the end: arrived = finished + running + queued + rejected."""

    arrived: int
    finished: int
    running: int
    queued: int
    rejected: int


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and 95th percentile."""

    mean: float
    p95: float


@dataclass(frozen=True, slots=True)
class Happened:
    """An event, and the mean ALoR in the `WINDOW` steps before it and from it on; None where none are."""

    step: int
    what: str
    alor_before: float | None
    alor_after: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Metrics:
    """What came of one run.

    `series` (steps,) is ALoR, the mean over resources of work left / initial capacity, after the jobs of the
    step were placed and before service. `messages` is the mean a step. `response` is completion - arrival
    of finished jobs, in steps; None where none was. `fairness` is the mean over steps of Jain's index
    (sum x)^2 / (n sum x^2) of the loads, 1 where all are 0. `utilisation` is work done / capacity offered.
    `makespan` is when the last job was finished, None where the arrivals have no end, some job is left or
    there is none.
    `regret` is the policy's total completion time of a step's jobs over the least possible in the same state,
    minus 1, over the steps with jobs in which no job went to a resource without capacity; None where it was
    not asked for or there are none.
    """

    series: Floats
    jobs: JobCounts
    messages: float
    response: Spread | None
    fairness: float
    utilisation: float
    makespan: float | None
    regret: Spread | None
    events: tuple[Happened, ...]

    @property
    def mean(self) -> float:
        """ALoR over all steps."""
        return float(self.series.mean())

    @property
    def last_quarter(self) -> float:
        """ALoR over the last quarter of the steps, at least one."""
        return float(self.series[-max(1, self.series.size // 4) :].mean())


def spread(values: Floats | Sequence[float]) -> Spread | None:
    """Mean and 95th percentile, linearly interpolated; None of nothing."""
    array = np.asarray(values)
    return None if array.size == 0 else Spread(float(array.mean()), float(np.percentile(array, 95)))


def happened(step: int, what: str, series: Floats) -> Happened:
    """The event with the ALoR around it."""
    before, after = series[max(0, step - WINDOW) : step], series[step : step + WINDOW]
    return Happened(
        step,
        what,
        float(before.mean()) if before.size else None,
        float(after.mean()) if after.size else None,
    )


@kernel
def loads(work: Floats, capacity: Floats) -> tuple[float, float]:
    """Mean load and Jain's index of the loads; `capacity` is the initial one."""
    total, squares = 0.0, 0.0
    for i in range(work.size):
        load = work[i] / capacity[i]
        total += load
        squares += load * load
    jain = 1.0 if squares == 0.0 else total * total / (work.size * squares)
    return total / work.size, jain


@kernel
def distinct(values: Ints, most: int) -> int:
    """How many different values there are, all of them from 0 to `most` - 1."""
    seen = np.zeros(most, dtype=np.bool_)
    count = 0
    for value in values:
        if not seen[value]:
            seen[value] = True
            count += 1
    return count


@kernel
def flow(work: Floats, capacity: Floats, resource: Ints, order: Ints, length: Floats) -> float:
    """Total completion time of jobs that enter queues with that `work` before them, in `order`.

    Infinite where a job goes to a resource whose present `capacity` is 0.
    """
    ahead = work.copy()
    total = 0.0
    for job in order:
        i = resource[job]
        if capacity[i] <= 0.0:
            return np.inf
        ahead[i] += length[job]
        total += ahead[i] / capacity[i]
    return total
