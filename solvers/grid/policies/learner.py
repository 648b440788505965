"""What one learner can know of the resources from reports alone: speeds within bounds, and the load.

Every scheduler reports in each step the length it submitted to each resource and the length of its own jobs
finished there. A resource is busy while something submitted is not finished. In a busy period that began in
step s, with D the length finished in it so far, a job finished in step s + e ends at some time in
(e, e + 1], during which exactly D was served: D / (e + 1) <= C <= D / e. While something is left after
service in step s + e, less was served than submitted: C < S / (e + 1). Bounds are intersected over time.
Where they cross, the capacity has changed: the bounds start anew, from what the present busy period says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.grid.compiled import kernel
from planner.grid.policy import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """Arrays over resources that `report` changes.

    `since` is the step in which the busy period began, `submitted` and `finished` the lengths in it,
    `outstanding` what is not finished, `least` and `most` the bounds on the capacity.
    """

    since: Ints
    submitted: Floats
    finished: Floats
    outstanding: Floats
    least: Floats
    most: Floats

    @classmethod
    def blank(cls, resources: int) -> Reports:
        """Nothing is known."""
        return cls(
            np.zeros(resources, dtype=np.int64),
            np.zeros(resources),
            np.zeros(resources),
            np.zeros(resources),
            np.zeros(resources),
            np.full(resources, np.inf),
        )


@kernel
def report(
    since: Ints,
    submitted: Floats,
    finished: Floats,
    outstanding: Floats,
    least: Floats,
    most: Floats,
    step: int,
    new: Floats,
    done: Floats,
) -> None:
    """Take in the step's reports, summed over schedulers: `new` and `done` (resources,) lengths."""
    for i in range(new.size):
        if outstanding[i] == 0.0:
            if new[i] == 0.0:
                continue
            since[i] = step
            submitted[i] = 0.0
            finished[i] = 0.0
        submitted[i] += new[i]
        finished[i] += done[i]
        left = submitted[i] - finished[i]
        outstanding[i] = left if left > 1e-9 * submitted[i] else 0.0
        elapsed = step - since[i]
        low, high = 0.0, np.inf
        if done[i] > 0.0:
            low = finished[i] / (elapsed + 1)
            if elapsed > 0:
                high = finished[i] / elapsed
        if outstanding[i] > 0.0:
            high = min(high, submitted[i] / (elapsed + 1))
        least[i] = max(least[i], low)
        most[i] = min(most[i], high)
        if least[i] > most[i] * (1 + 1e-9):
            least[i], most[i] = low, high


def speeds(least: Floats, most: Floats) -> Floats | None:
    """An estimate of each capacity: the middle of its bounds, or the mean of those known, within its bounds.

    None while no capacity is bounded from both sides.
    """
    known = (least > 0) & np.isfinite(most)
    if not known.any():
        return None
    middle = np.where(known, (least + np.where(known, most, 0.0)) / 2, 0.0)
    mean = middle[known].mean()
    estimate: Floats = np.where(known, middle, np.clip(mean, least, most))
    return estimate
