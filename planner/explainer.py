"""The contract between what explains instances and `planner.explanation`, which runs it and checks it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from planner.cloud.explanation import Finding
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.goal import Goal
from planner.solver import Effort

Keep: TypeAlias = Callable[[Finding], None]
"""Takes a finding as soon as there is one, so that nothing is lost when the explainer is stopped."""


class Explainer(Protocol):
    """Finds out what stands behind an outcome. What it says about plans comes with the plans."""

    def enough_alone(self, instance: CloudInstance, effort: Effort) -> str | None:
        """Which single change would make an infeasible instance feasible, in words, where that is quick."""

    def infeasible(self, instance: CloudInstance, goal: Goal, effort: Effort, keep: Keep) -> None:
        """What is in the way, and which changes of the limits would do; `instance` is proven infeasible.

        A change may be handed over again with a better plan; the last one's is the best it allows, in `goal`.
        """

    def alternatives(
        self,
        instance: CloudInstance,
        goal: Goal,
        best: CloudPlan,
        types: Sequence[int],
        effort: Effort,
        keep: Keep,
    ) -> None:
        """For each of the types (indices) the best plan that rents it; `best` is proven to be optimal."""

    def steps(self, instance: CloudInstance, goal: Goal, best: CloudPlan, effort: Effort, keep: Keep) -> None:
        """What more of each limit buys; `best` is proven to be optimal within the present ones."""
