"""What one learner can know of the resources from reports alone: bounds on their capacities, and their load.

Every scheduler reports in each step the length it submitted to each resource, the length of its own jobs
finished there, and its longest job. Time is counted from two moments for each resource: `since`, when its
busy period began, and `head_since`, when the job in service got there. A busy period begins with a step, so
that moment is known; a job that follows another begins somewhere within the step before, and its moment is
the start of the next step with a `slack` of one step.

With D the length finished since a moment in step b with slack s, when a job is finished in step t the time
that took is more than t - b and at most t - b + 1 + s:

    D / (t - b + 1 + s) <= C < D / (t - b).

While something is left after service in step t, less was served than submitted, and of the job in service
less than the longest job there has been: C < S / (t - b + 1), C < longest / (t - head_since + 1).

Bounds are intersected over time. Where they cross, the capacity has changed, and all is forgotten but what
the job just finished says. Where they cross because nothing is finished any more, the resource is down or
nearly so, and the bound falls with every further step; the first job finished then starts all anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.grid.compiled import kernel
from planner.grid.policy import Floats, Ints

_ROUNDING = 1e-9
"""A share by which sums of lengths, and bounds, may be off."""


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """Arrays over resources that `report` changes.

    `since`, `slack`, `head_since`, `head_slack` in steps as above; `submitted` and `finished` lengths since
    `since`; `outstanding` what is not finished; `least` and `most` bounds on the capacity; `unsure` where the
    job in service has been there for an unknown time.
    """

    since: Ints
    slack: Ints
    head_since: Ints
    head_slack: Ints
    submitted: Floats
    finished: Floats
    outstanding: Floats
    least: Floats
    most: Floats
    unsure: NDArray[np.bool_]

    @classmethod
    def blank(cls, resources: int) -> Reports:
        """Nothing is known, and nothing is outstanding."""
        since, slack, head_since, head_slack = np.zeros((4, resources), dtype=np.int64)
        submitted, finished, outstanding, least = np.zeros((4, resources))
        most = np.full(resources, np.inf)
        unsure = np.zeros(resources, dtype=np.bool_)
        return cls(
            since, slack, head_since, head_slack, submitted, finished, outstanding, least, most, unsure
        )

    @classmethod
    def handed_over(cls, outstanding: Floats) -> Reports:
        """All that a new learner has: what is outstanding, which every scheduler tells it once."""
        fresh = cls.blank(outstanding.size)
        fresh.submitted[:] = outstanding
        fresh.outstanding[:] = outstanding
        fresh.unsure[:] = outstanding > 0
        return fresh

    def take(self, step: int, new: Floats, done: Floats, longest: float) -> None:
        """Take in the step's reports, summed over schedulers: `new` and `done` (resources,) lengths."""
        _take(
            self.since, self.slack, self.head_since, self.head_slack, self.submitted, self.finished,
            self.outstanding, self.least, self.most, self.unsure, step, new, done, longest,
        )  # fmt: skip

    def speeds(self, before: Floats | None) -> Floats | None:
        """An estimate of each capacity: the middle of its bounds where it has both.

        Else what it was estimated at `before` the last takeover, or the mean of those that have both, within
        the bounds. None while nothing is known of any.
        """
        known = (self.least > 0) & np.isfinite(self.most)
        if before is None and not known.any():
            return None
        middle = np.where(known, (self.least + np.where(known, self.most, 0.0)) / 2, 0.0)
        guess = middle[known].mean() if before is None else before
        estimate: Floats = np.where(known, middle, np.clip(guess, self.least, self.most))
        return estimate

    def load(self, step: int, speed: Floats, longest: float) -> Floats:
        """Steps until each resource is empty, after service in this step, at these speeds.

        What is left is what was submitted less what was served; but all that is outstanding except, at most,
        the job in service must still be served in full.
        """
        left = self.submitted - speed * (step + 1 - self.since)
        least = np.maximum(self.outstanding - longest, 0.0)
        load: Floats = np.clip(left, least, self.outstanding) / speed
        return load


@kernel
def _take(
    since: Ints,
    slack: Ints,
    head_since: Ints,
    head_slack: Ints,
    submitted: Floats,
    finished: Floats,
    outstanding: Floats,
    least: Floats,
    most: Floats,
    unsure: NDArray[np.bool_],
    step: int,
    new: Floats,
    done: Floats,
    longest: float,
) -> None:
    for i in range(new.size):
        if outstanding[i] == 0.0:
            if new[i] == 0.0:
                continue
            since[i] = head_since[i] = step
            slack[i] = head_slack[i] = 0
            submitted[i] = finished[i] = 0.0
            unsure[i] = False
        submitted[i] += new[i]
        finished[i] += done[i]
        left = submitted[i] - finished[i]
        outstanding[i] = left if left > _ROUNDING * submitted[i] else 0.0
        low, high = 0.0, np.inf
        near_low, near_high = 0.0, np.inf
        if done[i] > 0.0 and not unsure[i]:
            low, high = _between(finished[i], step - since[i], slack[i])
            near_low, near_high = _between(done[i], step - head_since[i], head_slack[i])
        if outstanding[i] > 0.0 and not unsure[i]:
            high = min(high, submitted[i] / (step - since[i] + 1))
            if done[i] == 0.0:
                high = min(high, longest / max(1, step - head_since[i] + 1))
        low, high = max(least[i], low, near_low), min(most[i], high, near_high)
        if done[i] > 0.0:
            head_since[i] = step + 1
            head_slack[i] = 1
        if done[i] > 0.0 and (unsure[i] or low > high * (1 + _ROUNDING)):
            # The capacity has changed: of the past only the last job counts.
            least[i], most[i] = near_low, near_high
            since[i] = step + 1
            slack[i] = 1
            submitted[i] = outstanding[i]
            finished[i] = 0.0
            unsure[i] = False
        elif low > high * (1 + _ROUNDING):
            # Nothing is finished any more: how long that will last, and what comes then, nobody knows.
            least[i], most[i] = 0.0, high
        else:
            least[i], most[i] = low, high


@kernel
def _between(length: float, elapsed: int, slack: int) -> tuple[float, float]:
    return length / (elapsed + 1 + slack), length / elapsed if elapsed > 0 else np.inf
