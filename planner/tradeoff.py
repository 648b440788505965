"""The budget-makespan trade-off of one instance, every point of it with its proof.

Two ways to ask: for given budgets, or for the most telling points of a range. Runs share what they prove
(planner.known), so most budgets of a flat stretch need no search at all. The instance's own budget plays no
part; its deadline and limits bind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING

from planner.budgets import MOST_BUDGETS, Money, amount, budgets_of, coin, plenty
from planner.cloud.instance import CloudInstance
from planner.cloud.valid import refuse_impossible
from planner.comparison import solver_names
from planner.errors import BackendMissing, PlannerError, Unsupported, UsageError
from planner.goal import Goal
from planner.known import Known
from planner.report.frontier import COLUMNS, frontier_rows
from planner.report.names import label
from planner.report.numbers import number
from planner.result import Result, Status, StoppedBy
from planner.run import require, result_of, solve
from planner.settings import refuse_settings
from planner.solver import Progress, TimeLimit
from solvers import catalog

if TYPE_CHECKING:
    import pandas as pd

POINTS = 20
"""Points of a frontier for which nothing is asked."""

_ACCEPTED = "the given start was accepted"
_SHORTEST_RUN = 0.01
"""Seconds; with less time left no run is started."""


@dataclass(frozen=True, slots=True)
class Point:
    """What a budget buys: the result of the instance with this budget in place of its own."""

    budget: Fraction
    result: Result


@dataclass(frozen=True, slots=True)
class Gap:
    """Budgets strictly between `low` and `high` of which only this is proven: the makespan (seconds) is at
    least `fastest` and at most `slowest`; None: not even a plan is known.
    """

    low: Fraction
    high: Fraction
    fastest: Fraction
    slowest: Fraction | None


@dataclass(frozen=True, slots=True)
class Frontier:
    """Points by rising budget, and the same of other solvers in `overlays`, by solver with its options.

    `gaps` are where breakpoints between the first and the last point may be missing; without any, the step
    function through the points is the whole truth. `least_budget` is the least one that works, where it had
    to be found. `unfinished` are budgets asked for that an interrupt left without a point; `errors` those of
    failed runs.
    """

    instance: CloudInstance
    solver: str
    points: tuple[Point, ...]
    overlays: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()
    least_budget: Fraction | None = None
    interrupted: bool = False
    unfinished: tuple[Fraction, ...] = ()
    errors: tuple[PlannerError, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether no breakpoint between the first and the last point is missing, and all are proven."""
        settled = (Status.OPTIMAL, Status.INFEASIBLE)
        return not self.gaps and all(point.result.status in settled for point in self.points)

    @property
    def frame(self) -> pd.DataFrame:
        """One row a point and solver; the columns are those of `planner.report.frontier.COLUMNS`."""
        import pandas as pd

        return pd.DataFrame(frontier_rows(self), columns=list(COLUMNS))

    def __str__(self) -> str:
        """The table that `planner frontier` prints."""
        from planner.report.frontier import frontier_table
        from planner.report.tables import as_text

        return as_text(frontier_table(self))

    def _repr_svg_(self) -> str:
        from planner.report.figures import frontier_svg

        return frontier_svg(self)


def frontier(
    instance: CloudInstance | str | Path,
    *,
    budgets: str | Iterable[Money] | None = None,
    points: int | None = None,
    low: Money | None = None,
    high: Money | None = None,
    solver: str = "exact",
    overlay: str | Iterable[str] = (),
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 1,
    progress: Progress | None = None,
    on_start: Callable[[CloudInstance, str], None] | None = None,
    on_result: Callable[[Result], None] | None = None,
) -> Frontier:
    """The least makespan for each budget, for an instance or the file that holds it.

    Either `budgets` (amounts, or text as `"40:85:5"` or `"40,50,60"`), or up to `points` of them (20) from
    `low` to `high`, by default from the least budget that works to the one beyond which nothing gets faster.
    Where the range has no more breakpoints than `points` these are all of them; else the next one always
    halves the largest box between neighbours (their distance in money times that in seconds), at the
    geometric mean of the budgets. Both ends are always among the points.

    `overlay` names solvers to run at the same budgets. `time_limit` is in seconds for the whole call, the
    import of solvers not counted: each run may take an equal share of what is left, and of `budgets` one
    whose turn does not come gets what the others prove about it. Ctrl-C returns the points so far. `on_start`
    is called before each run and `on_result` after each point.

    Raises `UsageError` (bad budgets, range, solver or setting), `Unsupported`, `BackendMissing`,
    `CheckFailed` (two proofs contradict each other), and `KeyboardInterrupt` where there is no point yet.
    """
    if budgets is not None and not (points is None and low is None and high is None):
        raise UsageError("budgets are given, so neither points nor ends of a range can be")
    refuse_settings(time_limit, workers, seed)
    if not isinstance(instance, CloudInstance):
        from planner.files import read_cloud  # its libraries are not needed for instances made in memory

        instance = read_cloud(instance)
    refuse_impossible(instance)
    listed = None if budgets is None else budgets_of(budgets)
    most = POINTS if points is None else points
    if not 2 <= most <= MOST_BUDGETS:
        raise UsageError(f"the number of points must be from 2 to {MOST_BUDGETS}, not {most}")
    ends = (None if low is None else amount(low), None if high is None else amount(high))
    if ends[0] is not None and ends[1] is not None and ends[0] > ends[1]:
        raise UsageError(f"the range from {number(ends[0])} to {number(ends[1])} ends before it starts")
    overlays = [name for name in solver_names(overlay) if name != solver] if overlay else []
    for name in (solver, *overlays):
        require(name)
    catalog.cheap_bound("cloud")  # imported before the clock starts, as the solvers are
    run = _Runs(instance, solver, TimeLimit(time_limit), workers, seed, progress, on_start, on_result)
    search = _Search(run, coin(instance), len(overlays))
    interrupted = False
    try:
        if listed is not None:
            search.over(listed)
        else:
            search.between(ends[0], ends[1], most)
        search.overlay(overlays)
    except KeyboardInterrupt:
        if not search.found:
            raise
        interrupted = True
    return search.frontier(interrupted, listed or ())


@dataclass
class _Runs:
    """One solver run after the other, all within one time limit, and the errors of those that failed."""

    instance: CloudInstance
    solver: str
    limit: TimeLimit
    workers: int
    seed: int
    progress: Progress | None
    on_start: Callable[[CloudInstance, str], None] | None
    on_result: Callable[[Result], None] | None
    errors: list[PlannerError] = field(default_factory=list)

    def run(
        self,
        budget: Fraction | None,
        left: int,
        *,
        solver: str | None = None,
        goal: Goal = Goal.MAKESPAN,
        start: Result | None = None,
    ) -> Result:
        """One run, with an equal share of the time left for it and `left` - 1 others."""
        name = self.solver if solver is None else solver
        problem = replace(self.instance, budget=budget)
        if self.on_start is not None:
            self.on_start(problem, f"{name} · {_asked(budget, goal)}")
        share = None if self.limit.seconds is None else max(self.limit.remaining / left, _SHORTEST_RUN)
        try:
            result = solve(
                problem,
                name,
                goal=goal,
                time_limit=share,
                workers=self.workers,
                seed=self.seed,
                progress=self.progress,
                start=None if start is None else start.plan,
            )
            return replace(result, message=_without_start(result.message))
        except (UsageError, BackendMissing):
            raise
        except PlannerError as error:
            if isinstance(error, Unsupported) and solver is None:
                raise
            if not isinstance(error, Unsupported):
                self.errors.append(error)
            return result_of(error, problem, name, goal=goal, seed=self.seed)

    @property
    def out_of_time(self) -> bool:
        """Whether no further run is worth starting."""
        return self.limit.remaining < _SHORTEST_RUN


class _Search:
    """Looks for the points; `found` has them by budget, as they came."""

    def __init__(self, run: _Runs, unit: Fraction | None, overlays: int) -> None:
        self._run, self._unit, self._overlays = run, unit, overlays
        self._known = Known(run.instance)
        self._like: Result | None = None
        self._tried: set[Fraction] = set()
        self._nothing_new: set[Fraction] = set()
        self.found: dict[Fraction, Result] = {}
        self.others: dict[str, dict[Fraction, Result]] = {}

    def over(self, budgets: tuple[Fraction, ...]) -> None:
        """All these budgets: the ends, then always the middle of the largest box between two neighbours."""
        last = len(budgets) - 1
        self._at(budgets[last], last + 2)
        self._at(budgets[0], last + 1)
        boxes: list[tuple[float, int, int]] = [(0.0, 0, last)]
        while boxes:
            _, first, end = heappop(boxes)
            if end - first < 2:
                continue
            middle = (first + end) // 2
            self._at(budgets[middle], last + 2 - len(self.found))
            for box in ((first, middle), (middle, end)):
                heappush(boxes, (-self._area(budgets[box[0]], budgets[box[1]]), *box))

    def between(self, low: Fraction | None, high: Fraction | None, most: int) -> None:
        """Up to `most` points from `low` to `high`, all breakpoints where they are that few."""
        if high is None:
            high = self._fastest(most + 2)
            high = low if high is None or (low is not None and high < low) else high
        if high is None:  # no budget works at all, or nothing was found in time
            high = Fraction(0) if self._known.hopeless else self._known.least or plenty(self._run.instance)
        if low is None:
            low = self._least(most + 1)
            low = high if low is None else min(low, high)
        top = self._at(high, most)
        bottom = self._at(low, most - 1)
        if bottom.status is Status.INFEASIBLE and top.plan is not None:
            least = self._known.least_budget
            if least is not None and low < least < high:
                self._at(least, most - 2)
        self._keep_cheapest(top, low)
        while len(self.found) < most and not self._run.out_of_time and (budget := self._next()) is not None:
            before = len(self.found)
            result = self._at(budget, most - before, keep=False)
            self._keep_cheapest(result, low)
            if len(self.found) == before:
                self._nothing_new.add(budget)

    def overlay(self, solvers: Iterable[str]) -> None:
        """The other solvers at all budgets found that are not proven to be too small."""
        names = list(solvers)
        budgets = [budget for budget in sorted(self.found) if self._known.too_small(budget) is None]
        cells = [(name, budget) for name in names for budget in budgets]
        for index, (name, budget) in enumerate(cells):
            own = self.others.setdefault(name, {})
            if self._run.out_of_time:
                return
            result = self._run.run(budget, len(cells) - index, solver=name)
            self._known.add(budget, result, own=False)
            own[budget] = result
            self._report(result)

    def frontier(self, interrupted: bool, asked: Iterable[Fraction]) -> Frontier:
        """All that was found, each point with what the others prove about it."""
        known = self._known
        points = tuple(Point(b, known.settled(b, result)) for b, result in sorted(self.found.items()))
        overlays = {
            name: tuple(Point(b, known.settled(b, result, own=False)) for b, result in sorted(own.items()))
            for name, own in self.others.items()
        }
        return Frontier(
            instance=self._run.instance,
            solver=label(self._like) if self._like is not None else self._run.solver,
            points=points,
            overlays={label(own[0].result): own for own in overlays.values() if own},
            gaps=tuple(gap for one, two in pairwise(points) if (gap := self._gap(one, two)) is not None),
            least_budget=known.least_budget,
            interrupted=interrupted,
            unfinished=tuple(budget for budget in asked if budget not in self.found),
            errors=tuple(self._run.errors),
        )

    def _at(self, budget: Fraction, left: int, *, keep: bool = True) -> Result:
        """The result of this budget, from a run where what is known leaves anything open."""
        if budget in self.found:
            return self.found[budget]
        result = self._without_run(budget)
        if result is None:
            start = self._known.within(budget)
            result = self._run.run(budget, self._cells(left), start=start)
            self._like = self._like or result
            self._learn(budget, result)
            if result.status is Status.INFEASIBLE and self._known.least is None:
                self._least(left)
            result = self._known.settled(budget, result)
        self._tried.add(budget)
        if keep:
            self.found[budget] = result
        self._report(result)
        return result

    def _without_run(self, budget: Fraction) -> Result | None:
        if self._like is None:
            return None
        if self._run.out_of_time:
            return self._known.so_far(budget, self._like, StoppedBy.TIME_LIMIT)
        return self._known.without_solving(budget, self._like)

    def _learn(self, budget: Fraction | None, result: Result) -> None:
        self._known.add(budget, result)
        if result.stopped_by is StoppedBy.INTERRUPTED:
            if budget is not None and result.plan is not None:
                self.found[budget] = result
            raise KeyboardInterrupt

    def _report(self, result: Result) -> None:
        if self._run.on_result is not None:
            self._run.on_result(result)

    def _cells(self, left: int) -> int:
        """Runs that the time left is to be shared among, when `left` points are to come."""
        return max(left, 1) * (1 + self._overlays)

    def _fastest(self, left: int) -> Fraction | None:
        """The cost of the cheapest plan known that nothing beats, however much is paid."""
        result = self._run.run(None, self._cells(left))
        self._like = self._like or result
        self._learn(None, result)
        return result.cost

    def _least(self, left: int) -> Fraction | None:
        """The least budget that works, or the least that a plan is known for."""
        if not self._known.hopeless:
            try:
                result = self._run.run(None, self._cells(left), goal=Goal.COST)
            except Unsupported:
                result = self._run.run(None, self._cells(left), goal=Goal.COST, solver="exact")
            self._learn(None, result)
            if result.cost is not None:
                return result.cost
        return self._known.least

    def _keep_cheapest(self, result: Result, low: Fraction) -> None:
        """Keep a result as the point of its cost: its plan needs no more, and its bound holds there, too."""
        if result.cost is not None and result.cost >= low and result.cost not in self.found:
            for budget in [b for b, other in self.found.items() if self._replaces(result, b, other)]:
                del self.found[budget]
            self.found[result.cost] = result
            self._tried.add(result.cost)

    def _replaces(self, result: Result, budget: Fraction, other: Result) -> bool:
        """Whether `other`, no end of the range, is as slow as `result` and dearer."""
        inner = budget not in (min(self.found), max(self.found))
        return inner and other.makespan == result.makespan and budget > (result.cost or 0)

    def _next(self) -> Fraction | None:
        """The budget to try next, in the largest box; None where nothing is open."""
        largest, best = 0.0, None
        for one, two in pairwise(sorted(self.found)):
            area, budget = self._box(one, two)
            if budget is not None and area > largest:
                largest, best = area, budget
        return best

    def _box(self, one: Fraction, two: Fraction) -> tuple[float, Fraction | None]:
        """How much is open between two neighbours, and the budget to ask about it."""
        slow, fast = self.found[one], self.found[two]
        if self._unit is None or slow.makespan is None or fast.makespan is None:
            return 0.0, None
        top = self._coins(min(two, fast.cost or two))
        tried = max(budget for budget in self._tried if one <= budget < two)
        bottom = self._coins(tried)
        if top - bottom < 2:
            return 0.0, None
        area = float((top - bottom - 1) * self._unit * (slow.makespan - fast.makespan))
        if tried in self._nothing_new:  # there may be no step in here at all: one look more tells
            return area, (top - 1) * self._unit
        middle = isqrt(bottom * top) if bottom else top // 2
        return area, min(max(middle, bottom + 1), top - 1) * self._unit

    def _coins(self, budget: Fraction) -> int:
        """Whole coins in a budget; what is beyond them buys nothing."""
        assert self._unit is not None
        return budget // self._unit

    def _gap(self, one: Point, two: Point) -> Gap | None:
        """What is open between two neighbours, where anything is."""
        slow, fast = one.result, two.result
        if self._unit is None or fast.makespan is None or slow.makespan == fast.makespan:
            return None
        if slow.makespan is None:
            known = self._known.least is not None and fast.cost == self._known.least
            return None if known else Gap(one.budget, two.budget, fast.bound or Fraction(0), None)
        below = (self._coins(fast.cost or two.budget) - 1) * self._unit
        bound = self._known.bound(max(below, one.budget))
        if bound is not None and bound >= slow.makespan:
            return None
        tried = [budget for budget in self._tried if one.budget <= budget < two.budget]
        proven = [budget for budget in tried if (self._known.bound(budget) or 0) >= slow.makespan]
        low = max(proven, default=one.budget)
        return Gap(low, two.budget, self._known.bound(low + self._unit) or Fraction(0), slow.makespan)

    def _area(self, low: Fraction, high: Fraction) -> float:
        """Budgets times seconds between two points; infinite where one has no plan."""
        slow, fast = self.found[low].makespan, self.found[high].makespan
        return float("inf") if slow is None or fast is None else float((high - low) * (slow - fast))


def _without_start(message: str | None) -> str | None:
    """The message without a word on the start, which nobody but this module gave."""
    own = (message or "").removeprefix(_ACCEPTED).removeprefix("; ")
    return own or None


def _asked(budget: Fraction | None, goal: Goal) -> str:
    if goal is Goal.COST:
        return "least budget"
    return "no budget" if budget is None else f"budget {number(budget)}"
