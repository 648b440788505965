"""FIND (paper IV-H, Algorithm 1): the greedy pipeline as a solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from planner.cloud.instance import CloudInstance
from planner.goal import Goal
from planner.result import StoppedBy
from planner.solver import Answer, Effort
from solvers.cloud.pipeline.add import add, by_speed
from solvers.cloud.pipeline.assign import assign
from solvers.cloud.pipeline.balance import balance
from solvers.cloud.pipeline.best import Best, impossible
from solvers.cloud.pipeline.clock import Over
from solvers.cloud.pipeline.estimate import Estimate
from solvers.cloud.pipeline.initial import initial
from solvers.cloud.pipeline.keep import keep
from solvers.cloud.pipeline.reduce import reduce
from solvers.cloud.pipeline.rented import Rented, possible
from solvers.cloud.pipeline.replace import replace
from solvers.cloud.ticks import Ticks

ROUNDS = 20  # of Algorithm 1's loop; the paper's instances take up to six


@dataclass(frozen=True)
class Heuristic:
    """The paper's pipeline: INITIAL, ASSIGN, REDUCE; then REDUCE, ADD, BALANCE, KEEP, REPLACE in a loop.

    Where the types with the least time for the tasks are not those that run them for the least money, the
    pipeline runs a second time, from the latter: money that is short for the fastest types then still buys
    a plan. At the end VMs that the same makespan does not need are given back. It uses no chance, so the
    seed changes nothing, and proves nothing.
    """

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:  # noqa: ARG002
        """The best plan within all limits seen at any stage; where there was none, a message says why."""
        ticks = possible(Ticks.of(instance))
        message = impossible(ticks)
        if message is not None:
            return Answer(message=message, resolution=ticks.resolution)
        best = Best(ticks, effort)
        estimate = Estimate(ticks)
        swift, thrifty = initial(ticks, estimate), initial(ticks, estimate, thrifty=True)
        starts = [swift] if swift.counts == thrifty.counts else [swift, thrifty]

        def over() -> bool:
            return effort.stopped_by is not None

        tasks = dict(enumerate(ticks.counts))
        for fleet in starts:
            if assign(fleet, tasks, range(len(fleet)), thrifty=fleet is thrifty, over=over):
                best.consider(fleet)
                _improve(fleet, estimate, best, over)
        if best.fleet is not None and not over():
            # Least cost among plans with this makespan: remove VMs without letting any run longer.
            reduce(best.fleet, 0, local=False, ceiling=best.fleet.makespan, over=over)
            best.consider(best.fleet)
        return best.answer(effort.stopped_by or StoppedBy.COMPLETED)


def _improve(fleet: Rented, estimate: Estimate, best: Best, over: Over) -> None:
    """Algorithm 1 from line 4 on, to its end or as far as time allows.

    It goes on while cost or makespan is lower than in the round before. As either may rise meanwhile, that
    can go round in circles: it ends where a pair of both comes back, after `ROUNDS`, and where the best plan
    ends with the longest task, before which none can.
    """
    budget = estimate.ticks.budget
    steps: tuple[Callable[[], object], ...] = (
        lambda: reduce(fleet, budget, local=False, over=over),
        lambda: add(fleet, budget, by_speed(estimate), estimate, over),
        lambda: balance(fleet, budget, over),
        lambda: keep(fleet, budget, over),
        lambda: replace(fleet, budget, estimate, over),
    )
    reduce(fleet, budget, local=True, over=over)
    best.consider(fleet)
    best.report()
    previous: tuple[int, int] | None = None
    seen: set[tuple[int, int]] = set()
    for _ in range(ROUNDS):
        for step in steps:
            if over() or (best.fleet is not None and best.fleet.makespan <= estimate.longest_task):
                return
            step()
            best.consider(fleet)
        best.report()
        now = fleet.cost, fleet.makespan
        worse = previous is not None and now[0] >= previous[0] and now[1] >= previous[1]
        if worse or now in seen:
            break
        seen.add(now)
        previous = now
