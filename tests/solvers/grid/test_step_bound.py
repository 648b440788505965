"""The bound that goes with every result on a grid step."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from planner.goal import Goal
from planner.kinds import GRID_STEP
from planner.solver import Effort
from solvers import catalog
from solvers.grid import flow
from solvers.grid.step_bound import StepBound
from tests.steps import close, grid_step, random_step, truth


@pytest.mark.parametrize("seed", range(150))
@pytest.mark.parametrize("largest", [flow.LARGEST_TABLE, 0])
def test_it_is_never_above_the_optimum(seed: int, largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "LARGEST_TABLE", largest)
    step = random_step(random.Random(seed), most_jobs=5, most_resources=3)
    best = truth(step)
    bound = StepBound()
    for goal in GRID_STEP.goals:
        lower = bound.lower(step, goal)
        assert lower <= (best[goal] if best else 0)
        if best and goal is Goal.FLOW and largest:
            assert close(lower, best[goal])
        if best and goal is Goal.FLOW and step.jobs:
            assert lower > 0


def test_the_catalog_has_it() -> None:
    step = grid_step([(2, 1)], [1, 2, 3])
    bound = catalog.cheap_bound("grid-step")
    assert close(bound.lower(step, Goal.FLOW), Fraction("6.5"))
    assert close(bound.lower(step, Goal.MAKESPAN), Fraction("3.5"))
    assert close(bound.lower(step, Goal.LOAD), Fraction("2.5"))


def test_the_makespan_counts_the_jobs_that_a_room_takes_and_their_length() -> None:
    # Before 12/5 steps the resource of 5 takes one job, 10 at most; those of 7 do the other 30 in 15/7.
    step = grid_step([(5, 0), (7, 0), (7, 0), (1, 0)], [10, 9, 8, 7, 6])
    assert close(StepBound().lower(step, Goal.MAKESPAN), Fraction(15, 7))
    # Two jobs at most on the fast resource leave two for the slow one.
    limited = grid_step([(10, 0), (1, 0)], [1, 1, 1, 1], limit=2)
    assert close(StepBound().lower(limited, Goal.MAKESPAN), Fraction(2))


def test_the_load_is_bounded_with_the_limit_and_with_whole_jobs() -> None:
    # Of 8 jobs of 1, the fast resource takes 4; the slow one does 1 of the other 4 within the step.
    limited = grid_step([(8, 0), (1, 0)], [1] * 8, limit=4)
    assert StepBound().lower(limited, Goal.LOAD) == Fraction(3, 2)
    # One job of 9 uses one of the resources only, though 10 units could be done within the step.
    assert close(StepBound().lower(grid_step([(5, 0), (5, 0)], [9]), Goal.LOAD), Fraction(2, 5))


def test_too_few_places_are_told_with_all_numbers() -> None:
    step = grid_step([(1, 0)] * 3, [1] * 8, limit=2)
    text = "8 jobs, but 3 resources with max_jobs_per_resource 2 have only 6 places, 2 too few"
    assert StepBound().infeasible(step, Effort()) == text
    assert StepBound().infeasible(grid_step([(1, 0)] * 4, [1] * 8, limit=2), Effort()) is None
    assert StepBound().infeasible(grid_step([(1, 0)], [1] * 8), Effort()) is None


def test_long_queues_wait_also_where_no_job_goes() -> None:
    step = grid_step([(1, 20), (2, 0)], [6, 4])
    assert close(StepBound().lower(step, Goal.MAKESPAN), Fraction(20))
    assert close(StepBound().lower(step, Goal.LOAD), Fraction(23, 2))
