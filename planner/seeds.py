"""Which seeds a person means."""

from __future__ import annotations

import re
from collections.abc import Iterable
from numbers import Integral
from typing import Any

from planner.errors import UsageError
from planner.settings import MAX_SEED

MOST_SEEDS = 10_000
_SEEDS = re.compile(r"(\d{1,10})(?:-(\d{1,10}))?")


def seeds_of(seeds: str | int | Iterable[int]) -> list[int]:
    """The seeds meant, each once, in the order given: 3, [1, 2], "1-10", "1,2,7-9".

    Raises `UsageError` for anything else, for seeds out of range and for more than `MOST_SEEDS`.
    """
    found: list[Any]
    if isinstance(seeds, str):
        found = [seed for part in seeds.split(",") for seed in _range(part.strip(), seeds)]
    else:
        found = list(seeds) if isinstance(seeds, Iterable) else [seeds]
    for seed in found:
        if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= int(seed) <= MAX_SEED:
            raise UsageError(f"a seed must be a whole number from 0 to {MAX_SEED}, not {seed!r}")
    if not 0 < len(found) <= MOST_SEEDS:
        raise UsageError(f"between 1 and {MOST_SEEDS:,} seeds are possible, not {len(found):,}")
    return list(dict.fromkeys(map(int, found)))


def _range(part: str, text: str) -> list[int]:
    match = _SEEDS.fullmatch(part)
    if match is None:
        raise UsageError(f"seeds {text!r} are not of the form 1-10, or 1,2,3")
    low = int(match[1])
    high = low if match[2] is None else int(match[2])
    if not low <= high < low + MOST_SEEDS:
        raise UsageError(f"seeds {part!r}: from {low} to {high} is empty or more than {MOST_SEEDS:,}")
    return list(range(low, high + 1))
