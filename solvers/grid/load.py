"""The least load after a step: two relaxations, plans made like them, and an integer program between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from planner.errors import Unsupported
from planner.goal import Goal
from planner.grid.plan import GridPlan, plan_of
from planner.grid.step import GridStep
from planner.result import StoppedBy
from planner.solver import Answer, Effort
from solvers.cpsat import Outcome
from solvers.grid import flow, load_bound
from solvers.grid.arrays import Arrays
from solvers.grid.classes import Classes
from solvers.grid.kernels.matching import Floats
from solvers.grid.load_program import LARGEST_MODEL, LoadProgram
from solvers.grid.packing import best_fit, greedy
from solvers.grid.places import too_few

PROVEN = Fraction(1, 10**10)  # a gap that no result shows: loads within 1e-9 of each other are equal

Queues = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Load:
    """Plans for the least load, whatever goal is asked for; its bound speaks of the load."""

    def solve(self, step: GridStep, goal: Goal, effort: Effort[GridPlan]) -> Answer[GridPlan]:
        """A plan and the best bound found; without a time limit it goes on until one proves the other.

        Raises `Unsupported` where even the relaxation would pass flow.LARGEST_TABLE.
        """
        reason = too_few(step)
        if reason is not None:
            return Answer(infeasible=True, message=reason)
        arrays = Arrays.of(step)
        pairs = load_bound.choices(arrays)
        if pairs > flow.LARGEST_TABLE:
            raise Unsupported(
                f"solver 'load' takes {flow.LARGEST_TABLE:,} pairs of a job and a resource at most, "
                f"these are {pairs:,}"
            )
        queues, bound = load_bound.whole(step, arrays)
        bound = max(bound, load_bound.fluid(step))
        for candidate in _quickly(step, arrays):
            if load_of(step, candidate) < load_of(step, queues):
                queues = candidate
        plan = plan_of(step, queues)
        answer: Answer[GridPlan] = Answer(plan, bound)
        effort.progress.incumbent(plan)
        if bound < load_of(step, queues) * (1 - PROVEN):
            answer = _searched(step, queues, bound, effort, speaks=goal is Goal.LOAD)
        return answer if goal is Goal.LOAD else replace(answer, bound=None)


def load_of(step: GridStep, queues: Queues) -> float:
    """The load a plan leaves, in doubles: for choosing among plans and deciding whether to search."""
    ends = (
        float((one.backlog + sum(step.jobs[job].length for job in queue)) / one.capacity)
        for one, queue in zip(step.resources, queues, strict=True)
    )
    return sum(max(0.0, end - 1) for end in ends) / len(step.resources)


def _quickly(step: GridStep, arrays: Arrays) -> Iterator[Queues]:
    """Plans: what fits within the step by best fit and the rest greedily; all greedily, longest first."""

    def added_load(work: Floats, length: float) -> Floats:
        before = np.maximum(0.0, work / arrays.capacity - 1)
        added: Floats = np.maximum(0.0, (work + length) / arrays.capacity - 1) - before
        return added

    classes = Classes.of(step)
    rooms = [classes.whole(one.capacity - one.backlog) for one in step.resources]
    fitting, left = best_fit(classes, rooms, arrays.limit)
    yield greedy(arrays, left, fitting, added_load)
    longest_first = [job for jobs in classes.members for job in jobs]
    yield greedy(arrays, longest_first, [[] for _ in step.resources], added_load)


def _searched(
    step: GridStep, queues: Queues, bound: Fraction, effort: Effort[GridPlan], *, speaks: bool
) -> Answer[GridPlan]:
    """The same after a search with the integer program, started from `queues`."""
    answer = Answer(plan_of(step, queues), bound)
    program = LoadProgram(step)
    if program.variables > LARGEST_MODEL:
        text = (
            f"not searched: {program.variables:,} variables are needed, at most {LARGEST_MODEL:,} are taken"
        )
        return replace(answer, message=text)
    if effort.stopped_by:
        return replace(answer, stopped_by=effort.stopped_by)
    found = program.search(queues, effort, speaks=speaks)
    settled = found.outcome is Outcome.OPTIMAL
    unsettled = StoppedBy.COMPLETED if effort.limit.seconds is None else StoppedBy.TIME_LIMIT
    best = min(queues, found.queues or queues, key=lambda one: load_of(step, one))
    bound = max(bound, found.bound)
    rounded_away = settled and bound < load_of(step, best) * (1 - PROVEN)
    return Answer(
        plan_of(step, best),
        bound,
        stopped_by=effort.stopped_by or (StoppedBy.COMPLETED if settled else unsettled),
        message="numbers have too many digits to prove more" if rounded_away else None,
        resolution=program.resolution,
        build_seconds=program.build_seconds,
    )
