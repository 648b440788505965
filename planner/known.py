"""What runs with some budgets say about all other budgets, and whether they contradict each other.

A plan serves every budget from its cost on; a makespan that no plan within a budget can beat cannot be beaten
with less; without a plan at one budget there is none below it. All of these are certified, so where two of
them do not go together something is wrong with a proof, and that is an error.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from fractions import Fraction

from planner.cloud.instance import CloudInstance
from planner.errors import CheckFailed
from planner.goal import Goal
from planner.report.names import label
from planner.report.numbers import number
from planner.result import Result, Seconds, Status, StoppedBy


@dataclass
class _Plans:
    """The plans that no other one beats in both cost and makespan, by rising cost."""

    costs: list[Fraction] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    def within(self, budget: Fraction) -> Result | None:
        """The fastest plan that costs at most `budget`."""
        place = bisect_right(self.costs, budget)
        return self.results[place - 1] if place else None

    def below(self, cost: Fraction) -> Result | None:
        """The fastest plan that costs less than `cost`."""
        place = bisect_left(self.costs, cost)
        return self.results[place - 1] if place else None

    def add(self, result: Result) -> None:
        """Keep the plan of `result` unless one no dearer is as fast."""
        cost, makespan = _worth(result)
        known = self.within(cost)
        if known is not None and _worth(known)[1] <= makespan:
            return
        start = end = bisect_left(self.costs, cost)
        while end < len(self.costs) and _worth(self.results[end])[1] >= makespan:
            end += 1
        self.costs[start:end], self.results[start:end] = [cost], [result]


class Known:
    """Facts about one instance, whatever its own budget is."""

    def __init__(self, instance: CloudInstance) -> None:
        self._deadline = instance.deadline
        self._name = instance.name
        self._own, self._all = _Plans(), _Plans()
        # Budgets with a bound on the makespan within them; rising budgets, falling bounds.
        self._budgets: list[Fraction] = []
        self._bounds: list[Fraction] = []
        self._floor: Fraction | None = None  # a bound on the makespan whatever is paid
        self._cheapest: dict[Fraction, Fraction] = {}  # makespan to the cost proven least for it
        self._refuted: Fraction | None = None  # the largest budget proven to be too small
        self._reason: str | None = None  # why no budget at all is enough
        self.least: Fraction | None = None  # no plan costs less

    @property
    def least_budget(self) -> Fraction | None:
        """The least budget that works, where it is proven: a plan of the least cost is known."""
        return self.least if self.least is not None and self._all.within(self.least) is not None else None

    @property
    def hopeless(self) -> bool:
        """Whether no budget at all works."""
        return self._reason is not None

    def add(self, budget: Fraction | None, result: Result, *, own: bool = True) -> None:
        """Learn from a run with this budget (None: unlimited). Raises `CheckFailed` on a contradiction.

        `own`: its plan may stand for other budgets of the frontier; plans of other solvers are only compared.
        """
        if result.status in (Status.FAILED, Status.UNSUPPORTED):
            return
        if result.plan is not None:
            self._learn_plan(result, own)
        if result.status is Status.INFEASIBLE:
            self._learn_refusal(budget, result)
        elif result.goal is Goal.COST:
            self._learn_least(result)
        elif result.bound is not None:
            self._learn_bound(budget, result.bound, result)

    def within(self, budget: Fraction) -> Result | None:
        """The frontier's own fastest plan that costs at most `budget`."""
        return self._own.within(budget)

    def bound(self, budget: Fraction) -> Fraction | None:
        """No plan within `budget` is faster, as far as that is proven (seconds)."""
        place = bisect_left(self._budgets, budget)
        bounds = [*self._bounds[place : place + 1], *([] if self._floor is None else [self._floor])]
        return max(bounds, default=None)

    def too_small(self, budget: Fraction) -> str | None:
        """Why there is no plan within `budget`, with the least budget that works; None: nothing is proven."""
        if self._reason is not None:
            return self._reason
        refuted = self._refuted is not None and budget <= self._refuted
        if not refuted and (self.least is None or budget >= self.least):
            return None
        within = "" if self._deadline is None else f" with the deadline of {number(self._deadline)} s"
        text = f"the budget of {number(budget)} is too small{within}"
        if self.least_budget is not None:
            missing = number(self.least_budget - budget)
            return f"{text}: the least budget that works is {number(self.least_budget)} ({missing} more)"
        if self.least is not None and budget < self.least:
            return f"{text}: no plan costs less than {number(self.least)}"
        return f"{text}: no plan costs {number(self._refuted or budget)} or less"

    def settled(self, budget: Fraction, result: Result, *, own: bool = True) -> Result:
        """The result of this budget with all that is known: best bound, `own` the best plan, and status."""
        if result.status in (Status.FAILED, Status.UNSUPPORTED):
            return result
        best = self.within(budget) if own else None
        if best is not None and (result.plan is None or _worth(best)[::-1] < _worth(result)[::-1]):
            message = f"the plan for a budget of {number(_worth(best)[0])}"
            result = replace(
                result,
                plan=best.plan,
                makespan=best.makespan,
                cost=best.cost,
                resolution=best.resolution,
                message=message,
            )
        if result.plan is None:
            reason = self.too_small(budget)
            if reason is None:
                return replace(result, status=Status.UNKNOWN, bound=self.bound(budget))
            if result.status is Status.INFEASIBLE and self.least_budget is None and result.message:
                return result
            return replace(result, status=Status.INFEASIBLE, bound=None, tiebreak_proven=None, message=reason)
        cost, makespan = _worth(result)
        bounds = [bound for bound in (result.bound, self.bound(budget)) if bound is not None]
        bound = max(bounds, default=None)
        optimal = bound == makespan
        return replace(
            result,
            status=Status.OPTIMAL if optimal else Status.FEASIBLE,
            bound=bound,
            tiebreak_proven=self._cheapest.get(makespan) == cost if optimal else None,
        )

    def without_solving(self, budget: Fraction, like: Result) -> Result | None:
        """The result of this budget where what is known leaves nothing to search for, else None."""
        best, bound = self.within(budget), self.bound(budget)
        if self.too_small(budget) is not None or (best is not None and best.makespan == bound):
            return self.so_far(budget, like, StoppedBy.COMPLETED)
        return None

    def so_far(self, budget: Fraction, like: Result, stopped_by: StoppedBy) -> Result:
        """What is known of this budget as a result, made without a run, with the settings of `like`."""
        empty = replace(
            like,
            status=Status.UNKNOWN,
            stopped_by=stopped_by,
            bound=None,
            tiebreak_proven=None,
            makespan=None,
            cost=None,
            seconds=Seconds(),
            message=None,
            plan=None,
        )
        return self.settled(budget, empty)

    def _learn_plan(self, result: Result, own: bool) -> None:
        cost, makespan = _worth(result)
        bound = self.bound(cost)
        if bound is not None and bound > makespan:
            text = (
                f"no plan within {number(cost)} was called faster than {number(bound)} s, yet {label(result)}"
            )
            raise CheckFailed([f"{self._name}: {text} has one of {number(makespan)} s"])
        if self.too_small(cost) is not None:
            text = f"a budget of {number(cost)} was called too small, yet {label(result)} has a plan for it"
            raise CheckFailed([f"{self._name}: {text}"])
        proven = self._cheapest.get(makespan)
        if proven is not None and cost < proven:
            text = (
                f"{number(proven)} was called the least cost of {number(makespan)} s, yet {label(result)} has"
            )
            raise CheckFailed([f"{self._name}: {text} such a plan for {number(cost)}"])
        if result.goal is Goal.MAKESPAN and result.tiebreak_proven:
            cheaper = self._all.below(cost)
            if cheaper is not None and _worth(cheaper)[1] <= makespan:
                text = f"{label(result)} calls {number(cost)} the least cost of {number(makespan)} s"
                raise CheckFailed(
                    [f"{self._name}: {text}, yet there is a plan for {number(_worth(cheaper)[0])}"]
                )
            self._cheapest[makespan] = cost
        self._all.add(result)
        if own:
            self._own.add(result)

    def _learn_bound(self, budget: Fraction | None, bound: Fraction, result: Result) -> None:
        fastest = self._all.results[-1] if budget is None and self._all.results else None
        if budget is not None:
            fastest = self._all.within(budget)
        if fastest is not None and _worth(fastest)[1] < bound:
            text = f"{label(result)} proves a bound of {number(bound)} s"
            text += "" if budget is None else f" within {number(budget)}"
            raise CheckFailed(
                [f"{self._name}: {text}, yet there is a plan of {number(_worth(fastest)[1])} s"]
            )
        if budget is None:
            self._floor = bound if self._floor is None else max(self._floor, bound)
            return
        known = self.bound(budget)
        if known is not None and known >= bound:
            return
        end = bisect_right(self._budgets, budget)
        start = end
        while start and self._bounds[start - 1] <= bound:
            start -= 1
        self._budgets[start:end], self._bounds[start:end] = [budget], [bound]

    def _learn_refusal(self, budget: Fraction | None, result: Result) -> None:
        fastest = self._all.results[:1] if budget is None else [self._all.within(budget)]
        if any(fastest):
            within = "" if budget is None else f" with a budget of {number(budget)}"
            text = f"{label(result)} calls it infeasible{within}, yet there is a plan"
            raise CheckFailed([f"{self._name}: {text}"])
        if budget is None:
            self._reason = result.message or "no plan keeps the deadline and limits together"
        elif self._refuted is None or budget > self._refuted:
            self._refuted = budget

    def _learn_least(self, result: Result) -> None:
        cheapest = self._all.costs[0] if self._all.costs else None
        if result.bound is None:
            return
        if cheapest is not None and cheapest < result.bound:
            text = f"{label(result)} proves that no plan costs less than {number(result.bound)}"
            raise CheckFailed([f"{self._name}: {text}, yet there is one for {number(cheapest)}"])
        self.least = result.bound if self.least is None else max(self.least, result.bound)


def _worth(result: Result) -> tuple[Fraction, Fraction]:
    """Cost and makespan of a result with a plan."""
    assert result.cost is not None
    assert result.makespan is not None
    return result.cost, result.makespan
