"""The scans all policies share: the best place, and fair luck among equals."""

from __future__ import annotations

import numpy as np
import pytest

from solvers.grid.policies.choice import earliest, lowest


@pytest.mark.parametrize(
    ("values", "places"),
    [
        ([3, 1, 2], [1]),
        ([1, 1, 2], [0, 1]),
        ([2, 1, 3, 1, 1], [1, 3, 4]),
        ([5], [0]),
        ([0, 0, 0, 0], [0, 1, 2, 3]),
    ],
)
def test_the_lowest_and_of_equals_each_for_an_equal_share_of_luck(
    values: list[float], places: list[int]
) -> None:
    array = np.array(values, dtype=np.float64)
    for turn, place in enumerate(places):
        for luck in (turn / len(places), (turn + 0.999) / len(places)):
            assert lowest(array, luck) == place


def test_the_earliest_end_is_not_the_least_work_nor_the_greatest_capacity() -> None:
    work, capacity = np.array([0.0, 8.0, 30.0]), np.array([1.0, 4.0, 8.0])
    assert earliest(work, capacity, 2.0, 0.5) == 0  # 2, 10/4, 4
    assert earliest(work, capacity, 8.0, 0.5) == 1  # 8, 4, 38/8
    assert earliest(work, capacity, 60.0, 0.5) == 2  # 60, 17, 90/8


def test_equal_ends_share_the_luck() -> None:
    work, capacity = np.array([2.0, 9.0, 0.0, 6.0]), np.array([1.0, 1.0, 0.5, 2.0])
    found = [earliest(work, capacity, 2.0, luck) for luck in (0.0, 0.32, 0.34, 0.66, 0.67, 0.99)]
    assert found == [0, 0, 2, 2, 3, 3]  # each ends at 4


def test_a_resource_that_is_down_is_chosen_only_among_such() -> None:
    work = np.array([0.0, 1e12, 0.0])
    assert earliest(work, np.array([0.0, 1.0, 0.0]), 1.0, 0.9) == 1
    down = [earliest(work, np.zeros(3), 1.0, luck) for luck in (0.0, 0.4, 0.9)]
    assert down == [0, 1, 2]
