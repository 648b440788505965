"""Subset sums as bits, against all subsets written out."""

from __future__ import annotations

import random
from itertools import product

import pytest

from solvers.cloud import attainable
from solvers.cloud.attainable import LARGEST_BITSET, largest_sum, smallest_sum_above, with_items


def _sums(items: list[tuple[int, int]]) -> set[int]:
    choices = product(*(range(count + 1) for _, count in items))
    return {sum(n * time for n, (time, _) in zip(choice, items, strict=True)) for choice in choices}


def test_adding_items_makes_every_number_of_them_attainable() -> None:
    assert with_items(1, 3, 4, 20) == 1 | 1 << 3 | 1 << 6 | 1 << 9 | 1 << 12
    assert with_items(1, 3, 4, 7) == 1 | 1 << 3 | 1 << 6  # nothing beyond the limit
    assert with_items(0b101, 5, 1, 20) == 0b10100101
    assert with_items(0b101, 5, 0, 20) == 0b101


def test_items_of_no_length_change_nothing() -> None:
    assert with_items(0b11, 0, 9, 20) == 0b11
    assert largest_sum([(0, 5), (4, 1)], 7) == 4


def test_gaps_are_seen() -> None:
    assert largest_sum([(6, 2), (10, 1)], 15) == 12
    assert largest_sum([(6, 2), (10, 1)], 16) == 16
    assert largest_sum([(6, 2), (10, 1)], 5) == 0
    assert smallest_sum_above([(6, 2), (10, 1)], 12) == 16
    assert smallest_sum_above([(6, 2), (10, 1)], 0) == 6
    assert smallest_sum_above([(6, 2), (10, 1)], 22) is None


def test_where_the_bits_would_be_too_many_the_limit_itself_stands() -> None:
    assert largest_sum([(7, 1)], LARGEST_BITSET + 1) == LARGEST_BITSET + 1
    assert largest_sum([(7, 1)], LARGEST_BITSET) == 7


def test_the_limit_of_bits_is_what_the_constant_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attainable, "LARGEST_BITSET", 10)
    assert (largest_sum([(7, 1)], 10), largest_sum([(7, 1)], 11)) == (7, 11)


@pytest.mark.parametrize("seed", range(80))
def test_like_all_subsets_written_out(seed: int) -> None:
    rng = random.Random(seed)
    items = [(rng.randint(1, 15), rng.randint(1, 6)) for _ in range(rng.randint(1, 4))]
    sums = _sums(items)
    for level in range(0, max(sums) + 3, 2):
        assert largest_sum(items, level) == max(s for s in sums if s <= level)
        assert smallest_sum_above(items, level) == min((s for s in sums if s > level), default=None)
