"""Plans for very large instances: column generation, rounded (docs/model-cloud.md, "A million tasks").

At a fixed makespan T the cheapest fractional fleet comes from column generation over contents of VMs; it is
rounded down, completed by a small integer program, and tasks are poured into it. The search for T first
proves where even fractions of VMs cost too much, which is the bound, and rises from there by as little as the
missing money asks for. The time this takes depends on the numbers of types and classes, not on that of tasks.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from planner.cloud.instance import CloudInstance
from planner.result import Goal, StoppedBy
from planner.solver import Answer, Effort
from solvers.cloud import bound, fleet
from solvers.cloud.columns.completion import complete
from solvers.cloud.columns.filling import fill
from solvers.cloud.columns.generation import Generated, generate
from solvers.cloud.columns.leftovers import count_vms, place
from solvers.cloud.columns.lower import LeastMakespan, horizon, least_cost
from solvers.cloud.columns.market import Market
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.ticks import Ticks

MOST_ATTEMPTS = 60  # on the way up to the first plan
MOST_REFINEMENTS = 8  # between the last failure and the best plan
CLOSE = 2e-5  # no refinement below this share of the makespan
SMALL = 1000  # types times items; in larger instances a refinement takes a second, so there are
FEW_REFINEMENTS = 4  # at most, and none when the gap is
SMALL_GAP = 3e-4  # or less
FIRST_STEP = 1e-4  # of the makespan, where the money does not tell how far to go
FINE_QUANTUM = 1000  # a makespan of more quanta than this is looked for in whole quanta


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
        generated = generate(self.market, makespan, self.effort, self.generated)
        if generated is None or self.effort.stopped_by:
            return None
        self.generated = generated
        columns = complete(self.market, generated, self.effort) if generated.covers else None
        if columns is None:
            return None
        groups, left = fill(self.market, columns)
        if not place(self.market, makespan, groups, left):
            return None
        return self._offer(count_vms(self.market.ticks, groups))

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
        """The best plan found and a certified bound; no plan, with a message, where none is found."""
        ticks = _ticks(instance)
        if bound.longest_task(ticks) is None:
            return Answer(message="some tasks run on no type that may be rented", resolution=ticks.resolution)
        market = Market.of_classes(ticks) if ticks.rounded else Market.of_units(ticks)
        search = _Search(market, goal, effort)
        if goal is Goal.MAKESPAN:
            lowest = LeastMakespan(search.market, effort)
            certified = ticks.seconds(lowest.prove())
            _least_makespan(search, lowest)
        else:
            search.attempt(horizon(ticks))
            certified = ticks.money(least_cost(search.market, search.generated))
        found = search.best is not None
        return Answer(
            plan=fleet.plan(ticks, search.best) if search.best is not None else None,
            bound=None if ticks.rounded else certified,  # what is proven of longer times is not of true ones
            stopped_by=effort.stopped_by or StoppedBy.COMPLETED,
            message=None
            if found
            else "no plan found; solver 'exact' may find one, or prove that none exists",
            resolution=ticks.resolution,
        )


def _least_makespan(search: _Search, lowest: LeastMakespan) -> None:
    """Raise T from where fractions of VMs would do until a plan is found; then look below it."""
    ticks = search.market.ticks
    latest = horizon(ticks)
    makespan = _in_quanta(ticks, max(lowest.enough, 1))
    failed, step = min(lowest.enough, makespan) - 1, FIRST_STEP
    search.generated = lowest.generated
    for _ in range(MOST_ATTEMPTS):
        if search.effort.stopped_by or makespan > latest:
            return
        cost = search.attempt(makespan)
        if search.best is not None:
            break
        failed = makespan
        wanted = 0 if cost is None else lowest.affordable(makespan, cost, latest)
        makespan = _in_quanta(ticks, max(wanted, makespan + max(1, round(makespan * step))))
        step *= 2
        if failed < latest:
            makespan = min(makespan, latest)
    small = len(ticks.types) * len(search.market.demand) <= SMALL
    for _ in range(MOST_REFINEMENTS if small else FEW_REFINEMENTS):
        if search.best_value is None or search.effort.stopped_by:
            return
        best = search.best_value[0]
        middle = _in_quanta(ticks, (failed + best) // 2)
        if best - failed <= max(1, CLOSE * best) or middle >= best:
            return
        if not small and best - lowest.impossible <= SMALL_GAP * best:
            return
        if not search.affords(search.attempt(middle)):
            failed = middle


def _in_quanta(ticks: Ticks, makespan: int) -> int:
    """The end of the last quantum that `makespan` pays for, where that is hardly later."""
    if makespan < FINE_QUANTUM * ticks.quantum:
        return makespan
    rounded = ticks.quanta(makespan) * ticks.quantum
    return rounded if ticks.deadline is None else min(rounded, max(makespan, ticks.deadline))


def _ticks(instance: CloudInstance) -> Ticks:
    """The instance in ticks, exact if any VM's time is below 2^58; sums over VMs are Python's own numbers."""
    return Ticks.of(instance, "up", (instance.task_count * len(instance.instance_types)) << 58)


def _within_limits(ticks: Ticks, vms: Counter[LoadedVM]) -> bool:
    rented: Counter[int] = Counter()
    for vm, n in vms.items():
        rented[vm.kind] += n
    own = all(limit is None or rented[t] <= limit for t, limit in enumerate(ticks.max_instances))
    return own and (ticks.max_vms is None or rented.total() <= ticks.max_vms)
