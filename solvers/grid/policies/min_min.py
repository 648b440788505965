"""DMMS, decentralised min-min selection (Moradi 2016, section IV; min-min: Ibarra and Kim 1977).

Each scheduler runs min-min over its own jobs of the step: among all its jobs and all resources it takes the
pair with the earliest completion, commits to it, and goes on. A completion (ready + p) / C grows with p
whatever the resource, so the next pair always has the shortest job left: min-min on such resources is
shortest job first, each to its earliest completion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from planner.grid.compiled import kernel
from planner.grid.policy import (
    Floats,
    Forgetful,
    Ints,
    Knowledge,
    Moment,
    Outcome,
    Placement,
    Session,
    Setting,
    Traffic,
    needed,
    table,
)
from solvers.grid.policies.choice import earliest
from solvers.grid.policies.one_step import OneStep
from solvers.grid.policies.options import one_of

_RESIDUE = 1e-9
"""What subtracting lengths again may leave of a sum that should be 0, as a share of the last length."""


@dataclass(frozen=True)
class MinMin(OneStep):
    """`knowledge` "own": a scheduler knows the capacities and its own unfinished jobs, and asks nobody.

    "global": it asks every resource, in each step in which it has jobs, for the work at the step's start. In
    both cases it does not see what other schedulers do in the same step.
    """

    knowledge: Literal["own", "global"] = "own"

    def __post_init__(self) -> None:
        one_of("knowledge", self.knowledge, ("own", "global"))

    @property
    def sees(self) -> Knowledge:
        """The capacities, or the queues."""
        return Knowledge.CAPACITIES if self.knowledge == "own" else Knowledge.QUEUES

    def open(self, setting: Setting) -> Session:
        """A session for one run."""
        return _Own(setting) if self.knowledge == "own" else _Global()

    def messages(self, traffic: Traffic) -> int:
        """2·|R| for each scheduler with jobs under global knowledge, else none."""
        return 0 if self.knowledge == "own" else 2 * traffic.resources * traffic.busy


class _Own:
    """`outstanding` (schedulers, resources): the length of each scheduler's own unfinished jobs."""

    def __init__(self, setting: Setting) -> None:
        self._capacity = needed(setting.capacity)
        self._outstanding = table(setting.schedulers, setting.resources)

    def place(self, moment: Moment) -> Placement:
        order = _turns(moment)
        chosen = _place(
            self._outstanding, self._capacity, moment.scheduler, moment.length, moment.luck, order
        )
        return Placement(chosen, order)

    def learn(self, outcome: Outcome) -> None:
        _forget(self._outstanding, outcome.scheduler, outcome.resource, outcome.length)

    def take_over(self, crashed: int, successor: int, learner: bool) -> int:  # noqa: ARG002 - the protocol's
        """The successor gets the records with the jobs."""
        self._outstanding[successor] += self._outstanding[crashed]
        self._outstanding[crashed] = 0.0
        return 0


class _Global(Forgetful):
    def place(self, moment: Moment) -> Placement:
        order = _turns(moment)
        # One row for each scheduler with jobs: it adds its own to what all see alike.
        busy, row = np.unique(moment.scheduler, return_inverse=True)
        ready = np.repeat(needed(moment.work)[None, :], busy.size, axis=0)
        chosen = _place(ready, needed(moment.capacity), row, moment.length, moment.luck, order)
        return Placement(chosen, order)


def _turns(moment: Moment) -> Ints:
    """Scheduler after scheduler, each its shortest job first."""
    return np.lexsort((moment.length, moment.scheduler)).astype(np.int64)


@kernel
def _place(ready: Floats, capacity: Floats, row: Ints, length: Floats, luck: Floats, order: Ints) -> Ints:
    chosen = np.empty(length.size, dtype=np.int64)
    for job in order:
        mine = ready[row[job]]
        i = earliest(mine, capacity, length[job], luck[job])
        mine[i] += length[job]
        chosen[job] = i
    return chosen


@kernel
def _forget(outstanding: Floats, scheduler: Ints, resource: Ints, length: Floats) -> None:
    for row in range(length.size):
        a, i = scheduler[row], resource[row]
        left = outstanding[a, i] - length[row]
        outstanding[a, i] = left if left > _RESIDUE * length[row] else 0.0
