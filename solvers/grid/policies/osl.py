"""OSL, ordinal sharing learning (Wu et al. 2011, as Moradi 2016, section II, tells it).

Every scheduler has a utility table of its own. In each step, one scheduler after the other in a ring, it
first learns from the rewards of its own jobs, then from the table of the one before it, and sends its own to
the next: |A| messages. Its jobs go to the resource of the greatest utility in its own table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from planner.grid.compiled import kernel
from planner.grid.policy import (
    Floats,
    Ints,
    Knowledge,
    Moment,
    Outcome,
    Placement,
    Setting,
    Traffic,
    table,
)
from planner.grid.step import GridStep
from solvers.grid.policies.choice import lowest
from solvers.grid.policies.one_step import OneStep, utilities
from solvers.grid.policies.options import within
from solvers.grid.policies.rewards import earned

_RESIDUE = 1e-12
"""What subtracting may leave of a sum of 1/size that should be 0, as a share of the last one."""


@dataclass(frozen=True)
class OSL(OneStep):
    """`alpha`: learning factor for own rewards; `share`: weight of the neighbour's table (0 to 1)."""

    sees: ClassVar[Knowledge] = Knowledge.OUTCOMES

    alpha: float = 0.1
    share: float = 0.5

    def __post_init__(self) -> None:
        within("alpha", self.alpha, 0, 1)
        within("share", self.share, 0, 1)

    def open(self, setting: Setting) -> _Session:
        """A session for one run."""
        return _Session(self, setting)

    def messages(self, traffic: Traffic) -> int:
        """Each scheduler sends its table to the next: |A|."""
        return traffic.schedulers


class _Session:
    """Two tables of schedulers by resources.

    `cost` is minus the utility, as scans look for the lowest; `unfinished` is the sum of 1/size of a
    scheduler's jobs there that are not finished.
    """

    def __init__(self, policy: OSL, setting: Setting) -> None:
        self._policy = policy
        self._cost = table(setting.schedulers, setting.resources)
        self._unfinished = table(setting.schedulers, setting.resources)
        self._ring = np.arange(setting.schedulers, dtype=np.int64)

    def teach(self, step: GridStep) -> None:
        self._cost[:] = -utilities(step)

    def place(self, moment: Moment) -> Placement:
        resource = _place(self._cost, self._unfinished, moment.scheduler, moment.length, moment.luck)
        return Placement(resource)

    def learn(self, outcome: Outcome) -> None:
        by_scheduler = np.argsort(outcome.scheduler, kind="stable")
        _learn(
            self._cost,
            self._unfinished,
            self._ring,
            outcome.scheduler[by_scheduler],
            outcome.resource[by_scheduler],
            outcome.length[by_scheduler],
            earned(outcome, from_service=False)[by_scheduler],
            self._policy.alpha,
            self._policy.share,
        )

    def take_over(self, crashed: int, successor: int, learner: bool) -> int:  # noqa: ARG002 - the protocol's
        """The ring closes over the gap, and the successor has the records; the lost table stays lost."""
        self._ring = self._ring[self._ring != crashed]
        self._unfinished[successor] += self._unfinished[crashed]
        self._unfinished[crashed] = 0.0
        return 0


@kernel
def _place(cost: Floats, unfinished: Floats, scheduler: Ints, length: Floats, luck: Floats) -> Ints:
    chosen = np.empty(length.size, dtype=np.int64)
    for job in range(length.size):
        a = scheduler[job]
        i = lowest(cost[a], luck[job])
        unfinished[a, i] += 1.0 / length[job]
        chosen[job] = i
    return chosen


@kernel
def _learn(
    cost: Floats,
    unfinished: Floats,
    ring: Ints,
    scheduler: Ints,
    resource: Ints,
    length: Floats,
    reward: Floats,
    alpha: float,
    share: float,
) -> None:
    """Once around the ring; the finished jobs are sorted by scheduler."""
    row = 0
    before = ring[ring.size - 1]
    for a in ring:
        low = row
        while row < scheduler.size and scheduler[row] == a:
            i = resource[row]
            left = unfinished[a, i] - 1.0 / length[row]
            unfinished[a, i] = left if left > _RESIDUE / length[row] else 0.0
            row += 1
        mine, penalty = cost[a], unfinished[a]
        for i in range(mine.size):
            mine[i] = (1.0 - alpha) * mine[i] + alpha * penalty[i]
        for k in range(low, row):
            mine[resource[k]] -= alpha * reward[k]
        theirs = cost[before]
        if before != a:
            for i in range(mine.size):
                mine[i] = (1.0 - share) * mine[i] + share * theirs[i]
        before = a
