"""The certified bound that goes with every solver's result on a grid step (planner.solver.Bound)."""

from __future__ import annotations

from fractions import Fraction

from planner.goal import Goal
from planner.grid.plan import GridPlan
from planner.grid.step import GridStep
from planner.solver import Effort
from solvers.grid import flow, load_bound, makespan_bound
from solvers.grid.arrays import Arrays
from solvers.grid.places import too_few

QUICK_TABLE = 10**8  # choices that take about a tenth of a second: a cheap bound must be that


class StepBound:
    """Flow: the least flow itself, up to rounding. Makespan and load: closed forms."""

    def lower(self, step: GridStep, goal: Goal) -> Fraction:
        """A lower bound on the goal: total steps (flow), steps (makespan), or mean load."""
        if too_few(step):
            return Fraction(0)
        arrays = Arrays.of(step)
        if goal is Goal.MAKESPAN:
            return makespan_bound.certified(arrays)
        if goal is Goal.LOAD:
            fluid = load_bound.fluid(step)
            if load_bound.choices(arrays) > QUICK_TABLE:
                return fluid
            return max(fluid, load_bound.whole(step, arrays)[1])
        if flow.choices(arrays) > QUICK_TABLE:
            return flow.cheap_bound(step)
        return flow.best(arrays).bound

    def infeasible(self, step: GridStep, effort: Effort[GridPlan]) -> str | None:  # noqa: ARG002
        """Why there are too few places; any other step has a plan."""
        return too_few(step)
