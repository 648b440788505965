"""Policies as rules for one grid step: valid plans, what the step teaches, and what they cannot do."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

import planner
from planner.errors import Unsupported
from planner.grid.checker import check
from planner.grid.step import GridStep
from planner.result import Status
from solvers import catalog
from tests.steps import grid_step, random_step

RULES = [entry.name for entry in catalog.policies()]
each_rule = pytest.mark.parametrize("rule", RULES)


def taught(step: GridStep, *utility: int) -> GridStep:
    values = utility or range(len(step.resources))
    return replace(
        step,
        resources=tuple(
            replace(resource, utility=Fraction(value))
            for resource, value in zip(step.resources, values, strict=True)
        ),
    )


def places(step: GridStep, rule: str, **keywords: object) -> list[str]:
    """The resource of each job."""
    result = planner.solve(step, rule, **keywords)  # type: ignore[arg-type]
    assert result.plan is not None
    return [assignment.resource for assignment in result.plan.assignments]


def test_every_policy_is_a_rule_for_grid_steps() -> None:
    rules = {entry.name for entry in catalog.entries() if entry.kind == "grid-step"}
    assert set(RULES) <= rules


@each_rule
def test_plans_are_valid_on_small_steps_in_every_goal(rule: str) -> None:
    rng = random.Random(1)
    for _ in range(25):
        step = replace(taught(random_step(rng)), max_jobs_per_resource=None)
        for goal in ("flow", "makespan", "load"):
            result = planner.solve(step, rule, goal=goal)
            assert result.plan is not None
            verdict = check(step, result.plan)
            assert verdict.valid
            assert result.status in (Status.FEASIBLE, Status.OPTIMAL)
            assert result.bound is not None
            assert result.objective is not None
            assert result.bound <= result.objective


@each_rule
def test_limits_are_not_kept_and_that_is_said(rule: str) -> None:
    step = taught(grid_step([(1, 0), (2, 0)], [1, 2], limit=1))
    with pytest.raises(Unsupported, match="policies do not keep max_jobs_per_resource"):
        planner.solve(step, rule)


@pytest.mark.parametrize("rule", ["clds", "osl"])
def test_those_who_go_by_utilities_need_them_all(rule: str) -> None:
    step = grid_step([(1, 0), (2, 0)], [1, 2])
    with pytest.raises(Unsupported, match=r"resource 'r1' has no utility \(2 of 2 have none\)"):
        planner.solve(step, rule)
    half = replace(step, resources=(replace(step.resources[0], utility=Fraction(1)), step.resources[1]))
    with pytest.raises(Unsupported, match=r"resource 'r2' has no utility \(1 of 2 have none\)"):
        planner.solve(half, rule)


@each_rule
def test_a_step_without_jobs_has_an_empty_plan(rule: str) -> None:
    assert places(taught(grid_step([(1, 0)], [])), rule) == []


@pytest.mark.parametrize("rule", ["clds", "osl"])
def test_the_greatest_utility_has_it(rule: str) -> None:
    step = taught(grid_step([(1, 0), (9, 0), (2, 50)], [5, 5, 5]), -3, -2, -1)
    assert places(step, rule) == ["r3", "r3", "r3"]


def test_clds_breaks_ties_by_luck_which_the_seed_decides() -> None:
    step = taught(grid_step([(1, 0)] * 4, [1] * 12), 1, 1, 1, 0)
    assert set(places(step, "clds", seed=3)) == {"r1", "r2", "r3"}
    assert places(step, "clds", seed=3) == places(step, "clds", seed=3) != places(step, "clds", seed=4)


def test_lls_takes_the_least_load_and_mct_the_earliest_end() -> None:
    step = grid_step([(1, 1), (10, 20)], [8])
    assert places(step, "lls") == ["r1"]  # 1/1 against 20/10
    assert places(step, "mct") == ["r2"]  # 9/1 against 28/10


def test_lls_and_mct_see_what_was_placed_before() -> None:
    step = grid_step([(2, 0), (1, 1)], [8, 1, 1])
    assert places(step, "lls") == ["r1", "r2", "r2"]  # loads 0 and 1; 4 and 1; 4 and 2
    assert places(step, "mct") == ["r1", "r2", "r2"]  # ends 4 and 9; 4.5 and 2; 4.5 and 3


def test_dmms_puts_short_jobs_first_by_what_it_knows() -> None:
    step = grid_step([(2, 7), (1, 0)], [4, 1, 6])
    # Its own jobs alone: 1 at 0.5 on r1, 4 at 2.5 (r1) or 4, then 6 at 5.5 (r1) or 6.
    own = planner.solve(step, "dmms")
    assert own.plan is not None
    assert [(a.job, a.resource, a.position) for a in own.plan.assignments] == [
        ("j1", "r1", 2), ("j2", "r1", 1), ("j3", "r1", 3),
    ]  # fmt: skip
    # With the backlog: 1 at 4 or 1; 4 at 5.5 or 5; 6 at 6.5 or 11.
    assert places(step, "dmms:knowledge=global") == ["r2", "r2", "r1"]


def test_schedulers_do_not_see_each_other_in_a_step() -> None:
    step = grid_step([(2, 0), (1.9, 0)], [4, 4])  # type: ignore[list-item]
    assert places(step, "dmms:knowledge=global") == ["r1", "r2"]  # 2 and 2.1; then 4 and 2.1
    apart = replace(step, jobs=(replace(step.jobs[0], scheduler="a"), replace(step.jobs[1], scheduler="b")))
    assert places(apart, "dmms:knowledge=global") == ["r1", "r1"]


def test_dealt_is_taught_backlogs_and_capacities_and_needs_no_utility() -> None:
    step = grid_step([(4, 40), (4, 0), (4, 80)], [3])
    assert places(step, "dealt") == ["r2"]
    rng = random.Random(2)
    for _ in range(20):
        small = replace(random_step(rng), max_jobs_per_resource=None)
        assert len(places(small, "dealt")) == len(small.jobs)


def test_dealt_charges_the_fast_resource_in_one_step_too() -> None:
    step = grid_step([(10, 0), (5, 0)], [10, 10])
    # 20 of work need both; the price of the fast one is 10 ((10/25 + 1/5)/2 - (10/100 + 1/10)/2) = 2, times
    # the weight w. First job: 2 w + 1 or 2 (0 + 3/2) = 3; the second: 2 w + 1 + 1 or 3, or 7 behind another.
    assert places(step, "dealt:seats=0") == ["r1", "r2"]
    assert places(step, "dealt:seats=0;price=0") == ["r1", "r1"]
    assert places(step, "dealt:seats=0;price=2") == ["r2", "r1"]


def test_the_reference_is_optimal_for_its_objective() -> None:
    rng = random.Random(3)
    for _ in range(10):
        step = replace(random_step(rng, most_jobs=5), max_jobs_per_resource=None)
        for goal, solver in (("flow", "positional"), ("makespan", "makespan"), ("load", "load")):
            ours = planner.solve(step, f"reference:objective={goal}", goal=goal)
            best = planner.solve(step, solver, goal=goal)
            assert ours.objective is not None
            assert float(ours.objective) == pytest.approx(float(best.objective or 0), rel=1e-9, abs=1e-12)
