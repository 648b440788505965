"""DEALT: one learner's table, priced, and dealt out so that schedulers do not meet.

At the message cost of CLDS, two messages a scheduler and step (docs/model-grid.md has the reasons):

- Up, in one message: the lengths a scheduler submitted to each resource and of its own jobs finished there,
  and how many jobs it submitted. Down: the table, and the capacities the learner estimates.
- The learner's table is, for each resource, the load it estimates in steps plus a price. The price says by
  how much a resource is worth waiting for: with p the mean length, a job on a resource of capacity C that
  just pays costs (p / C^2 + 1 / C) / 2 of ALoR for each unit of work; a fast resource costs less, and the
  difference is charged to it, so that the slower ones are used exactly when that pays.
- The schedulers rank all resources alike, and deal the ranks out like cards: in each step every scheduler
  draws a seat from a permutation seeded by the step, and looks only at the ranks of its seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from planner.grid.compiled import kernel
from planner.grid.policy import Floats, Ints, Knowledge, Moment, Outcome, Placement, Setting, Traffic, seeded
from planner.grid.step import GridStep
from planner.grid.workload import Stream
from solvers.grid.policies.learner import Reports
from solvers.grid.policies.one_step import OneStep
from solvers.grid.policies.options import within
from solvers.grid.policies.rewards import sums


@dataclass(frozen=True)
class Dealt(OneStep):
    """The rule, and what can be taken out of it.

    `seats`: seats as a share of the schedulers, 0: nothing is dealt, all look at all resources. `price`:
    weight of the price. `sized`: whether a job's own length counts, or the mean length for all.
    """

    sees: ClassVar[Knowledge] = Knowledge.OUTCOMES

    seats: float = 0.4
    price: float = 0.9
    sized: bool = True

    def __post_init__(self) -> None:
        within("seats", self.seats, 0, 1)
        within("price", self.price, 0, 100)

    def open(self, setting: Setting) -> _Session:
        """A session for one run."""
        return _Session(self, setting)

    def messages(self, traffic: Traffic) -> int:
        """A report up and the table down for each scheduler: 2·|A|."""
        return 2 * traffic.schedulers


class _Session:
    """What the learner knows, and what it sent to all: the table and the speeds.

    The sums over all schedulers that the learner forms of the reports are formed here at once.
    """

    def __init__(self, policy: Dealt, setting: Setting) -> None:
        self._policy, self._setting = policy, setting
        self._known = Reports.blank(setting.resources)
        self._new = np.zeros(setting.resources)
        self._steps = self._jobs = self._busy = 0
        self._work = self._longest = 0.0
        self._before: Floats | None = None
        self._speed: Floats | None = None
        self._table = np.zeros(setting.resources)
        self._alive = np.ones(setting.schedulers, dtype=np.bool_)

    def teach(self, step: GridStep) -> None:
        """What it would learn in the long run: the capacities and loads, and the step's work as the usual."""
        self._speed = np.array([float(resource.capacity) for resource in step.resources])
        self._work = float(sum(job.length for job in step.jobs))
        self._jobs, self._steps = len(step.jobs), 1
        load = np.array([float(resource.backlog / resource.capacity) for resource in step.resources])
        self._table = load + self._policy.price * self._prices()

    def place(self, moment: Moment) -> Placement:
        length = moment.length if self._policy.sized else np.full(moment.length.size, self._mean(moment))
        living = np.flatnonzero(self._alive)
        seats = self._seats(living.size)
        seat = np.zeros(self._setting.schedulers, dtype=np.int64)
        shuffled = seeded(self._setting.seed, Stream.SHARED, moment.step).permutation(living.size)
        seat[living] = shuffled % seats
        if self._speed is None:
            speed = run = np.ones(self._setting.resources)
            length = np.ones(length.size)
        else:
            speed = self._speed
            run = self._mean(moment) / speed
        rank = np.argsort(run * (self._table + (run + 1) / 2), kind="stable")
        order = np.argsort(moment.scheduler, kind="stable")
        chosen = _deal(rank, self._table, speed, order, moment.scheduler, length, seat, seats)
        self._new += sums(chosen, moment.length, self._setting.resources)
        self._work += float(moment.length.sum())
        self._longest = max(self._longest, float(moment.length.max()))
        self._jobs += moment.length.size
        self._busy += np.unique(moment.scheduler).size
        return Placement(chosen)

    def learn(self, outcome: Outcome) -> None:
        done = sums(outcome.resource, outcome.length, self._setting.resources)
        self._known.take(outcome.step, self._new, done, self._longest)
        self._new[:] = 0.0
        self._steps += 1
        self._speed = self._known.speeds(self._before)
        if self._speed is not None:
            load = self._known.load(outcome.step, self._speed, self._longest)
            self._table = load + self._policy.price * self._prices()

    def take_over(self, crashed: int, successor: int, learner: bool) -> int:  # noqa: ARG002 - the protocol's
        """A new learner has the last speeds; every scheduler tells it once what it has outstanding."""
        self._alive[crashed] = False
        if not learner:
            return 0
        self._known = Reports.handed_over(self._known.outstanding)
        self._before = self._speed
        return int(self._alive.sum())

    def _mean(self, moment: Moment) -> float:
        return self._work / self._jobs if self._jobs else float(moment.length.mean())

    def _seats(self, living: int) -> int:
        if self._policy.seats == 0:
            return 1
        busy = self._busy / self._steps if self._steps else 0.0
        wanted = max(1, round(self._policy.seats * living), int(np.ceil(busy)))
        return min(self._setting.resources, wanted)

    def _prices(self) -> Floats:
        assert self._speed is not None
        if not self._jobs:
            return np.zeros(self._speed.size)
        mean, rate = self._work / self._jobs, self._work / self._steps
        falling = np.sort(self._speed)[::-1]
        slowest = falling[min(int(np.searchsorted(np.cumsum(falling), rate)), falling.size - 1)]
        worth = (mean / self._speed**2 + 1 / self._speed) / 2
        last = (mean / slowest**2 + 1 / slowest) / 2
        price: Floats = self._speed * np.maximum(0.0, last - worth)
        return price


@kernel
def _deal(
    rank: Ints,
    table: Floats,
    speed: Floats,
    order: Ints,
    scheduler: Ints,
    length: Floats,
    seat: Ints,
    seats: int,
) -> Ints:
    """The resource of each job: the best of its scheduler's ranks, on top of the scheduler's own jobs."""
    chosen = np.empty(length.size, dtype=np.int64)
    own = np.zeros(table.size)
    start = 0
    while start < order.size:
        a = scheduler[order[start]]
        end = start
        while end < order.size and scheduler[order[end]] == a:
            job = order[end]
            best, where = np.inf, -1
            for turn in range(seat[a], rank.size, seats):
                i = rank[turn]
                run = length[job] / speed[i]
                cost = run * (table[i] + own[i] + (run + 1) / 2)
                if cost < best:
                    best, where = cost, i
            own[where] += length[job] / speed[where]
            chosen[job] = where
            end += 1
        for k in range(start, end):
            own[chosen[order[k]]] = 0.0
        start = end
    return chosen
