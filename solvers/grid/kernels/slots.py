"""What a job costs at least when work is served in priced slots (docs/model-grid.md, the bound on ALoR).

A slot is a step of a resource. Costs and prices of work are in units of the job's own slots: times
ceiling / initial capacity they are loads.
"""

from __future__ import annotations

import numpy as np

from planner.grid.compiled import kernel
from planner.grid.policy import Floats, Ints


@kernel
def evenly_priced(slots: float, records: float, price: float) -> float:
    """Least cost of `slots` of work with that many records left, where every slot has the same price.

    The k-th slot (k = 1, 2, …) costs k + price, work that is never served costs `records`.
    """
    needed: float = np.ceil(slots)
    worth: float = max(0.0, np.floor(records - price))
    if needed <= worth:
        return slots * (needed + price) - needed * (needed - 1.0) / 2.0
    return worth * ((worth + 1.0) / 2.0 + price) + (slots - worth) * records


@kernel
def priced(slots: float, step: int, prefix: Floats) -> float:
    """The same for work that arrives in `step`, where slot t has the price prefix[t + 1] - prefix[t].

    For prices with which no slot costs more than a later one, or than never being served.
    """
    room = prefix.size - 1 - step
    if slots <= room:
        needed = int(np.ceil(slots))
        before, last = prefix[step + needed - 1], prefix[step + needed]
        paid: float = before - prefix[step] + (slots - (needed - 1)) * (last - before)
        return slots * needed - needed * (needed - 1.0) / 2.0 + paid
    paid = prefix[-1] - prefix[step]
    return room * (room + 1.0) / 2.0 + paid + (slots - room) * room


@kernel
def lower_to_cheapest(
    length: Floats, step: Ints, blocks: Ints, ceiling: Floats, factor: Floats, prefix: Floats,
    edges: Ints, floor: Floats, least: Floats,
) -> None:  # fmt: skip
    """Lower `least` (jobs,) to the cost on the cheapest of these resources, in load.

    `prefix` (resources, steps + 1) are sums of their prices, none of which is below `floor` (resources,
    windows) between edges[w] and edges[w + 1]. Jobs from blocks[b] to blocks[b + 1] are alike: where the
    shortest of them, with the fewest records and at the lowest price, costs more than the cheapest resource
    so far of every one, no job of the block needs the resource.
    """
    steps = prefix.shape[1] - 1
    hope = np.empty(ceiling.size)
    for block in range(blocks.size - 1):
        low, high = blocks[block], blocks[block + 1]
        shortest, first, last = length[low:high].min(), step[low:high].min(), step[low:high].max()
        window = np.searchsorted(edges, first, side="right") - 1
        for i in range(ceiling.size):
            slots = shortest / ceiling[i]
            price, w = floor[i, window], window + 1
            while w < floor.shape[1] and edges[w] < last + slots:
                price = min(price, floor[i, w])
                w += 1
            hope[i] = factor[i] * evenly_priced(slots, float(steps - last), price)
        likely = int(np.argmin(hope))
        if hope[likely] > least[low:high].max():
            continue
        enough = _lower_block(length, step, low, high, ceiling, factor, prefix, likely, least)
        for i in range(ceiling.size):
            if hope[i] <= enough and i != likely:
                enough = _lower_block(length, step, low, high, ceiling, factor, prefix, i, least)


@kernel
def _lower_block(
    length: Floats, step: Ints, low: int, high: int, ceiling: Floats, factor: Floats, prefix: Floats,
    i: int, least: Floats,
) -> float:  # fmt: skip
    greatest = 0.0
    for job in range(low, high):
        least[job] = min(least[job], factor[i] * priced(length[job] / ceiling[i], step[job], prefix[i]))
        greatest = max(greatest, least[job])
    return greatest
