"""ASSIGN: cost first, then time, then load."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.cloud.pipeline import assign as module
from solvers.cloud.pipeline.assign import assign, pour
from tests.instances import bag, cloud, kind
from tests.solvers.cloud.pipeline.fleets import fleet, seconds


def test_the_fastest_type_takes_all_that_fits_into_its_hour() -> None:
    instance = cloud([bag("A", (1, 5))], [kind("slow", 1, 2000), kind("fast", 1, 1200)])
    rented = fleet(instance, (0, {}), (1, {}))
    assert assign(rented, {0: 5}, range(2))
    # Three tasks of 1200 s fill the fast VM's hour; one of 2000 s fits the slow one's; the fifth costs an
    # hour wherever it goes and is worth the least on the fast one.
    assert rented.tasks == [{0: 1}, {0: 4}]


def test_equal_vms_get_equal_loads() -> None:
    rented = fleet(cloud([bag("A", (1, 3), (2, 3))], [kind("t", 1, 10)]), (0, {}), (0, {}), (0, {}))
    assert assign(rented, {0: 3, 1: 3}, range(3))
    assert seconds(rented) == [30, 30, 30]


def test_the_longest_tasks_come_first() -> None:
    rented = fleet(cloud([bag("A", (1, 3), (3, 1))], [kind("t", 1, 10)]), (0, {}), (0, {}))
    assert assign(rented, {0: 3, 1: 1}, range(2))
    assert seconds(rented) == [30, 30], "shortest first: 40 and 20"


def test_types_that_take_the_same_time_share_by_load() -> None:
    instance = cloud([bag("A", (1, 6))], [kind("a", 1, 10), kind("b", 2, 10)])
    rented = fleet(instance, (0, {}), (1, {}))
    assert assign(rented, {0: 6}, range(2))
    assert seconds(rented) == [30, 30]


def test_thrifty_asks_for_the_least_money() -> None:
    instance = cloud([bag("A", (1, 6))], [kind("dear", 9, 10), kind("cheap", 1, 20)])
    rented = fleet(instance, (0, {}), (1, {}))
    assert assign(rented, {0: 6}, range(2), thrifty=True)
    assert rented.tasks == [{}, {0: 6}]


def test_a_task_that_fits_no_vm_stops_all() -> None:
    instance = cloud([bag("A", (1, 1)), bag("B", (1, 1))], [kind("a", 1, 1, None), kind("b", 1, 1, 1)])
    rented = fleet(instance, (0, {}))
    assert not assign(rented, {0: 1, 1: 1}, [0])
    assert rented.tasks == [{}]


@given(
    loads=st.lists(st.integers(0, 60), min_size=1, max_size=6),
    rooms=st.lists(st.integers(0, 9), min_size=6, max_size=6),
    number=st.integers(1, 40),
    time=st.integers(1, 9),
    limited=st.booleans(),
)
def test_pouring_many_equals_one_by_one(
    loads: list[int], rooms: list[int], number: int, time: int, limited: bool
) -> None:
    room = np.array(rooms[: len(loads)]) if limited else None
    with pytest.MonkeyPatch.context() as patch:
        by_heap = pour(np.array(loads), number, time, room)
        patch.setattr(module, "FEW", 0)
        at_once = pour(np.array(loads), number, time, room)
    assert (
        int(at_once.sum())
        == int(by_heap.sum())
        == (min(number, int(room.sum())) if room is not None else number)
    )
    after = [sorted((np.array(loads) + given * time).tolist()) for given in (by_heap, at_once)]
    assert after[0] == after[1]
