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
from planner.errors import UsageError
from planner.goal import Goal
from planner.result import StoppedBy
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
MOST_IN_VAIN = 3  # of them in a row
CLOSE = 2e-5  # no refinement below this share of the makespan
SMALL = 1000  # types times items; in larger instances a refinement takes a second, so there are
FEW_REFINEMENTS = 2  # at most, and none when the gap is
SMALL_GAP = 5e-4  # or less
FIRST_STEP = 1e-4  # of the makespan, where the money does not tell how far to go
LARGE_GAP = 5e-3  # above it, contents are counted in tasks, too, if
MOST_BY_TASK = 3000  # types times classes are no more
EARLY_PERCENTS = (103, 120, 200)  # of the cheap bound, for a first plan where time is limited
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
    """A plan near the certified bound for instances of any size.

    `items` is what contents of VMs are counted in: `units` of the applications' sizes, which is fast;
    `tasks`, which is closer where a VM holds few of them; or `auto`, both where units leave a large gap and
    tasks do not take long.
    """

    items: str = "auto"

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        """The best plan found and a certified bound; no plan, with a message, where none is found.

        Raises `UsageError` where `items` is none of the three words.
        """
        if self.items not in ("auto", "units", "tasks"):
            raise UsageError(
                f"option 'items' of solver 'rounding' is auto, units or tasks, not {self.items!r}"
            )
        ticks = _ticks(instance)
        if bound.longest_task(ticks) is None:
            return Answer(message="some tasks run on no type that may be rented", resolution=ticks.resolution)
        by_task = self.items == "tasks" or ticks.rounded  # rounded times are no multiples of a unit's
        search = _Search(Market.of_classes(ticks) if by_task else Market.of_units(ticks), goal, effort)
        certified = _run(search)
        if self.items == "auto" and not by_task and _worth_another(search, certified):
            search = _Search(Market.of_classes(ticks), goal, effort, search.best, search.best_value)
            certified = max(certified, _run(search))
        exact = ticks.seconds(certified) if goal is Goal.MAKESPAN else ticks.money(certified)
        return Answer(
            plan=fleet.plan(ticks, search.best) if search.best is not None else None,
            bound=None if ticks.rounded else exact,  # what is proven of longer times is not of true ones
            stopped_by=effort.stopped_by or StoppedBy.COMPLETED,
            message=None if search.best is not None else _nothing_found(effort),
            resolution=ticks.resolution,
        )


def _run(search: _Search) -> int:
    """Look for the best plan; returns what is proven: ticks or coins."""
    if search.goal is Goal.COST:
        search.attempt(horizon(search.market.ticks))
        return least_cost(search.market, search.generated, search.effort)
    if search.effort.limit.seconds is not None:
        _any_plan(search)
    lowest = LeastMakespan(search.market, search.effort)
    proven = lowest.prove()
    _least_makespan(search, lowest)
    return proven


def _worth_another(search: _Search, proven: int) -> bool:
    """Whether counting in tasks is likely to help, and quick."""
    ticks = search.market.ticks
    if search.effort.stopped_by or len(ticks.counts) * len(ticks.types) > MOST_BY_TASK:
        return False
    if len(ticks.counts) == len(search.market.demand):
        return False
    return search.best_value is None or search.best_value[0] - proven > LARGE_GAP * search.best_value[0]


def _any_plan(search: _Search) -> None:
    """A plan that need not be good, at makespans well above the cheap bound: for when time runs out."""
    lower, latest = bound.least_makespan(search.market.ticks), horizon(search.market.ticks)
    for percent in EARLY_PERCENTS:
        if search.best is None and not search.effort.stopped_by:
            search.attempt(_in_quanta(search.market.ticks, min(latest, max(1, lower * percent // 100))))


def _nothing_found(effort: Effort) -> str:
    if effort.stopped_by is not None:
        return "no plan found yet"
    return "no plan found; solver 'exact' may find one, or prove that none exists"


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
        if search.best_value is not None and makespan >= search.best_value[0]:
            break
        cost = search.attempt(makespan)
        if search.affords(cost):
            break
        failed = makespan
        wanted = 0 if cost is None else lowest.affordable(makespan, cost, latest)
        makespan = _in_quanta(ticks, max(wanted, makespan + max(1, round(makespan * step))))
        step *= 2
        if failed < latest:
            makespan = min(makespan, latest)
    small = len(ticks.types) * len(search.market.demand) <= SMALL
    in_vain = 0
    for _ in range(MOST_REFINEMENTS if small else FEW_REFINEMENTS):
        if search.best_value is None or search.effort.stopped_by:
            return
        best = search.best_value[0]
        middle = _in_quanta(ticks, (failed + best) // 2)
        if best - failed <= max(1, CLOSE * best) or middle >= best:
            return
        if not small and best - lowest.impossible <= SMALL_GAP * best:
            return
        if search.affords(search.attempt(middle)):
            in_vain = 0
        else:
            failed, in_vain = middle, in_vain + 1
            if in_vain == MOST_IN_VAIN:
                return


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
