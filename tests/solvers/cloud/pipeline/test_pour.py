"""Pouring equal tasks: the same whichever of the ways is taken, and quick where VMs are many."""

from __future__ import annotations

import random

import numpy as np
import pytest

from solvers.cloud.pipeline import assign
from solvers.cloud.pipeline.assign import Numbers, pour


def one_by_one(load: Numbers, number: int, time: int, room: Numbers | None) -> list[int]:
    """The rule itself: each task to the VM with the lowest load, the first of equal ones."""
    level, given = load.tolist(), [0] * len(load)
    for _ in range(number):
        free = [v for v in range(len(level)) if room is None or given[v] < room[v]]
        v = min(free, key=lambda v: (level[v], v))
        level[v] += time
        given[v] += 1
    return given


@pytest.mark.parametrize("seed", range(100))
def test_every_way_keeps_the_rule(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    vms = rng.randint(1, 12)
    load = np.array([rng.randint(0, 6) for _ in range(vms)], dtype=np.int64)
    room = None if seed % 2 else np.array([rng.randint(0, 4) for _ in range(vms)], dtype=np.int64)
    number = rng.randint(1, 30) if room is None else rng.randint(0, int(room.sum()))
    time = rng.randint(1, 4)
    expected = one_by_one(load, number, time, room)
    for few in (0, 256):
        monkeypatch.setattr(assign, "FEW", few)
        assert pour(load, number, time, room).tolist() == expected


def test_few_tasks_over_many_vms_look_at_few_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    heapify = assign.heapify
    monkeypatch.setattr(assign, "heapify", lambda heap: (sizes.append(len(heap)), heapify(heap)))
    assert pour(np.zeros(10**6, dtype=np.int64), 5, 1).sum() == 5
    assert sizes == [5]
