"""The paper's own program: its optimum, its limits of size, and how it stops."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from ortools.sat.python import cp_model

import planner
from planner.cloud.checker import check
from planner.errors import Unsupported
from planner.goal import Goal
from planner.result import Status, StoppedBy
from planner.solver import Effort, TimeLimit
from solvers.cloud import compact
from solvers.cloud.compact import Compact
from solvers.cpsat import Found, Outcome, search
from tests.brute_force import truth
from tests.instances import bag, cloud, kind, random_instance


def test_the_papers_example() -> None:
    instance = cloud([bag("A1", (1, 10))], [kind("it1", 2, 8), kind("it2", 1, 10)], budget=2)
    result = planner.solve(instance, "compact")
    assert (result.status, result.makespan, result.cost, result.tiebreak_proven) == (
        Status.OPTIMAL,
        50,
        2,
        True,
    )
    assert result.plan is not None
    assert result.plan.fleet == {"it2": 2}


def test_infeasible_is_claimed_with_a_proof_and_told_with_a_reason() -> None:
    instance = cloud([bag("A", (1, 4))], [kind("it1", 3, 1800), kind("it2", 2, 3600)], budget=5)
    assert Compact().solve(instance, Goal.MAKESPAN, Effort()).infeasible
    result = planner.solve(instance, "compact")
    assert result.status is Status.INFEASIBLE
    assert result.message


@pytest.mark.parametrize("seed", range(60))
def test_the_other_goal(seed: int) -> None:
    instance = random_instance(7000 + seed, most_tasks=5)
    result = planner.solve(instance, "compact", goal=Goal.COST)
    within = [
        worth for worth in truth(instance).front if instance.budget is None or worth[1] <= instance.budget
    ]
    optimum = min(((cost, makespan) for makespan, cost in within), default=None)
    if optimum is None:
        assert result.status is Status.INFEASIBLE
    else:
        assert (result.cost, result.makespan, result.bound, result.tiebreak_proven) == (
            *optimum,
            optimum[0],
            True,
        )


def test_a_program_that_is_too_large_is_refused_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = cloud([bag("A", (1, 4), (2, 6))], [kind("t", 1, 10), kind("u", 1, 10)])
    monkeypatch.setattr(compact, "LARGEST_MODEL", 40)
    assert planner.solve(instance, "compact").status is Status.OPTIMAL
    monkeypatch.setattr(compact, "LARGEST_MODEL", 39)
    with pytest.raises(Unsupported, match=r"40 task variables \(20 VM slots x 2 task classes\)"):
        planner.solve(instance, "compact")


def test_the_budget_and_limits_keep_the_program_small() -> None:
    types = [kind("t", 3, 10), kind("u", 1, 10, limit=2), kind("v", 1, None), kind("w", 0, 10)]
    ticks = compact.Ticks.of(cloud([bag("A", (1, 9))], types, budget=10, max_vms=8))
    assert [compact._slots(ticks, t) for t in ticks.types] == [3, 2, 0, 8]


def test_nothing_is_proven_after_the_stop() -> None:
    effort = Effort(stop=threading.Event())
    effort.stop.set()
    answer = Compact().solve(random_instance(0), Goal.MAKESPAN, effort)
    assert (answer.infeasible, answer.stopped_by) == (False, StoppedBy.INTERRUPTED)


def test_the_time_limit_keeps_the_best_plan_and_a_valid_bound() -> None:
    # 60 tasks of 12 sizes by the second: far too symmetric for one block of variables a VM.
    instance = cloud(
        [bag("A", *[(size, 5) for size in range(7, 19)])],
        [kind("t", 1, 11), kind("u", 2, 7)],
        budget="3.5",
        quantum=60,
        startup=13,
    )
    result = planner.solve(instance, "compact", time_limit=1.5)
    assert result.stopped_by is StoppedBy.TIME_LIMIT
    assert result.plan is not None
    assert check(instance, result.plan).valid
    best = planner.solve(instance, "exact", time_limit=20)
    assert best.makespan is not None
    assert result.makespan is not None
    assert best.makespan <= result.makespan
    assert result.bound is not None
    assert result.bound <= best.makespan


@pytest.mark.parametrize("settled", [True, False])
def test_what_cp_sat_leaves_open_a_moment_before_the_limit_was_stopped_by_it(
    monkeypatch: pytest.MonkeyPatch, settled: bool
) -> None:
    def early(model: cp_model.CpModel, effort: Effort, **keywords: object) -> Found:
        found = search(model, replace(effort, limit=TimeLimit()), **keywords)  # type: ignore[arg-type]
        return found if settled else replace(found, outcome=Outcome.FEASIBLE)

    monkeypatch.setattr(compact, "search", early)
    instance = cloud([bag("A1", (1, 10))], [kind("it1", 2, 8), kind("it2", 1, 10)], budget=2)
    answer = Compact().solve(instance, Goal.MAKESPAN, Effort(limit=TimeLimit(60)))
    assert answer.stopped_by is (StoppedBy.COMPLETED if settled else StoppedBy.TIME_LIMIT)
