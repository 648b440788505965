"""The paper's two baselines (V-A): minimise individual task times (MI), maximise parallelism (MP)."""

from __future__ import annotations

from dataclasses import dataclass

from planner.cloud.instance import CloudInstance
from planner.goal import Goal
from planner.result import StoppedBy
from planner.solver import Answer, Effort
from solvers.cloud.pipeline.add import add, by_price, by_speed
from solvers.cloud.pipeline.assign import assign
from solvers.cloud.pipeline.balance import balance
from solvers.cloud.pipeline.best import Best, impossible
from solvers.cloud.pipeline.estimate import Estimate
from solvers.cloud.pipeline.rented import Rented, possible
from solvers.cloud.ticks import Ticks


@dataclass(frozen=True)
class MinimiseIndividual:
    """MI: the whole budget for the type that runs all tasks in the least time, what is left for the cheapest.

    Where the limits allow no more VMs of one type, or it cannot run some application, the money goes to
    the next cheapest type.
    """

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:  # noqa: ARG002
        """The one plan this rule makes; none, with a message, where it breaks a limit."""
        ticks = possible(Ticks.of(instance))
        estimate = Estimate(ticks)
        return _spend(ticks, estimate, [*by_speed(estimate)[:1], *by_price(estimate)], effort)


@dataclass(frozen=True)
class MaximiseParallelism:
    """MP: the whole budget for the cheapest type.

    Where the limits allow no more VMs of one type, or it cannot run some application, the money goes to
    the next cheapest type.
    """

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:  # noqa: ARG002
        """The one plan this rule makes; none, with a message, where it breaks a limit."""
        ticks = possible(Ticks.of(instance))
        estimate = Estimate(ticks)
        return _spend(ticks, estimate, by_price(estimate), effort)


def _spend(ticks: Ticks, estimate: Estimate, order: list[int], effort: Effort) -> Answer:
    """ADD types in this order with the full budget, ASSIGN, BALANCE."""
    message = impossible(ticks)
    if message is not None:
        return Answer(message=message, resolution=ticks.resolution)
    fleet = Rented(ticks)

    def over() -> bool:
        return effort.stopped_by is not None

    add(fleet, ticks.budget, order, estimate, over)
    best = Best(ticks, effort)
    if not assign(fleet, dict(enumerate(ticks.counts)), range(len(fleet)), over=over):
        if effort.stopped_by is not None:
            return best.answer(effort.stopped_by)
        text = "no plan found: the VMs that the rule rents cannot run all applications"
        return Answer(message=text, resolution=ticks.resolution)
    balance(fleet, ticks.budget, over)
    best.consider(fleet)
    return best.answer(effort.stopped_by or StoppedBy.COMPLETED)
