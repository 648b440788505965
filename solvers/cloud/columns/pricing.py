"""Which VM contents are worth more than they cost, given what an item of each kind is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from solvers.cloud.columns.knapsack import best_content
from solvers.cloud.columns.market import Column, Floats, Market

WORTH = 1e-7  # a column must beat its price by this share of it


def promising(market: Market, makespan: int, values: Floats, rents: Floats) -> list[int]:
    """Types that could have a column worth more than its price, most for its price first."""
    cheapest = np.maximum(market.price + market.fee + rents, 1e-300)
    waste = wasted(market, makespan, values, rents) / cheapest
    return [int(t) for t in np.argsort(waste, kind="stable") if waste[t] < -WORTH]


def wasted(market: Market, makespan: int, values: Floats, rents: Floats) -> Floats:
    """By type, the least that a VM costs beyond what its content is worth; infinite: it can run nothing.

    Never too much: no content is worth more than the VM's time filled with the item of most value a tick.
    """
    fits = market.fits(makespan)
    density = _shares(values, np.where(fits, market.times, np.inf)).max(axis=1)
    least = np.full(len(market.startup), np.inf)
    for quanta in market.quanta_choices(makespan):
        work = np.minimum(makespan, quanta * market.ticks.quantum) - market.startup
        waste = quanta * market.price + market.fee + rents - density * work
        least = np.minimum(least, np.where((work > 0) & fits.any(axis=1), waste, np.inf))
    return least


def columns_of(market: Market, makespan: int, kinds: Iterable[int], values: Floats) -> list[Column]:
    """The best columns of each type: for each number of quanta that may pay, and for the fullest VM."""
    found: dict[Column, None] = {}
    fits = market.fits(makespan)
    for t in kinds:
        for room in _rooms(market, t, makespan):
            column = _best_column(market, t, room, fits[t], values)
            if column is not None:
                found[column] = None
    return list(found)


def reduced_cost(market: Market, column: Column, values: Floats, rents: Floats) -> float:
    """Price minus worth: negative where renting the column saves money."""
    worth = sum(n * values[i] for i, n in enumerate(column.units) if n)
    return float(market.cost(column) + rents[column.kind] - worth)


def _rooms(market: Market, t: int, makespan: int) -> set[int]:
    """Work a VM of the type can do by the makespan in the numbers of quanta that may pay."""
    ticks = market.ticks
    ends = {makespan, makespan // ticks.quantum * ticks.quantum}
    return {end - ticks.startup[t] for end in ends if end > ticks.startup[t]}


def _best_column(
    market: Market, t: int, room: int, fits: np.ndarray[tuple[int], np.dtype[np.bool_]], values: Floats
) -> Column | None:
    row = market.coarse.times[t]
    items: list[int] = []
    times: list[int] = []
    for i in np.flatnonzero(fits & (values > 0)).tolist():
        time = row[i]
        if time is not None and 0 < time <= room:
            items.append(i)
            times.append(time)
    if not items:
        return None
    content = best_content(times, [float(values[i]) for i in items], room, _bill(market, t))
    units = [0] * len(row)
    for i, n in zip(items, content, strict=True):
        units[i] = n
    return Column(t, tuple(units)) if any(units) else None


def _bill(market: Market, t: int) -> Callable[[Floats], Floats]:
    """cost_vm as a function of work, in floats: it only chooses, the exact cost is reckoned later."""
    ticks = market.ticks
    startup, minimum, quantum = float(ticks.startup[t]), float(ticks.minimum), float(ticks.quantum)
    price, fee = market.price[t], market.fee[t]

    def bill(work: Floats) -> Floats:
        quanta = np.ceil(np.maximum(work + startup, max(minimum, 1.0)) / quantum)
        return np.asarray(quanta * price + fee, dtype=np.float64)

    return bill


def _shares(values: Floats, times: Floats) -> Floats:
    """Value a tick; an item that takes no time is left to the filling."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(times > 0, values / times, 0.0)
