"""Plans for very large instances: column generation, rounded (docs/model-cloud.md, "A million tasks").

At a fixed makespan T the cheapest fractional fleet comes from column generation over contents of VMs; it is
rounded down, completed by a small integer program, and tasks are poured into it. T starts at the certified
bound and rises by as little as the missing money asks for. The time this takes depends on the numbers of
types and classes, not on that of tasks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from planner.cloud.instance import CloudInstance
from planner.result import Goal, StoppedBy
from planner.solver import Answer, Effort
from solvers.cloud import bound, fleet
from solvers.cloud.columns.completion import complete
from solvers.cloud.columns.filling import fill
from solvers.cloud.columns.generation import Generated, generate
from solvers.cloud.columns.leftovers import count_vms, place
from solvers.cloud.columns.market import Market
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.ticks import Ticks

MOST_ATTEMPTS = 60  # on the way up to the first plan
MOST_REFINEMENTS = 8  # between the last failure and the best plan
CLOSE = 3e-5  # no refinement below this share of the makespan
FIRST_STEP = 1e-4  # of the makespan, where the money does not tell how far to go


@dataclass
class _Search:
    """The best plan so far, on one way to cut the tasks into items."""

    market: Market
    goal: Goal
    effort: Effort
    best: Counter[LoadedVM] | None = None
    best_value: tuple[int, int] | None = None  # makespan in ticks and cost in coins, the goal's first
    generated: Generated | None = None

    def attempt(self, makespan: int) -> int | None:
        """Make a plan that ends by `makespan`, and keep it if it is good. Returns its cost; None: no plan."""
        ticks = self.market.ticks
        generated = generate(self.market, makespan, self.effort, self.generated)
        if generated is None or self.effort.stopped_by:
            return None
        self.generated = generated
        columns = complete(self.market, generated, self.effort)
        if columns is None:
            return None
        groups, left = fill(self.market, columns)
        if not place(self.market, makespan, groups, left):
            return None
        vms = count_vms(ticks, groups)
        return self._offer(vms)

    def _offer(self, vms: Counter[LoadedVM]) -> int:
        ticks = self.market.ticks
        ends = {vm: ticks.execution(*vm) for vm in vms}
        cost = sum(n * ticks.vm_cost(vm.kind, ends[vm]) for vm, n in vms.items())
        makespan = max(ends.values())
        value = (makespan, cost) if self.goal is Goal.MAKESPAN else (cost, makespan)
        affordable = ticks.budget is None or cost <= ticks.budget
        if affordable and _within_limits(ticks, vms) and (self.best_value is None or value < self.best_value):
            self.best, self.best_value = vms, value
            self.effort.progress.incumbent(fleet.plan(ticks, vms))
        return cost

    def affords(self, cost: int | None) -> bool:
        """Whether a plan of this cost counts."""
        budget = self.market.ticks.budget
        return cost is not None and (budget is None or cost <= budget)


@dataclass(frozen=True)
class Rounding:
    """A plan near the certified bound for instances of any size; proves no optimum of its own."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        """The best plan found and the cheap bound; no plan, with a message, where none is found."""
        ticks = Ticks.of(instance, "up", None)
        if bound.longest_task(ticks) is None:
            return Answer(message="some tasks run on no type that may be rented", resolution=ticks.resolution)
        lower = bound.least_makespan(ticks)
        certified = ticks.seconds(lower) if goal is Goal.MAKESPAN else ticks.money(bound.least_cost(ticks))
        effort.progress.bound(certified)
        search = _Search(Market.of_units(ticks), goal, effort)
        if goal is Goal.MAKESPAN:
            _least_makespan(search, lower)
        else:
            search.attempt(_horizon(ticks))
        found = search.best is not None
        return Answer(
            plan=fleet.plan(ticks, search.best) if search.best is not None else None,
            bound=certified,
            stopped_by=effort.stopped_by or StoppedBy.COMPLETED,
            message=None
            if found
            else "no plan found; solver 'exact' may find one, or prove that none exists",
            resolution=ticks.resolution,
        )


def _least_makespan(search: _Search, lower: int) -> None:
    """Raise T from the bound until a plan is found, then look between it and the last failure."""
    ticks = search.market.ticks
    horizon = _horizon(ticks)
    needed = bound.MoneyEstimate(ticks).needed
    makespan, failed, step = max(lower, 1), lower - 1, FIRST_STEP
    for _ in range(MOST_ATTEMPTS):
        if search.effort.stopped_by or makespan > horizon:
            return
        cost = search.attempt(makespan)
        if search.best is not None:
            break
        failed = makespan
        wanted = 0 if cost is None else _affordable(ticks, needed, makespan, cost, horizon)
        makespan = max(wanted, makespan + max(1, round(makespan * step)))
        step *= 2
        if failed < horizon:
            makespan = min(makespan, horizon)
    for _ in range(MOST_REFINEMENTS):
        if search.best_value is None or search.effort.stopped_by:
            return
        best = search.best_value[0]
        if best - failed <= max(1, CLOSE * best):
            return
        middle = (failed + best) // 2
        if not search.affords(search.attempt(middle)):
            failed = middle


def _affordable(ticks: Ticks, needed: Callable[[int], float], makespan: int, cost: int, horizon: int) -> int:
    """Where the plan's cost would meet the budget if it fell with T as the money of the cheap bound does."""
    if ticks.budget is None or not cost:
        return makespan
    wanted = needed(makespan) * ticks.budget / cost
    low, high = makespan, horizon
    if needed(high) > wanted:
        return makespan
    while low < high:
        middle = (low + high) // 2
        if needed(middle) > wanted:
            low = middle + 1
        else:
            high = middle
    return low


def _horizon(ticks: Ticks) -> int:
    """The latest end worth a look: the deadline, else all work one after the other."""
    return bound.serial(ticks) if ticks.deadline is None else ticks.deadline


def _within_limits(ticks: Ticks, vms: Counter[LoadedVM]) -> bool:
    rented: Counter[int] = Counter()
    for vm, n in vms.items():
        rented[vm.kind] += n
    own = all(limit is None or rented[t] <= limit for t, limit in enumerate(ticks.max_instances))
    return own and (ticks.max_vms is None or rented.total() <= ticks.max_vms)
