"""Proof, in whole numbers, that every plan that ends by T costs more than some amount.

Let an item of kind i be worth w_i coins, and a place in a limit cost a rent. If no content of a VM of type t
is worth more than the VM and its rents cost, then adding that up over the VMs of a plan gives

    cost of the plan >= sum_i w_i * items of kind i - sum of rents * limits.

The worths are the linear program's, in floats; here they are taken as the exact numbers they are, and made
small enough for the condition to hold by one factor. So they may be anything: the bound is valid whatever
they are, and good where they are good.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from planner.solver import Effort
from solvers.cloud.columns.bills import paying, rooms
from solvers.cloud.columns.contents import Contents, Item
from solvers.cloud.columns.market import Market
from solvers.cloud.columns.master import Duals

MOST_BILLS = 1_000_000  # of one type; with more, one inequality stands for all
LARGEST = 1 << 53  # ticks; beyond it only that one is used


def least_money(market: Market, makespan: int, duals: Duals, effort: Effort) -> Fraction:
    """A number of coins below which no plan ends by `makespan`, whatever the dual values are.

    0 where `effort` ends before every type was looked at.
    """
    ticks = market.ticks
    worth = [Fraction(max(0.0, float(value))) for value in duals.values]
    own = [
        Fraction(0) if limit is None else Fraction(max(0.0, float(rent)))
        for limit, rent in zip(ticks.max_instances, duals.rents, strict=True)
    ]
    shared = Fraction(0) if ticks.max_vms is None else Fraction(max(0.0, duals.shared))
    factor = Fraction(1)
    for t in ticks.types:
        if effort.stopped_by:
            return Fraction(0)
        if ticks.max_instances[t] != 0:
            factor = min(factor, _factor(market, makespan, t, worth, own[t] + shared))
    total = factor * sum((n * value for n, value in zip(market.demand, worth, strict=True)), Fraction(0))
    for rent, limit in zip([shared, *own], [ticks.max_vms, *ticks.max_instances], strict=True):
        total -= rent * (limit or 0)
    return total


def _factor(market: Market, makespan: int, t: int, worth: list[Fraction], rent: Fraction) -> Fraction:
    """The largest factor <= 1 that makes no content of a type-t VM worth more than the VM and its rents."""
    ticks = market.ticks
    room = makespan - ticks.startup[t]
    items: list[Item] = []
    for i, time in enumerate(market.coarse.times[t]):
        # Some task of the item must fit.
        if time is not None and worth[i] and time * market.parts[i][-1][1] <= room:
            if not time:
                return Fraction(0)
            items.append(Item(i, 1, time, worth[i]))
    if not items:
        return Fraction(1)
    density = max(item.worth / item.time for item in items)
    chosen = paying(ticks, makespan, t, density, rent)
    if not chosen:
        return Fraction(1)
    if len(chosen) > MOST_BILLS or makespan >= LARGEST:
        ends = {
            min(makespan, quanta * ticks.quantum): quanta
            for quanta in (makespan // ticks.quantum, chosen[-1])
        }
        most = [(density * (end - ticks.startup[t]), quanta) for end, quanta in ends.items()]
    else:
        contents = Contents(items, room)
        worths = contents.most(rooms(ticks, makespan, t, chosen))
        costs = np.arange(chosen.start, chosen.stop) * float(ticks.price[t]) + float(ticks.fee[t] + rent)
        with np.errstate(divide="ignore"):
            ratios = np.where(worths > 0, worths / costs, 0.0)
        # Floats only choose which of the bills are compared exactly.
        near = np.flatnonzero(ratios >= ratios.max() * (1 - 1e-9))
        most = [(contents.coins(int(worths[i])), chosen[int(i)]) for i in near]
    allowed = [(quanta * ticks.price[t] + ticks.fee[t] + rent, worth) for worth, quanta in most]
    return min([Fraction(1), *(price / worth for price, worth in allowed if worth > price)])
