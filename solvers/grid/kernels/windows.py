"""Service that starts in a window of steps and goes on without a pause, for the prices of slots."""

from __future__ import annotations

import numpy as np

from planner.grid.compiled import kernel
from planner.grid.policy import Floats, Ints


@kernel
def service(slots: float, release: float, start: float, end: float) -> tuple[float, float]:
    """Slots served from `start` until `end` at most, and what the job adds to the records after `release`."""
    served = min(slots, end - start)
    needed = np.ceil(served)
    cost = served * needed - needed * (needed - 1.0) / 2.0 + (start - release) * served
    return served, cost + (slots - served) * (end - release)


@kernel
def shared(start: float, served: float, since: float, until: float) -> float:
    """How much of a service from `start` on lies in a window."""
    return max(0.0, min(start + served, until) - max(start, since))


@kernel
def least_prices(
    factor: Floats, ceiling: Floats, edges: Floats, release: Floats, reach: Ints,
    length: Floats, value: Floats,
) -> Floats:  # fmt: skip
    """Prices (resources, windows) a slot, so low that no job's cheapest service is below its value, if any.

    `value` (windows, bins) is in load for a job of that `length` (bins,) released in that window, which may
    start in the windows from its own to reach[window]. Later windows come first, so that what a service pays
    there is known.
    """
    windows = release.size
    prices = np.zeros((factor.size, windows))
    for i in range(factor.size):
        for v in range(windows - 1, -1, -1):
            for w in range(v + 1):
                if reach[w] < v:
                    continue
                start = release[w] if v == w else edges[v]
                for b in range(length.size):
                    served, left = service(length[b] / ceiling[i], release[w], start, edges[windows])
                    left = value[w, b] / factor[i] - left
                    own = shared(start, served, edges[v], edges[v + 1])
                    if own <= 0.0:
                        continue
                    u = v + 1
                    while u < windows and edges[u] < start + served:
                        left -= prices[i, u] * shared(start, served, edges[u], edges[u + 1])
                        u += 1
                    prices[i, v] = max(prices[i, v], left / own)
    return prices
