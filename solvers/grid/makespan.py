"""The least makespan of a step: a bound, best fit at the bound, and bisection with an integer program.

For a time T everything is a question of packing: resource i has room for T·C_i - L_i of new work, in whole
units of the lengths that is a whole number, and a plan ends by T if and only if all jobs fit. The rooms
change at a sequence of times only, so a "no" at T is a "no" up to the next of them, and the bisection ends
with a proof (docs/model-grid.md, section 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.goal import Goal
from planner.grid.plan import GridPlan, plan_of
from planner.grid.step import GridStep
from planner.result import Resolution, StoppedBy
from planner.solver import Answer, Effort
from solvers.grid import makespan_bound
from solvers.grid.arrays import Arrays
from solvers.grid.classes import Classes
from solvers.grid.fitting import LARGEST_MODEL, fit, variables
from solvers.grid.levelling import levelled
from solvers.grid.packing import best_fit, greedy
from solvers.grid.places import too_few

LARGEST_SUM = 2**59  # units of work in a constraint of CP-SAT
PROVEN = Fraction(1, 10**10)  # a gap that no result shows: times within 1e-9 of each other are equal
JUST_ABOVE = 1 + Fraction(1, 2**36)  # the bound is computed in doubles; what it stands for is within this
HALVINGS = 20  # of the interval in which best fit may succeed: a millionth of it


@dataclass(frozen=True, slots=True)
class Makespan:
    """Plans for the least makespan, whatever goal is asked for; its bound speaks of the makespan."""

    def solve(self, step: GridStep, goal: Goal, effort: Effort[GridPlan]) -> Answer[GridPlan]:
        """A plan and the best bound found; without a time limit it goes on until one proves the other."""
        reason = too_few(step)
        if reason is not None:
            return Answer(infeasible=True, message=reason)
        run = _Run(step, effort, speaks=goal is Goal.MAKESPAN)
        run.quickly()
        answer = run.search()
        return replace(
            answer, plan=plan_of(step, run.queues), bound=run.low if goal is Goal.MAKESPAN else None
        )


class _Run:
    """The best plan so far and its makespan `best`, and the bound `low`."""

    def __init__(self, step: GridStep, effort: Effort[GridPlan], *, speaks: bool) -> None:
        self._step, self._effort, self._speaks = step, effort, speaks
        self._arrays = Arrays.of(step)
        self._limit = self._arrays.limit
        self.low = makespan_bound.certified(self._arrays)
        self._exact = Classes.of(step)
        jobs = [job for jobs in self._exact.members for job in jobs]
        self.queues: Sequence[Sequence[int]] = greedy(
            self._arrays,
            jobs,
            [[] for _ in step.resources],
            lambda work, length: (work + length) / self._arrays.capacity,  # longest first, soonest end: LPT
        )
        self.best = self._makespan(self.queues)
        effort.progress.incumbent(plan_of(step, self.queues))

    def proven(self) -> bool:
        """Whether bound and plan are one value."""
        return self.low >= self.best * (1 - PROVEN)

    def quickly(self) -> None:
        """Best fit at the bound; where that fails, at times up to the best plan; then exchanges of jobs."""
        longest_first = self.queues
        high, low = self.best, self.low * JUST_ABOVE
        time = low
        for _ in range(HALVINGS):
            if self.proven() or self._effort.stopped_by:
                return
            queues, left = best_fit(self._exact, self._rooms(self._exact, time), self._limit)
            if left:
                low = time
            else:
                high = time
                self._take(queues)
            time = Fraction(float(low + high) / 2)
        for start in (self.queues, longest_first):
            if not self.proven() and not self._effort.stopped_by:
                self._take(levelled(self._arrays, start, float(self.low)))

    def search(self) -> Answer[GridPlan]:
        """Bisection with the integer program: why it ended, and what it counted in."""
        if self.proven():
            return Answer()
        classes = Classes.of(self._step, largest=LARGEST_SUM)
        resolution = None
        if classes.rounded:
            fastest = max(resource.capacity for resource in self._step.resources)
            resolution = Resolution(classes.unit / fastest, rounded=True)
        answer: Answer[GridPlan] = Answer(resolution=resolution)
        time = self.low * JUST_ABOVE
        while not self.proven():
            stopped = self._effort.stopped_by
            if stopped:
                return replace(answer, stopped_by=stopped)
            rooms = self._rooms(classes, time)
            size = variables(classes, rooms)
            if size > LARGEST_MODEL:
                text = f"not searched: {size:,} variables are needed, at most {LARGEST_MODEL:,} are taken"
                return replace(answer, message=text)
            found = fit(classes, rooms, self._limit, self._effort)
            if found.refuted:
                self._raise(self._next_time(classes, rooms))
            elif found.queues is None:
                return replace(answer, stopped_by=self._effort.stopped_by or StoppedBy.TIME_LIMIT)
            elif not self._take(found.queues):
                return replace(answer, message="lengths have too many digits to tell better plans apart")
            time = Fraction(float(self.low + self.best) / 2)
        return answer

    def _rooms(self, classes: Classes, time: Fraction) -> list[int]:
        return [
            classes.whole(time * resource.capacity - resource.backlog) for resource in self._step.resources
        ]

    def _next_time(self, classes: Classes, rooms: Sequence[int]) -> Fraction:
        """The first time at which some room is larger."""
        return min(
            (resource.backlog + (room + 1) * classes.unit) / resource.capacity
            for resource, room in zip(self._step.resources, rooms, strict=True)
        )

    def _raise(self, bound: Fraction) -> None:
        self.low = max(self.low, bound)
        if self._speaks:
            self._effort.progress.bound(self.low)

    def _take(self, queues: Sequence[Sequence[int]]) -> bool:
        """Keep the plan if it is better than the best, and say whether it is."""
        makespan = self._makespan(queues)
        if makespan >= self.best:
            return False
        self.best, self.queues = makespan, queues
        self._effort.progress.incumbent(plan_of(self._step, queues))
        return True

    def _makespan(self, queues: Sequence[Sequence[int]]) -> Fraction:
        jobs = self._step.jobs
        return max(
            (resource.backlog + sum(jobs[job].length for job in queue)) / resource.capacity
            for resource, queue in zip(self._step.resources, queues, strict=True)
        )
