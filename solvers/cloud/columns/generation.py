"""Column generation at one makespan: the cheapest fractional fleet, and columns worth keeping."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.solver import Effort
from solvers.cloud.columns.filling import SMALL
from solvers.cloud.columns.market import Column, Floats, Market
from solvers.cloud.columns.master import Master, Shares
from solvers.cloud.columns.pricing import columns_of, promising, reduced_cost

MOST_ROUNDS = 60
TYPES_A_ROUND = 24
FIRST_TYPES = 3  # of each item, those that run it for least money
ENOUGH = 1e-6  # rounds that save less than this share of the money are idle
MOST_IDLE = 3  # idle rounds in a row
MOST_FILLER_ROUNDS = 4
NOTHING = 1e-7  # share of an item that counts as none


@dataclass(frozen=True)
class Generated:
    """The columns known at `makespan`, and how often each is rented.

    `free` is the solution without rows for fillers, of whose dual values a bound may be made. Where some
    items are left out, though all columns that help are there, no fleet ends by then within the limits.
    """

    makespan: int
    columns: tuple[Column, ...]
    shares: Shares
    free: Shares

    @property
    def covers(self) -> bool:
        """Whether everything runs."""
        return self.shares.missing <= NOTHING


def generate(
    market: Market, makespan: int, effort: Effort, before: Generated | None, *, fillers: bool = True
) -> Generated | None:
    """The cheapest fractional fleet that ends by `makespan`; None: some tasks fit on no type by then.

    `before`, from another makespan, tells where to start. Without `fillers` small tasks may run out.
    """
    if not market.fits(makespan).any(axis=0).all():
        return None
    master = Master(market, _first(market, makespan, effort, before))
    free = shares = _improved(market, makespan, master, effort)
    for _ in range(MOST_FILLER_ROUNDS if fillers else 0):
        if shares is None or shares.missing > NOTHING or effort.stopped_by:
            break
        if not _limit_fillers(market, master, shares):
            break
        shares = _improved(market, makespan, master, effort)
    if free is None or shares is None:
        return None
    return Generated(makespan, tuple(master.columns), shares, free)


def _improved(market: Market, makespan: int, master: Master, effort: Effort) -> Shares | None:
    """The optimum when no column promises anything any more."""
    shares = master.solve()
    idle = 0
    for _ in range(MOST_ROUNDS):
        if shares is None or effort.stopped_by:
            break
        kinds = promising(market, makespan, shares.duals)[:TYPES_A_ROUND]
        found = [
            column
            for column in columns_of(market, makespan, kinds, shares.duals, effort)
            if reduced_cost(market, column, shares.duals) < 0
        ]
        if not master.add(found):
            break
        last, shares = shares, master.solve()
        if shares is not None:
            idle = idle + 1 if last.cost - shares.cost < ENOUGH * last.cost else 0
            if idle == MOST_IDLE:
                break
    return shares


def _limit_fillers(market: Market, master: Master, shares: Shares) -> bool:
    """Add rows where the solution wants more small tasks than there are; whether there were any."""
    added = False
    for i, parts in enumerate(market.parts):
        there = 0
        for c, size in reversed(parts[1:]):
            there += size * market.ticks.counts[c]
            small = large = 0.0
            for column, amount in zip(master.columns, shares.amounts, strict=True):
                if 0 < column.units[i] <= size:
                    small += amount * column.units[i]
                elif column.units[i] > SMALL * parts[0][1]:
                    large += amount
            # Every larger content should get a few small tasks, too, or it will not be filled to the last.
            allowed = max(there / 2, there - size * large)
            if small > allowed * (1 + NOTHING):
                added |= master.limit_fillers(i, size, int(allowed))
    return added


def _first(market: Market, makespan: int, effort: Effort, before: Generated | None) -> list[Column]:
    """For each item the types that run it for least money, filled with it; and the types rented before."""
    fits = market.fits(makespan)
    rate = _money_a_tick(market, makespan)
    with np.errstate(invalid="ignore"):
        money = np.where(fits, market.times * rate[:, None], np.inf)
    columns: list[Column] = []
    for i in range(len(market.demand)):
        for t in np.argsort(money[:, i], kind="stable")[:FIRST_TYPES]:
            if np.isfinite(money[t, i]):
                columns += _single(market, makespan, int(t), i)
    if before is not None:
        rented = {c.kind for c, n in zip(before.columns, before.shares.amounts, strict=True) if n > 0}
        columns += columns_of(market, makespan, sorted(rented), before.shares.duals, effort)
    return list(dict.fromkeys(columns))


def _single(market: Market, makespan: int, t: int, i: int) -> list[Column]:
    """A VM of type `t` with as much of item `i` as it can run by the makespan, and in whole quanta before."""
    ticks, time = market.ticks, market.coarse.times[t][i]
    columns = []
    for end in {makespan, makespan // ticks.quantum * ticks.quantum}:
        room = end - ticks.startup[t]
        count = 0 if time is None or room < 0 else market.demand[i] if not time else room // time
        if count:
            units = [0] * len(market.demand)
            units[i] = min(count, market.demand[i])
            columns.append(Column(t, tuple(units)))
    return columns


def _money_a_tick(market: Market, makespan: int) -> Floats:
    """What a tick of work costs on each type at best."""
    best = np.full(len(market.startup), np.inf)
    for quanta in market.quanta_choices(makespan):
        work = np.minimum(makespan, quanta * market.ticks.quantum) - market.startup
        with np.errstate(divide="ignore", invalid="ignore"):
            best = np.minimum(best, np.where(work > 0, (quanta * market.price + market.fee) / work, np.inf))
    return best
