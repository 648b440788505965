"""From the prices of windows to a price for each step, in a form in which every bound is easy to work out.

A unit of work that arrives in step a and is served in step t adds t - a + 1 records and pays the price m(t),
one that is never served adds T - a records. Where t + m(t) never falls and stays below T, the cheapest
slots are always the next ones. docs/model-grid.md says why little is lost by asking for that.
"""

from __future__ import annotations

import math

import numpy as np

from planner.grid.policy import Floats
from solvers.grid.offered import Offered
from solvers.grid.prices import Prices


def rounded(prices: Prices) -> Prices:
    """Prices that are multiples of a power of two so large that sums of them over steps are exact."""
    quantum = 2.0 ** max(-30, 2 * math.ceil(math.log2(prices.edges[-1] + 1)) - 52)
    return Prices(prices.edges, np.floor(prices.slot / quantum) * quantum)


def price_path(prices: Prices, offered: Offered, resource: int) -> Floats:
    """The price of each step on a resource, in records: an array (steps,) of values of at least 0.

    Steps without capacity cost nothing, so work that waits in them pays as much as if it came after them.
    """
    steps = offered.steps
    now = np.arange(steps)
    reached = now + np.repeat(prices.slot[resource], np.diff(prices.edges))
    for since, until, capacity in reversed(offered.spans.of(resource)):
        if capacity == 0:
            reached[since:until] = reached[until] if until < steps else steps - 1
    path: Floats = np.minimum(np.maximum.accumulate(reached), steps - 1) - now
    return path
