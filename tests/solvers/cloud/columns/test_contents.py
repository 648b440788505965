"""The most a VM's content can be worth: never too little, exact in long VMs; and contents that fit."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from solvers.cloud.columns import contents
from solvers.cloud.columns.contents import Contents, Item
from solvers.cloud.columns.knapsack import best_content


def _items(rng: random.Random, longest: int) -> list[Item]:
    return [
        Item(i, 1, rng.randint(1, longest), Fraction(rng.randint(1, 1000), rng.randint(1, 50)))
        for i in range(rng.randint(1, 5))
    ]


def _truth(items: list[Item], room: int) -> Fraction:
    best = [Fraction(0)] * (room + 1)
    for length in range(1, room + 1):
        best[length] = max(
            [best[length - 1], *(best[length - i.time] + i.worth for i in items if i.time <= length)]
        )
    return best[room]


def _most(made: Contents, room: int) -> Fraction:
    return made.coins(int(made.most(np.array([room]))[0]))


@pytest.mark.parametrize("seed", range(60))
def test_the_bound_is_one_and_is_reached_in_long_vms(seed: int) -> None:
    rng = random.Random(seed)
    items = _items(rng, 12)
    made = Contents(items, 400)
    for room in (0, 1, rng.randint(2, 30), rng.randint(200, 400), 400):
        truth = _truth(items, room)
        assert _most(made, room) >= truth
        # Beyond the square of the longest item a best content always has room for the densest one.
        if room >= 200:
            assert _most(made, room) <= truth * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize("seed", range(40))
def test_the_content_fits_and_is_worth_it(seed: int) -> None:
    rng = random.Random(seed)
    items = _items(rng, 12)
    made = Contents(items, 400)
    for room in (3, 20, 150, 399):
        units = made.content(room, len(items))
        if units is None:
            assert room < 200
            continue
        assert sum(n * item.time for n, item in zip(units, items, strict=True)) <= room
        worth = sum((n * item.worth for n, item in zip(units, items, strict=True)), Fraction(0))
        assert worth <= _truth(items, room)
        if room >= 150:
            assert worth >= _truth(items, room) * (1 - Fraction(1, 10**9))


def test_bundles_count_as_their_pieces() -> None:
    made = Contents([Item(0, 1, 5, Fraction(1)), Item(1, 4, 8, Fraction(4))], 100)
    assert made.content(16, 2) == [0, 8]


@pytest.mark.parametrize("seed", range(20))
def test_coarser_time_only_loosens_the_bound(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    items = _items(rng, 300)
    monkeypatch.setattr(contents, "MOST_STATES", 16)
    made = Contents(items, 5000)
    for room in (0, 7, 299, 4000, 5000):
        assert _most(made, room) >= _truth(items, room)
        units = made.content(room, len(items))
        assert units is None or sum(n * i.time for n, i in zip(units, items, strict=True)) <= room


def test_very_long_times_stay_within_whole_numbers() -> None:
    items = [Item(0, 1, 2**50 + 1, Fraction(3)), Item(1, 1, 2**49 - 7, Fraction(1))]
    made = Contents(items, 2**57)
    assert _most(made, 2**57) >= 3 * (2**57 // (2**50 + 1))


@pytest.mark.parametrize("seed", range(20))
def test_the_short_knapsack_fits_and_is_best_on_a_fine_grid(seed: int) -> None:
    rng = random.Random(seed)
    items = _items(rng, 12)
    room = rng.randint(12, 40)
    counts = best_content([item.time for item in items], [float(item.worth) for item in items], room)
    assert sum(n * item.time for n, item in zip(counts, items, strict=True)) <= room
    worth = sum((n * item.worth for n, item in zip(counts, items, strict=True)), Fraction(0))
    assert worth == _truth(items, room)
