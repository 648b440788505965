"""Least flow by the positional dynamic programme, in a millisecond: docs/model-grid.md, section 3."""

from __future__ import annotations

from dataclasses import dataclass

from planner.errors import Unsupported
from planner.goal import Goal
from planner.grid.plan import GridPlan, plan_of
from planner.grid.step import GridStep
from planner.solver import Answer, Effort
from solvers.grid import flow
from solvers.grid.arrays import Arrays
from solvers.grid.places import too_few


@dataclass(frozen=True, slots=True)
class Positional:
    """Plans for the least flow, whatever goal is asked for; its bound speaks of the flow."""

    def solve(self, step: GridStep, goal: Goal, effort: Effort[GridPlan]) -> Answer[GridPlan]:  # noqa: ARG002
        """The optimal plan, up to the rounding of doubles; the bound is `flow.best`'s.

        Raises `Unsupported` where the dynamic programme would pass flow.LARGEST_TABLE.
        """
        reason = too_few(step)
        if reason is not None:
            return Answer(infeasible=True, message=reason)
        arrays = Arrays.of(step)
        table = flow.choices(arrays)
        if table > flow.LARGEST_TABLE:
            raise Unsupported(
                f"solver 'positional' would have to remember {table:,} choices for {len(step.jobs):,} jobs "
                f"and {len(step.resources):,} resources, at most {flow.LARGEST_TABLE:,} are taken"
            )
        found = flow.best(arrays)
        return Answer(plan_of(step, found.queues), found.bound if goal is Goal.FLOW else None)
