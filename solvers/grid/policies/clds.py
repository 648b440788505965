"""CLDS, centralised learning, distributed scheduling (Moradi 2016, section III).

One scheduler is the learner. In every step each scheduler sends it one vector of rewards; it updates the one
utility table and sends it to all: 2·|A| messages. Every job goes to the resource of the greatest utility in
the table, which does not change within a step. The paper's formulas are lost in print; the defaults here are
the readings under which its claims come nearest (docs/reproduction-grid.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from planner.grid.policy import Floats, Ints, Knowledge, Moment, Outcome, Placement, Setting, Traffic
from planner.grid.step import GridStep
from solvers.grid.policies.one_step import OneStep, utilities
from solvers.grid.policies.options import one_of, within
from solvers.grid.policies.rewards import earned, sums


@dataclass(frozen=True)
class CLDS(OneStep):
    """The paper's rule, and the readings of it that are open.

    `alpha`: learning factor, from 0 to 1. `update` "ema": U <- (1 - alpha) U + alpha sum(rewards);
    "additive": U <- U + alpha sum(rewards). `start`: from when a finished job's time counts. `selection`
    "greedy": the greatest utility, ties at random; "proportional": at random, in proportion to how far a
    utility is above the least. `penalty`: weight of the -1/size of each unfinished job in each step.
    """

    sees: ClassVar[Knowledge] = Knowledge.OUTCOMES

    alpha: float = 0.1
    update: Literal["ema", "additive"] = "ema"
    start: Literal["submission", "service"] = "submission"
    selection: Literal["greedy", "proportional"] = "greedy"
    penalty: float = 1.0

    def __post_init__(self) -> None:
        within("alpha", self.alpha, 0, 1)
        one_of("update", self.update, ("ema", "additive"))
        one_of("start", self.start, ("submission", "service"))
        one_of("selection", self.selection, ("greedy", "proportional"))
        within("penalty", self.penalty, 0, 1e9)

    def open(self, setting: Setting) -> _Session:
        """A session for one run."""
        return _Session(self, setting.resources)

    def messages(self, traffic: Traffic) -> int:
        """A vector of rewards up and the table down for each scheduler: 2·|A|."""
        return 2 * traffic.schedulers


class _Session:
    """`utility` (resources,) is the table; `unfinished` (resources,) the sum of 1/size of unfinished jobs."""

    def __init__(self, policy: CLDS, resources: int) -> None:
        self._policy = policy
        self.utility = np.zeros(resources)
        self._unfinished = np.zeros(resources)
        self._jobs = np.zeros(resources, dtype=np.int64)

    def teach(self, step: GridStep) -> None:
        self.utility = utilities(step)

    def place(self, moment: Moment) -> Placement:
        choose = greatest if self._policy.selection == "greedy" else _proportional
        resource = choose(self.utility, moment.luck)
        count = self.utility.size
        self._unfinished += sums(resource, 1 / moment.length, count)
        self._jobs += np.bincount(resource, minlength=count)
        return Placement(resource)

    def learn(self, outcome: Outcome) -> None:
        policy, count = self._policy, self.utility.size
        self._unfinished -= sums(outcome.resource, 1 / outcome.length, count)
        self._jobs -= np.bincount(outcome.resource, minlength=count)
        self._unfinished[self._jobs == 0] = 0.0  # what subtracting left over
        rewards = earned(outcome, policy.start == "service")
        total = sums(outcome.resource, rewards, count)
        total -= policy.penalty * self._unfinished
        kept = 1.0 - policy.alpha if policy.update == "ema" else 1.0
        self.utility = kept * self.utility + policy.alpha * total

    def take_over(self, crashed: int, successor: int, learner: bool) -> int:  # noqa: ARG002 - the protocol's
        """All schedulers have the last table, and records go with the jobs: nothing has to be sent."""
        return 0


def greatest(utility: Floats, luck: Floats) -> Ints:
    """For each job the place of the greatest utility; of several, the one its luck falls on."""
    best = np.flatnonzero(utility == utility.max())
    chosen: Ints = best[(luck * best.size).astype(np.int64)]
    return chosen


def _proportional(utility: Floats, luck: Floats) -> Ints:
    above = np.cumsum(utility - utility.min())
    if above[-1] <= 0.0:
        return greatest(utility, luck)
    chosen: Ints = np.searchsorted(above, luck * above[-1], side="right").astype(np.int64)
    return chosen
