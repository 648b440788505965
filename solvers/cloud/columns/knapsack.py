"""The best content of a short VM: an unbounded knapsack over items, as much value as fits.

For VMs with room for a few items, where contents.py may name one that is too long. A dynamic programme over
time, on a grid fine enough to lose next to nothing; grid times are rounded up, so that the content fits. A
long VM is filled with the item of most value a tick up to a window as long as a few items.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solvers.cloud.columns.market import Floats

WINDOW = 4  # times the longest item
GRID = 10_000  # steps in the window at most


def best_content(times: Sequence[int], values: Sequence[float], room: int) -> list[int]:
    """How many of each item to take so that the value is largest; `times` are from 1 to `room`."""
    densest = max(range(len(times)), key=lambda i: values[i] / times[i])
    taken = max(0, room - WINDOW * max(times)) // times[densest]
    left = room - taken * times[densest]
    step = max(1, -(-left // GRID))
    weights = [-(-time // step) for time in times]
    totals = _totals(weights, values, left // step + 1)
    content = _trace(weights, values, totals, left // step)
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
