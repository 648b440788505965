"""Slow twins of the simulation, written from the model's text alone: exact numbers, lists and loops."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import fsum


@dataclass
class Waiting:
    """A job at a resource: what is left of it."""

    job: int
    left: Fraction


@dataclass
class Times:
    """When each job's service began and ended, and the steps in whose service it ended."""

    started: dict[int, Fraction] = field(default_factory=dict)
    completed: dict[int, Fraction] = field(default_factory=dict)
    ended_in: dict[int, int] = field(default_factory=dict)


class SlowQueue:
    """One resource: first in, first out, one job at a time, the next one as soon as one ends."""

    def __init__(self) -> None:
        self.jobs: deque[Waiting] = deque()

    @property
    def work(self) -> Fraction:
        return sum((waiting.left for waiting in self.jobs), start=Fraction(0))

    def enter(self, job: int, length: Fraction) -> None:
        self.jobs.append(Waiting(job, length))

    def serve(self, step: int, capacity: Fraction, times: Times) -> None:
        """Work from `step` to `step + 1`; one job after the other."""
        now = Fraction(step)
        while self.jobs and capacity > 0 and now < step + 1:
            head = self.jobs[0]
            times.started.setdefault(head.job, now)
            needed = head.left / capacity
            if now + needed > step + 1:
                head.left -= (step + 1 - now) * capacity
                return
            now += needed
            times.completed[head.job] = now
            times.ended_in[head.job] = step
            self.jobs.popleft()
            if self.jobs:
                times.started[self.jobs[0].job] = now


@dataclass(frozen=True)
class Told:
    """What a run was: for each step the jobs in the order in which they entered, and where.

    `capacity[t]` are the capacities in step t, `arrived` the step of each job, `length` its work.
    """

    initial: Sequence[Fraction]
    capacity: Sequence[Sequence[Fraction]]
    entered: Sequence[Sequence[tuple[int, int]]]
    arrived: Sequence[int]
    length: Sequence[Fraction]


@dataclass(frozen=True)
class Retold:
    """What comes of it, in exact numbers."""

    series: list[float]
    fairness: float
    utilisation: float
    response: list[float]
    times: Times
    running: int
    queued: int


def retell(told: Told) -> Retold:
    """Simulate placements that are given, step by step."""
    queues = [SlowQueue() for _ in told.initial]
    times = Times()
    series, jains, offered = [], [], Fraction(0)
    for step, entered in enumerate(told.entered):
        for job, resource in entered:
            queues[resource].enter(job, told.length[job])
        loads = [queue.work / initial for queue, initial in zip(queues, told.initial, strict=True)]
        series.append(float(sum(loads) / len(loads)))
        squares = sum(load * load for load in loads)
        jains.append(1.0 if squares == 0 else float(sum(loads) ** 2 / (len(loads) * squares)))
        for resource, queue in enumerate(queues):
            queue.serve(step, told.capacity[step][resource], times)
        offered += sum(told.capacity[step])
    left = sum((queue.work for queue in queues), start=Fraction(0))
    placed = {job for entered in told.entered for job, _ in entered}
    done = sum((told.length[job] for job in placed), start=Fraction(0)) - left
    heads = [queue.jobs[0].job for queue in queues if queue.jobs]
    running = sum(job in times.started for job in heads)
    return Retold(
        series=series,
        fairness=fsum(jains) / len(jains),
        utilisation=float(done / offered) if offered else 0.0,
        response=[float(end - told.arrived[job]) for job, end in times.completed.items()],
        times=times,
        running=running,
        queued=len(placed) - len(times.completed) - running,
    )
