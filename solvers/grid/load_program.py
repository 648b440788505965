"""The least load as an integer program in CP-SAT.

x[c,i] jobs of class c go to resource i; what is left of them at the end of the step takes y_i more time:

    minimise sum over i of y_i
    sum over i of x[c,i] = N_c,   sum over c of x[c,i] <= limit
    y_i >= sum over c of length_c/C_i x[c,i] - s_i/C_i,   y_i >= 0,   s_i = max(0, C_i - L_i)

What the backlogs leave is constant. Times are in whole ticks; where these cannot be fine enough, length_c/C_i
is rounded down and s_i/C_i up, so that the program's least value is not above the true one. Equal resources
are ordered by their jobs' time, which only removes symmetry. Without a limit, a resource that does nothing
for new work within the step (s_i = 0) and is not the first of the fastest gets none: the fastest would take
it at no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm
from time import perf_counter

from ortools.sat.python import cp_model

from planner.grid.plan import GridPlan, plan_of
from planner.grid.step import GridStep
from planner.result import Resolution
from planner.solver import Effort
from solvers.cpsat import Outcome, ReadVariable, search
from solvers.grid.classes import Classes
from solvers.grid.load_bound import standing

LARGEST_MODEL = 100_000  # variables; a second to build
LARGEST_SUM = (
    2**50
)  # ticks in the objective; CP-SAT's bounds are doubles, and wrong by some ticks from 2^53 on

Counts = dict[int, list[cp_model.IntVar]]


@dataclass(frozen=True, slots=True)
class Found:
    """The best plan of a search, if any, as the jobs of each resource; a lower bound on the load."""

    outcome: Outcome
    queues: list[list[int]] | None
    bound: Fraction


class LoadProgram:
    """The program of one step; `variables` tells its size before it is built."""

    def __init__(self, step: GridStep) -> None:
        self._step, self._classes = step, Classes.of(step)
        self._limit = step.max_jobs_per_resource or len(step.jobs)
        self._useful = self._useful_resources()
        serial = sum((job.length for job in step.jobs), Fraction(0)) / min(
            one.capacity for one in step.resources
        )
        self._tick, rounded = _tick(step, finest=serial * len(step.resources) / LARGEST_SUM)
        self.resolution = Resolution(self._tick, rounded)
        self.variables = len(self._useful) * len(self._classes.lengths)
        self.build_seconds = 0.0

    def search(self, start: Sequence[Sequence[int]], effort: Effort[GridPlan], *, speaks: bool) -> Found:
        """Search from `start` until `effort` is spent; `speaks`: bounds are reported, not only plans."""
        started = perf_counter()
        program, counts = self._program(start)
        self.build_seconds = perf_counter() - started

        def on_solution(value: ReadVariable) -> None:
            effort.progress.incumbent(plan_of(self._step, self._queues(counts, value)))

        def on_bound(value: float) -> None:
            effort.progress.bound(self._bound(value))

        found = search(program, effort, on_solution=on_solution, on_bound=on_bound if speaks else None)
        queues = self._queues(counts, found.value) if found.has_solution else None
        return Found(found.outcome, queues, self._bound(found.bound))

    def _program(self, start: Sequence[Sequence[int]]) -> tuple[cp_model.CpModel, Counts]:
        program, counts = cp_model.CpModel(), Counts()
        left: list[cp_model.IntVar] = []
        previous: dict[tuple[Fraction, Fraction], cp_model.LinearExprT] = {}
        for i in self._useful:
            one = self._step.resources[i]
            each = [
                floor(length * self._classes.unit / one.capacity / self._tick)
                for length in self._classes.lengths
            ]
            longest = sum(ticks * count for ticks, count in zip(each, self._classes.counts, strict=True))
            served = min(longest, ceil(max(Fraction(0), 1 - one.backlog / one.capacity) / self._tick))
            own = [
                program.new_int_var(0, min(count, self._limit), f"x[{c},{i}]")
                for c, count in enumerate(self._classes.counts)
            ]
            time = sum(ticks * n for ticks, n in zip(each, own, strict=True))
            y = program.new_int_var(0, longest - served, f"y[{i}]")
            program.add(y >= time - served)
            program.add(sum(own) <= self._limit)
            alike = one.capacity, one.backlog
            if alike in previous:
                program.add(previous[alike] >= time)
            previous[alike] = time
            counts[i] = own
            left.append(y)
        for c, count in enumerate(self._classes.counts):
            program.add(sum(own[c] for own in counts.values()) == count)
        program.minimize(sum(left))
        self._hint(program, counts, start)
        return program, counts

    def _useful_resources(self) -> list[int]:
        resources = self._step.resources
        fastest = max(range(len(resources)), key=lambda i: resources[i].capacity)
        limited = self._limit < len(self._step.jobs)
        return [i for i, one in enumerate(resources) if limited or one.backlog < one.capacity or i == fastest]

    def _hint(self, program: cp_model.CpModel, counts: Counts, start: Sequence[Sequence[int]]) -> None:
        """Start from those queues, as far as the program has their resources."""
        class_of = {job: c for c, jobs in enumerate(self._classes.members) for job in jobs}
        for i, own in counts.items():
            content = [class_of[job] for job in start[i]]
            for c, variable in enumerate(own):
                program.add_hint(variable, content.count(c))

    def _queues(self, counts: Counts, value: ReadVariable) -> list[list[int]]:
        nothing = [0] * len(self._classes.lengths)
        return self._classes.queues(
            [value(variable) for variable in counts[i]] if i in counts else nothing
            for i in range(len(self._step.resources))
        )

    def _bound(self, objective: float) -> Fraction:
        """The load of that objective; minus infinity, before CP-SAT has a bound, is nothing left."""
        left = round(objective) * self._tick if objective > 0 else Fraction(0)
        return (standing(self._step) + left) / len(self._step.resources)


def _tick(step: GridStep, finest: Fraction) -> tuple[Fraction, bool]:
    """A tick of which all times are whole multiples, and False; `finest` and True if it were shorter."""
    amounts = [*(job.length for job in step.jobs), *(one.backlog for one in step.resources)]
    unit = Fraction(1, lcm(*(amount.denominator for amount in amounts)))
    denominator = 1
    for one in step.resources:
        denominator = lcm(denominator, (unit / one.capacity).denominator)
        if denominator * finest > 1:
            return finest, True
    return Fraction(1, denominator), False
