"""The integer program of the load by itself: limits, resources that are left out, rounding."""

from __future__ import annotations

from fractions import Fraction

from planner.goal import Goal
from planner.solver import Effort
from solvers.cpsat import Outcome
from solvers.grid.load_program import Found, LoadProgram
from tests.steps import grid_step, truth


def searched(program: LoadProgram, resources: int) -> Found:
    return program.search([[] for _ in range(resources)], Effort(), speaks=False)


def test_the_limit_binds() -> None:
    step = grid_step([(9, 0), (1, 0)], [4, 3, 2], limit=2)
    found = searched(LoadProgram(step), 2)
    assert found.outcome is Outcome.OPTIMAL
    assert found.queues is not None
    assert [len(queue) for queue in found.queues] == [2, 1]
    assert found.bound == Fraction(1, 2)


def test_slow_resources_with_nothing_to_spare_count_where_the_limit_needs_them() -> None:
    busy = [(2, 5), (1, 5), (1, 5)]
    limited = LoadProgram(grid_step(busy, [1, 1, 1], limit=1))
    assert limited.variables == 3
    assert searched(limited, 3).bound == 4  # 6/2, 6 and 6 steps, less one each, over three
    free = LoadProgram(grid_step(busy, [1, 1, 1]))
    assert free.variables == 1
    found = searched(free, 3)
    assert found.queues == [[0, 1, 2], [], []]


def test_equal_resources_may_get_equal_work() -> None:
    found = searched(LoadProgram(grid_step([(1, 0), (1, 0)], [2, 2])), 2)
    assert found.bound == 1


def test_jobs_of_no_length_to_speak_of_leave_nothing() -> None:
    step = grid_step([(10**15, 0), (1, 0)], [Fraction(k, 10**30) for k in (3, 4, 5)], limit=2)
    assert searched(LoadProgram(step), 2).bound == 0


def test_rounding_keeps_the_bound_below_the_optimum_and_close() -> None:
    fine = [(Fraction(10**18 + 1, 3 * 10**17), 0), (Fraction(10**18 - 1, 3 * 10**17), 0)]
    step = grid_step(fine, [3, "2.5", 1, "0.7"])
    program = LoadProgram(step)
    assert program.resolution.rounded
    best = truth(step)
    assert best is not None
    bound = searched(program, 2).bound
    assert best[Goal.LOAD] * (1 - Fraction(1, 10**12)) <= bound <= best[Goal.LOAD]
