"""The best content of one VM: an unbounded knapsack over items, as much value as fits the time that is left.

Most of the best content is the item with most value a tick; only the last stretch of the VM is a
puzzle. So the VM is filled with that item up to a window as long as a few items, and the window is solved by
dynamic programming over time, on a grid fine enough to lose next to nothing. What comes out is checked in
whole ticks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from solvers.cloud.columns.market import Floats

WINDOW = 4  # times the longest item
GRID = 30_000  # steps in the window at most


def best_content(
    times: Sequence[int], values: Sequence[float], room: int, cost: Callable[[Floats], Floats]
) -> list[int]:
    """How many of each item to take so that sum(values) - cost(work) is largest and work <= room.

    `times` are positive ticks, each at most `room`; `cost` maps an array of work in ticks to money.
    """
    densest = max(range(len(times)), key=lambda i: values[i] / times[i])
    window = WINDOW * max(times)
    taken = max(0, room - window) // times[densest]
    base = taken * times[densest]
    left = room - base
    step = max(1, -(-left // GRID))
    length = left // step + 1
    weights = [-(-time // step) for time in times]
    totals = _totals(weights, values, length)
    net = totals[-1] - cost(base + step * np.arange(length, dtype=np.float64))
    content = _trace(weights, values, totals, int(np.argmax(net)))
    content[densest] += taken
    return content


def _totals(weights: Sequence[int], values: Sequence[float], length: int) -> list[Floats]:
    """totals[i][s]: the largest value of the first i items that take at most s steps."""
    totals = [np.zeros(length)]
    for weight, value in zip(weights, values, strict=True):
        rows = -(-length // weight)
        padded = np.full(rows * weight, -np.inf)
        padded[:length] = totals[-1]
        # In a residue class modulo the weight, taking k more items is moving k rows down.
        table = padded.reshape(rows, weight)
        gain = value * np.arange(rows)[:, None]
        table = np.maximum.accumulate(table - gain, axis=0) + gain
        totals.append(table.reshape(-1)[:length])
    return totals


def _trace(weights: Sequence[int], values: Sequence[float], totals: list[Floats], end: int) -> list[int]:
    """The numbers of items behind totals[-1][end]."""
    content = [0] * len(weights)
    for i in reversed(range(len(weights))):
        steps = np.arange(end // weights[i] + 1)
        before = totals[i][end - steps * weights[i]] + steps * values[i]
        # Rounding must not make up items that add nothing.
        content[i] = int(np.argmax(before >= before.max() - 1e-12 * abs(before.max())))
        end -= content[i] * weights[i]
    return content
