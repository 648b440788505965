"""Solver, checker, result: what a solver says is judged, and nothing it found is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

import planner
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.errors import CheckFailed, Unsupported, UsageError
from planner.goal import Goal
from planner.result import Status, StoppedBy
from planner.run import SolverCrashed, result_of
from planner.solver import Answer, Effort
from solvers import catalog
from tests import stubs
from tests.instances import bag, cloud, kind

TINY = cloud([bag("A1", (1, 10))], [kind("it1", 2, 8), kind("it2", 1, 10)], budget=2)
BIG = stubs.one_big(TINY)  # 80 s for 2
SMALL = stubs.two_small(TINY)  # 50 s for 2, the optimum
ONE = replace(SMALL, vms=(replace(SMALL.vms[0], count=1, tasks=(replace(SMALL.vms[0].tasks[0], count=10),)),))
WRONG = replace(SMALL, vms=(replace(SMALL.vms[0], count=1),))  # five of ten tasks

Says = Callable[[Effort], Answer]


@dataclass(frozen=True)
class Scripted:
    """A solver that reports and answers what the test says."""

    option: int = 0

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        del instance, goal
        return _script[-1](effort)


_script: list[Says] = []


@pytest.fixture(autouse=True)
def _scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    goals = tuple(Goal)
    entry = catalog.Entry("scripted", f"{__name__}:Scripted", "cloud", "for tests", "nothing", goals)
    monkeypatch.setattr(catalog, "_ENTRIES", (*catalog._ENTRIES, entry))
    catalog.entries.cache_clear()
    yield
    _script.clear()
    catalog.entries.cache_clear()


def _solve(answer: Answer | Says, instance: CloudInstance = TINY, **keywords: object) -> planner.Result:
    _script.append(answer if callable(answer) else lambda _: answer)
    return planner.solve(instance, "scripted", **keywords)  # type: ignore[arg-type]


def test_a_plan_below_the_cheap_bound_is_feasible_with_its_gap() -> None:
    result = _solve(Answer(BIG))
    # work costs 20/3600 a task and hour on it1, less on no type: 10·min(16, 10)/2 is the bound of 50 s
    assert (result.status, result.makespan, result.cost) == (Status.FEASIBLE, 80, 2)
    assert (result.bound, result.gap) == (50, Fraction(3, 8))


def test_whoever_meets_the_bound_is_optimal_without_saying_so() -> None:
    result = _solve(Answer(SMALL))
    assert (result.status, result.bound, result.gap, result.tiebreak_proven) == (Status.OPTIMAL, 50, 0, None)


def test_a_bound_of_the_solvers_own_counts_where_it_is_higher() -> None:
    assert _solve(Answer(BIG, Fraction(60))).bound == 60
    assert _solve(Answer(BIG, Fraction(20))).bound == 50


def test_a_reported_bound_counts_too_and_only_the_highest() -> None:
    def says(effort: Effort) -> Answer:
        for value in (55, 70, 65):
            effort.progress.bound(Fraction(value))
        return Answer(BIG)

    assert _solve(says).bound == 70


def test_a_bound_above_the_checked_plan_is_a_lie() -> None:
    with pytest.raises(CheckFailed, match="bound 81 exceeds the plan's checked makespan 80"):
        _solve(Answer(BIG, Fraction(81)))
    with pytest.raises(CheckFailed, match="bound 81 exceeds"):
        _solve(lambda effort: (effort.progress.bound(Fraction(81)), Answer(BIG))[1])


def test_a_broken_plan_is_a_lie_named_by_its_rule() -> None:
    with pytest.raises(CheckFailed, match="unassigned tasks: 5 of 10") as caught:
        _solve(Answer(WRONG))
    assert caught.value.exit_code == 6


def test_a_good_incumbent_does_not_hide_a_broken_answer() -> None:
    with pytest.raises(CheckFailed):
        _solve(lambda effort: (effort.progress.incumbent(SMALL), Answer(WRONG))[1])


def test_to_call_infeasible_what_has_a_plan_is_a_lie() -> None:
    with pytest.raises(CheckFailed, match="called infeasible, yet the checker accepts a plan"):
        _solve(Answer(SMALL, infeasible=True))
    with pytest.raises(CheckFailed, match="called infeasible"):
        _solve(lambda effort: (effort.progress.incumbent(BIG), Answer(infeasible=True))[1])


def test_the_best_plan_that_was_reported_is_kept() -> None:
    def says(effort: Effort) -> Answer:
        for plan in (BIG, SMALL, BIG):
            effort.progress.incumbent(plan)
        return Answer(BIG)

    assert _solve(says).makespan == 50


def test_a_broken_incumbent_is_not_kept() -> None:
    result = _solve(lambda effort: (effort.progress.incumbent(WRONG), Answer())[1])
    assert (result.status, result.plan) == (Status.UNKNOWN, None)


def test_a_listener_hears_only_what_is_valid_and_better() -> None:
    heard: list[CloudPlan] = []

    class Listener:
        def incumbent(self, plan: CloudPlan) -> None:
            heard.append(plan)

        def bound(self, value: Fraction) -> None: ...

    def says(effort: Effort) -> Answer:
        for plan in (WRONG, BIG, ONE, SMALL, BIG):
            effort.progress.incumbent(plan)
        return Answer(SMALL)

    _solve(says, progress=Listener())
    assert heard == [BIG, SMALL]


def test_the_goal_says_what_objective_bound_and_the_best_plan_are() -> None:
    result = _solve(lambda effort: (effort.progress.incumbent(ONE), Answer(SMALL))[1], goal="cost")
    assert (result.objective, result.makespan, result.goal) == (1, 100, Goal.COST)
    with pytest.raises(CheckFailed, match="bound 3 exceeds the plan's checked cost 2"):
        _solve(Answer(SMALL, Fraction(3)), goal="cost")


def test_no_plan_is_unknown_with_the_bound_and_the_message() -> None:
    result = _solve(Answer(message="found nothing"))
    assert (result.status, result.bound, result.message) == (Status.UNKNOWN, 50, "found nothing")
    assert (result.makespan, result.cost, result.objective, result.gap) == (None, None, None, None)


def test_no_plan_where_none_can_be_is_infeasible_whoever_ran() -> None:
    result = _solve(Answer(message="found nothing"), replace(TINY, budget=Fraction(1, 2)))
    assert (result.status, result.bound) == (Status.INFEASIBLE, None)
    text = "the budget of 0.5 is too small: the least budget that works is 1 (0.5 more)"
    assert (result.message or "").startswith(text)


def test_a_tie_break_is_only_proven_for_an_optimum() -> None:
    assert _solve(Answer(BIG, tiebreak_proven=True)).tiebreak_proven is None
    assert _solve(Answer(SMALL, tiebreak_proven=True)).tiebreak_proven is True


def test_a_solvers_own_error_is_told_with_the_instance() -> None:
    def says(_: Effort) -> Answer:
        raise ZeroDivisionError("a bug")

    with pytest.raises(SolverCrashed, match="solver 'scripted' failed on 'made': ZeroDivisionError: a bug"):
        _solve(says)


def test_a_plan_from_before_the_crash_is_kept() -> None:
    def says(effort: Effort) -> Answer:
        effort.progress.incumbent(BIG)
        raise ZeroDivisionError("a bug")

    result = _solve(says)
    assert (result.makespan, result.stopped_by) == (80, StoppedBy.ERROR)
    assert "ZeroDivisionError: a bug" in (result.message or "")


def test_what_is_raised_on_purpose_goes_through_and_makes_a_result_on_demand() -> None:
    def says(_: Effort) -> Answer:
        raise Unsupported("no fees, please")

    with pytest.raises(Unsupported, match="no fees, please") as caught:
        _solve(says)
    result = result_of(caught.value, TINY, "scripted", options={"option": "3"}, seed=5)
    assert (result.status, result.stopped_by) == (Status.UNSUPPORTED, StoppedBy.COMPLETED)
    assert (result.message, result.options, result.seed) == ("no fees, please", {"option": 3}, 5)
    failed = result_of(SolverCrashed("bang"), TINY, "scripted")
    assert (failed.status, failed.stopped_by) == (Status.FAILED, StoppedBy.ERROR)


def test_what_the_run_was_is_in_the_result() -> None:
    result = _solve(Answer(SMALL, stopped_by=StoppedBy.TIME_LIMIT), seed=9, options={"option": 2})
    assert (result.seed, result.options, result.stopped_by) == (9, {"option": 2}, StoppedBy.TIME_LIMIT)
    assert {"python", "gridcloud-planner"} >= set(result.versions) >= {"python"}


def test_an_unknown_goal_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="unknown objective 'speed'; choose from: makespan, cost"):
        _solve(Answer(SMALL), goal="speed")


def test_a_given_start_is_never_lost_and_a_broken_one_is_rejected_out_loud() -> None:
    kept = _solve(Answer(), start=BIG)
    assert kept.makespan == 80
    assert "accepted" in (kept.message or "")
    rejected = _solve(Answer(SMALL), start=WRONG)
    assert rejected.makespan == 50
    assert "rejected" in (rejected.message or "")
    assert "unassigned tasks" in (rejected.message or "")


@pytest.mark.parametrize("solver", ["exact", "compact"])
def test_a_start_that_is_optimal_is_proven_so(solver: str) -> None:
    result = planner.solve(TINY, solver, start=SMALL)
    assert (result.status, result.makespan) == (Status.OPTIMAL, 50)
    assert "accepted" in (result.message or "")
