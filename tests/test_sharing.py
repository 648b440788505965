"""Sharing of bounds among the results of one instance."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from planner.cloud.plan import CloudPlan
from planner.goal import Goal
from planner.result import Result, Status, StoppedBy
from planner.sharing import share

PLAN = CloudPlan("x", ())


def _result(
    solver: str, status: Status, makespan: int | None = None, bound: int | None = None, cost: int = 2
) -> Result:
    return Result(
        instance="x",
        kind="cloud",
        solver=solver,
        goal=Goal.MAKESPAN,
        status=status,
        stopped_by=StoppedBy.COMPLETED,
        seed=1,
        makespan=None if makespan is None else Fraction(makespan),
        cost=None if makespan is None else Fraction(cost),
        bound=None if bound is None else Fraction(bound),
        plan=None if makespan is None else PLAN,
    )


EXACT = replace(_result("exact", Status.OPTIMAL, 50, 50), tiebreak_proven=True)


def test_the_best_bound_holds_for_all() -> None:
    _, second, third = share(
        [EXACT, _result("h", Status.FEASIBLE, 80, 40), _result("u", Status.UNKNOWN, None, 10)]
    )
    assert (second.status, second.bound, second.gap) == (Status.FEASIBLE, 50, Fraction(3, 8))
    assert (third.status, third.bound) == (Status.UNKNOWN, 50)


@pytest.mark.parametrize(("cost", "proven"), [(2, True), (3, False)])
def test_a_plan_that_meets_the_shared_bound_is_optimal(cost: int, proven: bool) -> None:
    _, second = share([EXACT, _result("h", Status.FEASIBLE, 50, 40, cost)])
    assert (second.status, second.bound, second.tiebreak_proven) == (Status.OPTIMAL, 50, proven)


def test_the_bound_of_one_without_a_plan_counts() -> None:
    first, second = share([_result("h", Status.FEASIBLE, 50, 40), _result("b", Status.UNKNOWN, None, 50)])
    assert first.status is Status.OPTIMAL
    assert second.status is Status.UNKNOWN


def test_unknown_becomes_infeasible_with_the_proof() -> None:
    proof = replace(_result("exact", Status.INFEASIBLE), message="3 is needed")
    _, second = share([proof, _result("h", Status.UNKNOWN, None, 10)])
    assert (second.status, second.bound) == (Status.INFEASIBLE, None)
    assert second.message == "3 is needed (proven by exact)"


@pytest.mark.parametrize(
    "liar",
    [
        _result("liar", Status.INFEASIBLE),
        _result("liar", Status.OPTIMAL, 80, 80),
        _result("liar", Status.UNKNOWN, None, 51),
        replace(_result("liar", Status.OPTIMAL, 50, 50, cost=3), tiebreak_proven=True),
    ],
)
def test_a_proof_that_a_checked_plan_contradicts_fails_alone(liar: Result) -> None:
    honest, heuristic, failed = share([EXACT, _result("h", Status.FEASIBLE, 90, 40), liar])
    assert honest == EXACT
    assert heuristic.bound == 50
    assert (failed.status, failed.stopped_by) == (Status.FAILED, StoppedBy.ERROR)
    assert (failed.plan, failed.bound, failed.objective) == (None, None, None)
    assert failed.message is not None
    assert "exact" in failed.message


def test_bounds_of_another_goal_are_not_mixed_but_infeasibility_is() -> None:
    cost = replace(_result("c", Status.FEASIBLE, 80, 1), goal=Goal.COST)
    makespan = _result("m", Status.FEASIBLE, 80, 40)
    assert share([cost, makespan]) == (cost, makespan)
    unknown = replace(_result("c", Status.UNKNOWN), goal=Goal.COST)
    refuted, _ = share([unknown, _result("m", Status.INFEASIBLE)])
    assert refuted.status is Status.INFEASIBLE


def test_a_bound_is_judged_by_plans_of_the_other_goal_too() -> None:
    cost = replace(_result("c", Status.FEASIBLE, 50, 1), goal=Goal.COST)
    failed = share([cost, _result("m", Status.FEASIBLE, 80, 51)])[1]
    assert failed.status is Status.FAILED


def test_unsupported_and_failed_stay_as_they_are() -> None:
    others = [_result("u", Status.UNSUPPORTED), _result("f", Status.FAILED)]
    assert share([EXACT, *others])[1:] == tuple(others)


def test_nothing() -> None:
    assert share([]) == ()
