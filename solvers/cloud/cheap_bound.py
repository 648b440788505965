"""The certified bound, and the reason where nothing is feasible, that go with every solver's result."""

from __future__ import annotations

from fractions import Fraction

from planner.cloud.instance import CloudInstance
from planner.goal import Goal
from planner.solver import Effort
from solvers.cloud import bound
from solvers.cloud.ticks import Ticks


class CheapBound:
    """The bound that `planner.run` puts beside every cloud result (planner.solver.Bound)."""

    def lower(self, instance: CloudInstance, goal: Goal) -> Fraction:
        """A lower bound on the makespan in seconds, or on the cost in money."""
        ticks = Ticks.of(instance, "down", None)
        if goal is Goal.COST:
            return ticks.money(bound.least_cost(ticks))
        return ticks.seconds(bound.least_makespan(ticks))

    def infeasible(self, instance: CloudInstance, effort: Effort) -> str | None:
        """Why no plan exists, where relaxations show it; the import is heavy and seldom needed."""
        from solvers.cloud.reasons import why_infeasible

        return why_infeasible(Ticks.of(instance, "down"), effort)
