"""Which totals a VM's tasks can add up to: subset sums of task times, as bits of one whole number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LARGEST_BITSET = 1 << 24  # ticks; above it nothing is sharpened, which is always safe


def with_items(sums: int, time: int, count: int, limit: int) -> int:
    """Attainable sums up to `limit` after adding up to `count` items of length `time` to those in `sums`.

    Bit s of a set says that s is attainable. Doubling the items in each step takes log(count) shifts.
    """
    mask = (1 << (limit + 1)) - 1
    count = min(count, limit // time if time else 0)
    step = 1
    while count > 0:
        taken = min(step, count)
        sums |= (sums << (taken * time)) & mask
        count -= taken
        step *= 2
    return sums


def largest_sum(items: Iterable[tuple[int, int]], limit: int) -> int:
    """The largest total <= limit of items given as (length, how many); `limit` itself if that is huge."""
    if limit > LARGEST_BITSET:
        return limit
    sums = 1
    for time, count in items:
        sums = with_items(sums, time, count, limit)
        if sums >> limit:
            return limit
    return sums.bit_length() - 1


def smallest_sum_above(items: Sequence[tuple[int, int]], level: int) -> int | None:
    """The smallest total > level of items given as (length, how many); None: all fit below."""
    limit = level + max(time for time, _ in items)
    sums = 1
    for time, count in items:
        sums = with_items(sums, time, count, limit)
    above = sums >> (level + 1)
    return level + (above & -above).bit_length() if above else None
