"""The knapsack over loads, against every content there is."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from solvers.cloud.knapsack import Knapsack


def _best(times: list[int | None], counts: list[int], worth: list[int], room: int) -> int:
    """The most worth of any content within `room`, by trying them all."""
    choices = [range(0 if time is None else n + 1) or range(1) for time, n in zip(times, counts, strict=True)]
    return max(
        sum(n * w for n, w in zip(content, worth, strict=True))
        for content in product(*choices)
        if sum(n * (time or 0) for n, time in zip(content, times, strict=True)) <= room
    )


def _random(seed: int) -> tuple[list[int | None], list[int], list[int], int]:
    random = Random(seed)
    size = random.randint(1, 4)
    times = [None if random.random() < 0.2 else random.randint(1, 12) for _ in range(size)]
    counts = [random.randint(1, 5) for _ in range(size)]
    return times, counts, [random.randint(0, 20) for _ in range(size)], random.randint(1, 40)


@pytest.mark.parametrize("seed", range(60))
def test_every_load_holds_its_best_content(seed: int) -> None:
    times, counts, worth, room = _random(seed)
    table = Knapsack(times, counts, room).table(np.asarray(worth))
    for load in range(room + 1):
        assert table.best[load] == _best(times, counts, worth, load)
        content = table.content(load)
        assert all(n <= most for n, most in zip(content, counts, strict=True))
        assert sum(n * (time or 0) for n, time in zip(content, times, strict=True)) <= load
        assert sum(n * w for n, w in zip(content, worth, strict=True)) == table.best[load]


@pytest.mark.parametrize("seed", range(60))
def test_steps_bound_the_best_content_from_both_sides(seed: int) -> None:
    times, counts, worth, room = _random(seed)
    step = 3
    best = _best(times, counts, worth, room)
    fits = Knapsack(times, counts, room, step).table(np.asarray(worth))
    exceeds = Knapsack(times, counts, room, step, fits=False).table(np.asarray(worth))
    assert fits.best[room // step] <= best <= exceeds.best[room // step]
    content = fits.content(room // step)
    assert sum(n * (time or 0) for n, time in zip(content, times, strict=True)) <= room
