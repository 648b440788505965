"""MCT, minimum completion time: every job goes where it is finished first, by the true queues.

The immediate-mode rule of Maheswaran et al. (1999), on the live queues: jobs of all schedulers in arrival
order, each sees what the ones before it did. A rival with perfect information, not one of the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from planner.grid.compiled import kernel
from planner.grid.policy import (
    Floats,
    Forgetful,
    Ints,
    Knowledge,
    Moment,
    Placement,
    Setting,
    Traffic,
    needed,
)
from solvers.grid.policies.choice import earliest
from solvers.grid.policies.one_step import OneStep


@dataclass(frozen=True)
class EarliestCompletion(OneStep):
    """Asks every resource for every job: a question and an answer each, 2·|R| messages a job."""

    sees: ClassVar[Knowledge] = Knowledge.QUEUES

    def open(self, setting: Setting) -> _Session:  # noqa: ARG002 - the protocol's
        """A session for one run."""
        return _Session()

    def messages(self, traffic: Traffic) -> int:
        """2·|R| a job."""
        return 2 * traffic.resources * traffic.jobs


class _Session(Forgetful):
    def place(self, moment: Moment) -> Placement:
        return Placement(
            _place(needed(moment.work).copy(), needed(moment.capacity), moment.length, moment.luck)
        )


@kernel
def _place(work: Floats, capacity: Floats, length: Floats, luck: Floats) -> Ints:
    chosen = np.empty(length.size, dtype=np.int64)
    for job in range(length.size):
        i = earliest(work, capacity, length[job], luck[job])
        work[i] += length[job]
        chosen[job] = i
    return chosen
