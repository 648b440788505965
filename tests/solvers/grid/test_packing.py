"""Best fit, the greedy rule and exchanges: what they leave is a plan, within its limits, and no worse."""

from __future__ import annotations

import random

import pytest

from planner.grid.checker import check
from planner.grid.plan import plan_of
from solvers.grid.arrays import Arrays
from solvers.grid.classes import Classes
from solvers.grid.levelling import levelled
from solvers.grid.packing import best_fit, greedy
from tests.steps import grid_step, random_step


def test_best_fit_takes_the_least_room_and_keeps_the_limit() -> None:
    step = grid_step([(1, 0)] * 3, [5, 3, 2, 2])
    classes = Classes.of(step)
    assert best_fit(classes, [10, 5, 3], 4) == ([[3, 2], [0], [1]], [])
    assert best_fit(classes, [10, 5, 3], 1) == ([[2], [0], [1]], [3])
    assert best_fit(classes, [0, 4, 0], 4) == ([[], [1], []], [0, 2, 3])


@pytest.mark.parametrize("seed", range(100))
def test_exchanges_never_lengthen_a_plan_and_keep_its_rules(seed: int) -> None:
    step = random_step(random.Random(seed), most_jobs=12)
    if step.places is not None and step.places < len(step.jobs):
        return
    arrays = Arrays.of(step)
    by_index = greedy(
        arrays, range(len(step.jobs)), [[] for _ in step.resources], lambda work, _: work.copy()
    )
    before = check(step, plan_of(step, by_index))
    after = check(step, plan_of(step, levelled(arrays, by_index, 0.0)))
    assert before.valid
    assert after.valid
    assert before.makespan is not None
    assert after.makespan is not None
    assert after.makespan <= before.makespan


def test_an_exchange_finds_what_longest_first_misses() -> None:
    step = grid_step([(1, 0)] * 2, [3, 3, 2, 2, 2])
    uneven = [[0, 2, 3], [1, 4]]  # 7 and 5
    assert check(step, plan_of(step, levelled(Arrays.of(step), uneven, 0.0))).makespan == 6
    assert levelled(Arrays.of(step), uneven, 7.0) == [[2, 3, 0], [4, 1]]
