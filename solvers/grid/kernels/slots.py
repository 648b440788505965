"""What a job costs at least when work is served in priced slots (docs/model-grid.md, the bound on ALoR)."""

from __future__ import annotations

import numpy as np

from planner.grid.compiled import kernel
from planner.grid.policy import Floats, Ints


@kernel
def least_cost(length: float, records: float, ceiling: float, factor: float, price: float) -> float:
    """Load that `length` units of work add over the records left, in the cheapest slots, prices included.

    `records` are counted until the end, the step of arrival included. A slot takes at most `ceiling` units;
    `factor` is ceiling / initial capacity; `price` is that of a unit of work times the initial capacity. In
    units of `ceiling` / initial capacity the k-th slot (k = 1, 2, …) costs k + price, and work that is never
    served `records`: the cheapest `worth` slots are used, in order.
    """
    slots = length / ceiling
    needed: float = np.ceil(slots)
    worth: float = max(0.0, np.floor(records - price))
    if needed <= worth:
        return factor * (slots * (needed + price) - needed * (needed - 1.0) / 2.0)
    return factor * (worth * ((worth + 1.0) / 2.0 + price) + (slots - worth) * records)


@kernel
def sums_of_least(
    length: Floats, records: Floats, ceiling: Floats, factor: Floats, price: Floats, bounds: Ints
) -> Floats:
    """The sum over jobs of the least cost on any resource, for the jobs from `bounds[b]` to `bounds[b + 1]`.

    Costs never fall where length or records grow. So in a block a resource matters only where the block's
    least length and records cost no more on it than its greatest do on the best resource; blocks of similar
    jobs leave few.
    """
    sums = np.empty(bounds.size - 1)
    for block in range(bounds.size - 1):
        low, high = bounds[block], bounds[block + 1]
        shortest, longest = length[low:high].min(), length[low:high].max()
        latest, earliest = records[low:high].min(), records[low:high].max()
        enough = np.inf
        for i in range(ceiling.size):
            enough = min(enough, least_cost(longest, earliest, ceiling[i], factor[i], price[i]))
        kept = 0
        chosen = np.empty(ceiling.size, dtype=np.int64)
        for i in range(ceiling.size):
            if least_cost(shortest, latest, ceiling[i], factor[i], price[i]) <= enough:
                chosen[kept] = i
                kept += 1
        sums[block] = _sum(length[low:high], records[low:high], ceiling, factor, price, chosen[:kept])
    return sums


@kernel
def _sum(
    length: Floats, records: Floats, ceiling: Floats, factor: Floats, price: Floats, chosen: Ints
) -> float:
    total = 0.0
    for job in range(length.size):
        least = np.inf
        for i in chosen:
            least = min(least, least_cost(length[job], records[job], ceiling[i], factor[i], price[i]))
        total += least
    return total
