"""Which VM contents are worth more than they cost, given what an item of each kind is worth."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from planner.solver import Effort
from solvers.cloud.columns.bills import bills, paying, rooms
from solvers.cloud.columns.contents import Contents, Item
from solvers.cloud.columns.knapsack import best_content
from solvers.cloud.columns.market import Column, Floats, Market
from solvers.cloud.columns.master import Duals

WORTH = 1e-7  # a column must beat its price by this share of it
MOST_BILLS = 10_000  # bills of one type that are looked at
MOST_COLUMNS = 2  # of one type in one round


def promising(market: Market, makespan: int, duals: Duals) -> list[int]:
    """Types that could have a column worth more than its price, most for its price first."""
    cheapest = np.maximum(market.price + market.fee + duals.rents, 1e-300)
    with np.errstate(over="ignore"):  # next to nothing of a price: infinitely much of it
        waste = wasted(market, makespan, duals) / cheapest
    return [int(t) for t in np.argsort(waste, kind="stable") if waste[t] < -WORTH]


def wasted(market: Market, makespan: int, duals: Duals) -> Floats:
    """By type, the least that a VM costs beyond what its content is worth; infinite: it can run nothing.

    Never too much: no content is worth more than the VM's time filled with the item of most value a tick.
    """
    fits = market.fits(makespan)
    density = _shares(duals.values, np.where(fits, market.times, np.inf)).max(axis=1)
    least = np.full(len(market.startup), np.inf)
    for quanta in market.quanta_choices(makespan):
        work = np.minimum(makespan, quanta * market.ticks.quantum) - market.startup
        waste = quanta * market.price + market.fee + duals.rents + duals.shared - density * work
        least = np.minimum(least, np.where((work > 0) & fits.any(axis=1), waste, np.inf))
    return least


def columns_of(
    market: Market, makespan: int, kinds: Iterable[int], duals: Duals, effort: Effort
) -> list[Column]:
    """The best columns of each type, whether they pay or not; fewer where `effort` ends."""
    found: dict[Column, None] = {}
    fits = market.fits(makespan)
    for t in kinds:
        if effort.stopped_by:
            break
        items = _items(market, makespan, t, [bool(fit) for fit in fits[t]], duals)
        if items:
            found |= dict.fromkeys(_best_columns(market, makespan, t, items, duals))
    return list(found)


def reduced_cost(market: Market, column: Column, duals: Duals) -> float:
    """Price and rents minus worth: negative where renting the column saves money."""
    worth = 0.0
    for i, n in enumerate(column.units):
        if n:
            worth += n * (float(duals.values[i]) - duals.charge(i, n))
    return float(market.cost(column) + duals.rents[column.kind] + duals.shared - worth)


def _items(market: Market, makespan: int, t: int, fits: list[bool], duals: Duals) -> list[Item]:
    """What a VM of the type can be filled with: the densest item, others at their worth as a filler."""
    room = makespan - market.ticks.startup[t]
    values = [float(value) for value in duals.values]
    row = market.coarse.times[t]
    times = {i: time for i, time in enumerate(row) if time and time <= room and fits[i] and values[i] > 0}
    if not times:
        return []
    densest = max(times, key=lambda i: values[i] / times[i])
    items: list[Item] = []
    for i, time in times.items():
        bundles = [1] if i == densest else [1, *(most + 1 for most, _ in duals.fillers.get(i, ()))]
        for pieces in bundles:
            charge = 0.0 if i == densest else duals.charge(i, pieces)
            worth = pieces * (values[i] - charge)
            if worth > 0 and time * pieces <= room:
                items.append(Item(i, pieces, time * pieces, Fraction(worth)))
    return items


def _best_columns(market: Market, makespan: int, t: int, items: list[Item], duals: Duals) -> list[Column]:
    ticks = market.ticks
    contents = Contents(items, makespan - ticks.startup[t])
    rent = Fraction(float(duals.rents[t]) + duals.shared)
    chosen = paying(ticks, makespan, t, contents.density, rent) or bills(ticks, makespan, t)
    chosen = chosen[-MOST_BILLS:]
    room_by_bill = rooms(ticks, makespan, t, chosen)
    costs = np.arange(chosen.start, chosen.stop) * float(ticks.price[t])
    gains = contents.most(room_by_bill) * float(contents.coins(1)) - costs
    columns = []
    for best in np.argsort(-gains, kind="stable")[:MOST_COLUMNS]:
        room = int(room_by_bill[best])
        if room <= 0:
            continue
        units = contents.content(room, len(market.demand)) or _short_content(market, items, room)
        if any(units):
            columns.append(Column(t, tuple(units)))
    return columns


def _short_content(market: Market, items: list[Item], room: int) -> list[int]:
    """The same for a VM with room for a few items only."""
    own = [item for item in items if item.time <= room]
    units = [0] * len(market.demand)
    if own:
        counts = best_content([item.time for item in own], [float(item.worth) for item in own], room)
        for item, n in zip(own, counts, strict=True):
            units[item.index] += n * item.pieces
    return units


def _shares(values: Floats, times: Floats) -> Floats:
    """Value a tick; an item that takes no time is left to the filling."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(times > 0, values / times, 0.0)
