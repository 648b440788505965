"""The integer program behind the makespan: what fits into rooms, under the limit."""

from __future__ import annotations

from planner.solver import Effort
from solvers.grid.classes import Classes
from solvers.grid.fitting import fit, variables
from tests.steps import grid_step


def test_all_jobs_are_placed_within_rooms_and_limit() -> None:
    classes = Classes.of(grid_step([(1, 0)] * 3, [5, 4, 3, 3, 2, 2, 1]))
    found = fit(classes, [7, 7, 6], 3, Effort())
    assert found.queues is not None
    lengths = [5, 4, 3, 3, 2, 2, 1]
    assert sorted(sum(lengths[job] for job in queue) for queue in found.queues) == [6, 7, 7]
    assert sorted(job for queue in found.queues for job in queue) == list(range(7))
    assert all(len(queue) <= 3 for queue in found.queues)
    assert all(queue == sorted(queue, key=lambda job: lengths[job]) for queue in found.queues)


def test_equal_rooms_may_be_filled_equally() -> None:
    classes = Classes.of(grid_step([(1, 0)] * 2, [1, 1]))
    assert fit(classes, [1, 1], 2, Effort()).queues == [[0], [1]]


def test_what_does_not_fit_is_refuted() -> None:
    classes = Classes.of(grid_step([(1, 0)] * 2, [3, 3, 2]))
    assert fit(classes, [5, 2], 3, Effort()).refuted
    assert fit(classes, [4, 4], 3, Effort()).refuted


def test_the_limit_binds() -> None:
    classes = Classes.of(grid_step([(1, 0)] * 2, [1, 1, 1]))
    assert fit(classes, [9, 1], 2, Effort()).queues is not None
    assert fit(classes, [9, 0], 2, Effort()).refuted
    different = Classes.of(grid_step([(1, 0)] * 2, [2, 1]))
    assert fit(different, [9, 0], 2, Effort()).queues == [[1, 0], []]
    assert fit(different, [9, 0], 1, Effort()).refuted


def test_rooms_may_be_larger_than_64_bits_hold() -> None:
    classes = Classes.of(grid_step([(1, 0)] * 2, [1, 1, 1]))
    assert fit(classes, [10**30, 1], 2, Effort()).queues is not None


def test_jobs_have_variables_only_where_they_fit() -> None:
    assert variables(Classes.of(grid_step([(1, 0)] * 3, [5, 3, 3])), [4, 5, 2]) == 3
