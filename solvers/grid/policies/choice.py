"""Choosing the best resource with ties broken by luck; the scans that all policies share."""

from __future__ import annotations

from planner.grid.compiled import kernel
from planner.grid.policy import Floats


@kernel
def lowest(values: Floats, luck: float) -> int:
    """Where the lowest of `values` is; of several, the one that `luck` in [0, 1) falls on."""
    best = values[0]
    ties = 1
    where = 0
    for i in range(1, values.size):
        if values[i] < best:
            best = values[i]
            where = i
            ties = 1
        elif values[i] == best:
            ties += 1
    return where if ties == 1 else tied(values, best, where, int(luck * ties))


@kernel
def earliest(work: Floats, capacity: Floats, length: float, luck: float) -> int:
    """Where a job of that length, entering last, is finished first; ties as in `lowest`.

    A resource whose capacity is 0 is chosen only where all have none.
    """
    best = _end(work[0], capacity[0], length)
    ties = 1
    where = 0
    for i in range(1, work.size):
        end = _end(work[i], capacity[i], length)
        if end < best:
            best = end
            where = i
            ties = 1
        elif end == best:
            ties += 1
    if ties == 1:
        return where
    turn = int(luck * ties)
    for i in range(where, work.size):
        if _end(work[i], capacity[i], length) == best:
            if turn == 0:
                return i
            turn -= 1
    return where


@kernel
def tied(values: Floats, best: float, first: int, turn: int) -> int:
    """The `turn`-th of the places from `first` on that hold `best`, counted from 0."""
    for i in range(first, values.size):
        if values[i] == best:
            if turn == 0:
                return i
            turn -= 1
    return first


@kernel
def _end(work: float, capacity: float, length: float) -> float:
    return (work + length) / capacity if capacity > 0.0 else float("inf")
