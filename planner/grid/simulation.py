"""Let a policy place the jobs of a grid, step after step (docs/model-grid.md).

In each step, in this order: events happen; jobs arrive; the policy places all of them with what it may know;
ALoR is recorded; every resource serves for one time unit, going on with the next job within the step; the
policy learns what was finished.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Integral

import numpy as np

from planner.errors import PlannerError
from planner.grid import metrics, queues
from planner.grid.metrics import JobCounts, Metrics
from planner.grid.policy import (
    Floats,
    Forgetful,
    Ints,
    Knowledge,
    Moment,
    Outcome,
    Placement,
    Policy,
    Session,
    Setting,
    Traffic,
    seeded,
)
from planner.grid.queues import NOBODY, ROUNDING, Queues
from planner.grid.system import CapacityChange, Crash, Event
from planner.grid.workload import Stream, Workload

Reference = Callable[[Floats, Floats, Floats], float]
"""The least total completion time of jobs of those lengths, given work and capacities."""

_REPORT_EVERY = 100


class PolicyFault(PlannerError):
    """A policy placed jobs in a way that cannot be carried out."""


def run(
    workload: Workload,
    policy: Policy,
    *,
    reference: Reference | None = None,
    on_step: Callable[[int], None] | None = None,
) -> Metrics:
    """What comes of the policy on this workload.

    With `reference` each step's regret is found, too. `on_step` is told now and then how many steps are done.
    Raises `PolicyFault` where the policy returns no valid placement.
    """
    one = _Run(workload, policy, reference)
    one.advance(workload.steps, on_step)
    return one.metrics()


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A grid in a step, when its events have happened and its jobs have arrived and are not placed yet.

    `work` and `capacity` (resources,) are the work left and the present capacities; `scheduler` and `length`
    (jobs,) the step's jobs in arrival order; `utility` (resources,) the one table that the policy has learnt,
    None where it keeps none.
    """

    work: Floats
    capacity: Floats
    utility: Floats | None
    scheduler: Ints
    length: Floats


def snapshot(workload: Workload, policy: Policy, step: int) -> Snapshot:
    """The grid in that step, after the policy placed the jobs of all steps before it."""
    one = _Run(workload, policy, None)
    one.advance(step, None)
    return one.snapshot(step)


@dataclass(eq=False)
class _Agents:
    """Which schedulers live, who learns, and who now has the jobs and records of each."""

    living: np.ndarray[tuple[int], np.dtype[np.bool_]]
    heir: Ints
    learner: int = 0

    def next_after(self, crashed: int) -> int:
        """The next living scheduler, cyclically; `NOBODY` where none lives."""
        count = self.living.size
        for turn in range(1, count + 1):
            if self.living[(crashed + turn) % count]:
                return (crashed + turn) % count
        return NOBODY


@dataclass(eq=False)
class _Tally:
    """What is summed up step by step."""

    series: Floats
    fairness: float = 0.0
    offered: float = 0.0
    messages: int = 0
    finished: int = 0
    rejected: int = 0
    done: float = 0.0
    regrets: list[float] = field(default_factory=list)
    events: list[tuple[int, str]] = field(default_factory=list)


class _Run:
    """One run in progress."""

    def __init__(self, workload: Workload, policy: Policy, reference: Reference | None) -> None:
        self._world, self._policy, self._reference = workload, policy, reference
        count, schedulers = workload.capacity.size, workload.schedulers
        self._queues = Queues.empty(count, workload.length.size)
        self._capacity = workload.capacity.copy()
        self._agents = _Agents(np.ones(schedulers, dtype=np.bool_), np.arange(schedulers, dtype=np.int64))
        self._owner = workload.scheduler.copy()
        self._submitted = np.zeros(workload.length.size, dtype=np.int64)
        self._finished = np.empty(workload.length.size, dtype=np.int64)
        self._tally = _Tally(np.empty(workload.steps))
        self._luck = seeded(workload.seed, Stream.POLICY)
        self._events: dict[int, list[Event]] = {}
        for event in workload.events:
            self._events.setdefault(event.step, []).append(event)
        self._sees = _knowledge(policy)
        sees_capacities = self._sees in (Knowledge.CAPACITIES, Knowledge.QUEUES)
        self._session: Session = policy.open(
            Setting(schedulers, count, workload.seed, workload.capacity.copy() if sees_capacities else None)
        )
        self._forgets = self._sees is Knowledge.NOTHING or _is_forgetful(self._session)

    def advance(self, steps: int, on_step: Callable[[int], None] | None) -> None:
        """Simulate the first so many steps."""
        for step in range(steps):
            for event in self._events.get(step, ()):
                self._happen(event)
            self._place(step)
            alor, jain = metrics.loads(self._queues.work, self._world.capacity)
            self._tally.series[step] = alor
            self._tally.fairness += jain
            self._serve(step)
            if on_step is not None and (step + 1) % _REPORT_EVERY == 0:
                on_step(step + 1)

    def snapshot(self, step: int) -> Snapshot:
        """The grid in the next step, before the placement."""
        for event in self._events.get(step, ()):
            self._happen(event)
        low, high = self._world.first[step], self._world.first[step + 1]
        if not self._agents.living.any():
            high = low  # they are rejected
        return Snapshot(
            self._queues.work.copy(),
            self._capacity.copy(),
            getattr(self._session, "utility", None),
            self._agents.heir[self._world.scheduler[low:high]],
            self._world.length[low:high].copy(),
        )

    def _happen(self, event: Event) -> None:
        match event:
            case CapacityChange():
                self._capacity[event.resource] = event.capacity
                what = f"capacity of {self._world.resource_names[event.resource]} becomes {event.capacity:g}"
            case Crash():
                what = self._crash(event)
        self._tally.events.append((event.step, what))

    def _crash(self, event: Crash) -> str:
        agents = self._agents
        crashed = agents.learner if event.scheduler is None else event.scheduler
        if crashed == NOBODY or not agents.living[crashed]:
            name = "the learner" if crashed == NOBODY else self._world.scheduler_names[crashed]
            return f"{name} had crashed before"
        was_learner = crashed == agents.learner
        agents.living[crashed] = False
        successor = agents.next_after(crashed)
        agents.heir[agents.heir == crashed] = successor
        if was_learner:
            agents.learner = successor
        name = self._world.scheduler_names[crashed]
        role = "the learner " if was_learner else ""
        if successor == NOBODY:
            return f"{role}{name} crashes, no scheduler is left"
        self._tally.messages += self._session.take_over(crashed, successor, was_learner)
        return f"{role}{name} crashes, {self._world.scheduler_names[successor]} takes over"

    def _place(self, step: int) -> None:
        low, high = self._world.first[step], self._world.first[step + 1]
        luck = self._luck.random(high - low)
        living = int(self._agents.living.sum())
        if living == 0:
            self._tally.rejected += int(high - low)
            return
        busy = 0
        if high > low:
            self._owner[low:high] = self._agents.heir[self._world.scheduler[low:high]]
            busy = self._submit(step, int(low), int(high), luck)
        traffic = Traffic(living, self._capacity.size, int(high - low), busy)
        self._tally.messages += _counted(self._policy.messages(traffic))

    def _submit(self, step: int, low: int, high: int, luck: Floats) -> int:
        """Have the jobs from `low` to `high` placed; returns how many schedulers had some."""
        sees_queues = self._sees is Knowledge.QUEUES
        length, owner = self._world.length[low:high], self._owner[low:high]
        moment = Moment(
            step,
            owner.copy(),
            length.copy(),
            luck,
            self._agents.living.copy(),
            self._queues.work.copy() if sees_queues else None,
            self._capacity.copy() if sees_queues else None,
        )
        resource, order = self._valid(self._session.place(moment), high - low)
        self._submitted[low:high] = step
        if self._reference is not None:
            self._regret(resource, order, length)
        queues.enter(self._queues, order + low, resource[order], self._world.length)
        return metrics.distinct(owner, self._world.schedulers)

    def _valid(self, placement: Placement, jobs: int) -> tuple[Ints, Ints]:
        resource = _indices(placement.resource, jobs, "resource")
        if resource.min() < 0 or resource.max() >= self._capacity.size:
            raise PolicyFault(
                f"the policy chose resource {resource.min() if resource.min() < 0 else resource.max()}, "
                f"and there are 0 to {self._capacity.size - 1}"
            )
        if placement.order is None:
            return resource, np.arange(jobs, dtype=np.int64)
        order = _indices(placement.order, jobs, "order")
        if not np.array_equal(np.sort(order), np.arange(jobs)):
            raise PolicyFault("the policy's order does not name every job of the step once")
        return resource, order

    def _regret(self, resource: Ints, order: Ints, length: Floats) -> None:
        assert self._reference is not None
        work, capacity = self._queues.work, self._capacity
        if not capacity.any():
            return
        own = metrics.flow(work, capacity, resource, order, length)
        best = self._reference(work, capacity, length)
        if np.isfinite(own):
            regret = own / best - 1
            self._tally.regrets.append(regret if regret > ROUNDING else 0.0)

    def _serve(self, step: int) -> None:
        count = queues.serve(self._queues, step, self._capacity, self._world.length, self._finished)
        self._tally.offered += float(self._capacity.sum())
        jobs = self._finished[:count]
        self._tally.finished += count
        self._tally.done += float(self._world.length[jobs].sum())
        if self._forgets or not self._agents.living.any():
            return
        self._session.learn(
            Outcome(
                step,
                self._agents.heir[self._owner[jobs]],
                self._queues.resource[jobs],
                self._world.length[jobs],
                self._submitted[jobs],
                self._queues.started[jobs],
                self._queues.completed[jobs],
            )
        )

    def metrics(self) -> Metrics:
        """What came of the run, when all steps are done."""
        tally, world, state = self._tally, self._world, self._queues
        waits = state.first != NOBODY
        heads = state.first[waits]
        running = int((~np.isnan(state.started[heads])).sum())
        over = ~np.isnan(state.completed)
        waiting = int(((state.resource != NOBODY) & ~over).sum()) - running
        jobs = JobCounts(world.length.size, tally.finished, running, waiting, tally.rejected)
        assert jobs.arrived == jobs.finished + jobs.running + jobs.queued + jobs.rejected, jobs
        assert jobs.finished == int(over.sum()), jobs
        begun = world.length[heads] - state.left[waits]
        makespan = None
        if world.finite and 0 < jobs.arrived == jobs.finished:
            makespan = float(state.completed.max())
        return Metrics(
            series=tally.series,
            jobs=jobs,
            messages=tally.messages / world.steps,
            response=metrics.spread(state.completed[over] - self._submitted[over]),
            fairness=tally.fairness / world.steps,
            utilisation=(tally.done + float(begun.sum())) / tally.offered if tally.offered else 0.0,
            makespan=makespan,
            regret=None if self._reference is None else metrics.spread(tally.regrets),
            events=tuple(metrics.happened(step, what, tally.series) for step, what in tally.events),
        )


def _counted(messages: object) -> int:
    if type(messages) is bool or not isinstance(messages, Integral) or int(messages) < 0:
        raise PolicyFault(f"the number of messages must be whole and at least 0, not {messages!r}")
    return int(messages)


def _is_forgetful(session: Session) -> bool:
    """Whether it learns nothing; one that extends `Forgetful` by a `learn` of its own does."""
    learn: object = getattr(type(session), "learn", None)
    return learn is Forgetful.learn


def _knowledge(policy: Policy) -> Knowledge:
    try:
        return Knowledge(policy.sees)
    except ValueError:
        raise PolicyFault(
            f"what a policy sees is one of {', '.join(Knowledge)}, not {policy.sees!r}"
        ) from None


def _indices(values: Ints, jobs: int, what: str) -> Ints:
    array = np.asarray(values)
    if array.shape != (jobs,) or array.dtype.kind not in "iu":
        raise PolicyFault(
            f"the policy's {what} must be {jobs} whole numbers, not {array.dtype} of shape {array.shape}"
        )
    return array.astype(np.int64, copy=False)
