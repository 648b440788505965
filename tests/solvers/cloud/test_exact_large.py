"""With very many tasks the exact method is never worse than `rounding`, in plan or bound, for either goal."""

from __future__ import annotations

from fractions import Fraction

import pytest

import planner
from planner.cloud.instance import CloudInstance
from planner.solver import Answer, Effort
from solvers.cloud import decision
from solvers.cloud.exact import Exact
from tests.instances import bag, cloud, kind

MANY = 10**9
LARGE: dict[str, CloudInstance] = {
    "one type": cloud([bag("A", (1, MANY))], [kind("a", 1, 8)], max_vms=100),
    "two types": cloud([bag("A", (1, MANY))], [kind("a", 1, 8), kind("b", 2, 5)], max_vms=100),
    "a budget": cloud(
        [bag("A", (1, MANY))], [kind("a", 1, 10), kind("b", 2, "3.5")], max_vms=100, budget=3 * 10**6
    ),
    "by the second": cloud(
        [bag("A", (3, MANY))],
        [kind("a", 1, 8), kind("b", 2, 5)],
        max_vms=100,
        quantum=1,
        minimum=60,
        startup=90,
    ),
    "whole ticks": cloud([bag("A", (3600, 10**8))], [kind("a", 1, 1), kind("b", 2, 2)], max_vms=100),
}


@pytest.mark.parametrize("goal", ["makespan", "cost"])
@pytest.mark.parametrize("name", LARGE)
def test_it_is_never_worse_than_rounding(name: str, goal: str) -> None:
    rounding, exact = (planner.solve(LARGE[name], solver, goal=goal) for solver in ("rounding", "exact"))
    assert rounding.objective is not None
    assert exact.objective is not None
    assert exact.objective <= rounding.objective
    assert exact.bound is not None
    assert rounding.bound is not None
    assert exact.bound >= rounding.bound


def test_its_own_answer_has_the_bound_of_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its own search decides nothing at all."""
    monkeypatch.setattr(decision.Decisions, "decide", lambda *_: decision.Verdict.NO)
    instance = LARGE["by the second"]
    answer: Answer = Exact().solve(instance, planner.Goal.MAKESPAN, Effort())
    assert answer.bound == planner.solve(instance, "rounding").bound == 150000090


def test_the_message_names_the_true_worth_of_the_start() -> None:
    """Times of 5 s in ticks of 28 s are no times to be told."""
    answer = Exact().solve(LARGE["two types"], planner.Goal.MAKESPAN, Effort())
    assert answer.resolution is not None
    assert answer.resolution.seconds_per_tick > Fraction(20)
    assert answer.message == "started from the plan of rounding: 50000400 s, cost 2777778"
