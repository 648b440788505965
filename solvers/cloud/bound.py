"""Certified lower bounds that cost next to nothing.

Makespan (all valid for every plan, docs/model-cloud.md, "Cheap bounds"):

- longest task: some VM runs it, so T >= max_c min_t (o_t + p[t,c]);
- money: a VM of type t that ends by T does at most min(T, h q) - o_t of work for h price_t + fee_t, so a
  tick of work on it costs at least 1/rho_t(T), and sum_c N_c min_t p[t,c]/rho_t(T) <= B must hold;
- limits: at most K VMs give sum_c N_c min_t p[t,c] <= sum of the K largest T - o_t.

Cost: the same money sum at the deadline.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from solvers.cloud.ticks import Ticks

LARGEST_WHOLE_FLOAT = 2**50  # with a margin: sums of a few such numbers are exact in floats


def usable(ticks: Ticks) -> list[int]:
    """Types of which at least one VM may be rented."""
    return [t for t in ticks.types if ticks.max_instances[t] != 0]


def longest_task(ticks: Ticks) -> int | None:
    """max_c min_t (o_t + p[t,c]) in ticks; None where some class runs on no usable type."""
    longest, kinds = 0, usable(ticks)
    for c in ticks.task_classes:
        fits = [ticks.startup[t] + time for t in kinds if (time := ticks.times[t][c]) is not None]
        if not fits:
            return None
        longest = max(longest, min(fits))
    return longest


def serial(ticks: Ticks) -> int:
    """A makespan no sensible plan passes: all tasks one after the other, each on its slowest usable type."""
    kinds = usable(ticks)
    total = max((ticks.startup[t] for t in kinds), default=0)
    for c, count in enumerate(ticks.counts):
        total += count * max((ticks.times[t][c] or 0 for t in kinds), default=0)
    return max(total, 1)


def least_makespan(ticks: Ticks) -> int:
    """The best of the cheap makespan bounds, in ticks (0 where some class can run nowhere)."""
    longest = longest_task(ticks)
    if longest is None:
        return 0
    bound = max(longest, _limits_bound(ticks))
    if ticks.budget is None:
        return bound
    return max(bound, _money_makespan(ticks, bound))


def least_cost(ticks: Ticks) -> int:
    """No plan that meets the deadline is cheaper than this, in coins."""
    if longest_task(ticks) is None:
        return 0
    needed = _least_money(ticks, MoneyEstimate(ticks), ticks.deadline)
    return 0 if needed is None else -(-needed.numerator // needed.denominator)


def _money_makespan(ticks: Ticks, start: int) -> int:
    """Least T with `_least_money(T) <= B`: found in floats, then settled exactly.

    Where no T is long enough the budget is hopeless, and `start` is returned.
    """
    budget = ticks.budget
    high = serial(ticks)
    estimate = MoneyEstimate(ticks)
    if budget is None or start >= high or estimate.needed(high) > budget * (1 + 1e-9):
        return start
    low = start
    while low < high:
        middle = (low + high) // 2
        if estimate.needed(middle) > budget * (1 + 1e-9):
            low = middle + 1
        else:
            high = middle
    return _settled(ticks, estimate, low, start, serial(ticks))


def _settled(ticks: Ticks, estimate: MoneyEstimate, guess: int, start: int, longest: int) -> int:
    """The least T from `start` on that is not too short: galloping from the guess, then bisection."""
    upward = _too_short(ticks, estimate, guess)
    floor, enough = (guess + 1, longest) if upward else (start, guess)
    step, bisecting = 1, False
    while floor < enough:
        probe = min(floor + step - 1, enough - 1) if upward else max(enough - step, floor)
        if bisecting:
            probe = (floor + enough) // 2
        short = _too_short(ticks, estimate, probe)
        if short:
            floor = probe + 1
        else:
            enough = probe
        bisecting = bisecting or short is not upward
        step *= 2
    return enough


def _too_short(ticks: Ticks, estimate: MoneyEstimate, makespan: int) -> bool:
    needed = _least_money(ticks, estimate, makespan)
    return needed is None or (ticks.budget is not None and needed > ticks.budget)


def _least_money(ticks: Ticks, estimate: MoneyEstimate, makespan: int | None) -> Fraction | None:
    """sum_c N_c min_t p[t,c]/rho_t(makespan) in coins; None where some class does not fit the makespan.

    Exact, but of the types only those are compared that may be cheapest by the estimate.
    """
    prices: dict[int, Fraction | None] = {}
    total = Fraction(0)
    for c, count in enumerate(ticks.counts):
        offers = []
        for t in estimate.cheapest(c, makespan):
            if t not in prices:
                prices[t] = _price_of_work(ticks, t, makespan)
            time, price = ticks.times[t][c], prices[t]
            fits = time is not None and (makespan is None or time <= makespan - ticks.startup[t])
            if fits and time is not None and price is not None:
                offers.append(time * price)
        if not offers:
            return None
        total += count * min(offers)
    return total


def _price_of_work(ticks: Ticks, t: int, makespan: int | None) -> Fraction | None:
    """1/rho_t in coins per tick of work: the best ratio over the quanta h; None: no VM ends by then.

    (h q - o)/(h price + fee) grows with h, (T - o)/(h price + fee) falls: only the two h next to T/q count.
    """
    quantum, price, fee, startup = ticks.quantum, ticks.price[t], ticks.fee[t], ticks.startup[t]
    if makespan is None:
        return Fraction(price, quantum)
    if makespan < startup:
        return None
    fewest = _fewest_quanta(ticks, t)
    ratios = []
    for quanta in {max(fewest, makespan // quantum), max(fewest, -(-makespan // quantum))}:
        work = min(makespan, quanta * quantum) - startup
        if work > 0:
            ratios.append(Fraction(quanta * price + fee, work))
    # Where no work fits, only tasks whose time was rounded down to nothing do, and those are free.
    return min(ratios, default=Fraction(0))


def _fewest_quanta(ticks: Ticks, t: int) -> int:
    """What the shortest possible VM of the type bills."""
    shortest = min((time for time in ticks.times[t] if time is not None), default=0)
    return ticks.quanta(ticks.startup[t] + shortest)


def _limits_bound(ticks: Ticks) -> int:
    """Least T at which as many VMs as allowed have room for all work, each task on its fastest type."""
    machines = usable(ticks)
    limits = [ticks.max_instances[t] for t in machines]
    known = [limit for limit in limits if limit is not None]
    total = sum(known) if len(known) == len(limits) else None
    if ticks.max_vms is not None:
        total = ticks.max_vms if total is None else min(total, ticks.max_vms)
    if not total:
        return 0
    work = sum(
        count * min(time for t in machines if (time := ticks.times[t][c]) is not None)
        for c, count in enumerate(ticks.counts)
    )
    return min(ticks.startup[t] for t in machines) + -(-work // total)


class MoneyEstimate:
    """The money bound in floats, for many values of T: what all tasks cost where each is cheapest."""

    def __init__(self, ticks: Ticks) -> None:
        kinds = usable(ticks)
        self._kinds = np.asarray(kinds, dtype=np.intp)
        self._times = _as_array([[_float(ticks.times[t][c]) for c in ticks.task_classes] for t in kinds])
        self._counts = _as_array(ticks.counts)
        self._startup = _as_array([ticks.startup[t] for t in kinds])
        self._price = _as_array([ticks.price[t] for t in kinds])
        self._fee = _as_array([ticks.fee[t] for t in kinds])
        self._fewest = _as_array([_fewest_quanta(ticks, t) for t in kinds])
        self._quantum = ticks.quantum
        self._offers: tuple[int | None, npt.NDArray[np.float64]] | None = None

    def needed(self, makespan: int) -> float:
        """Coins that a plan which ends by `makespan` costs at least; infinite where a task does not fit."""
        return float(self._counts @ self._offers_at(makespan).min(axis=0, initial=np.inf))

    def cheapest(self, c: int, makespan: int | None) -> list[int]:
        """Types among which is the cheapest for tasks of class `c`; all, where floats cannot tell."""
        if makespan is not None and makespan + self._startup.max(initial=0) >= LARGEST_WHOLE_FLOAT:
            return [int(t) for t in self._kinds]
        if self._offers is None or self._offers[0] != makespan:
            self._offers = makespan, self._offers_at(makespan)
        offers = self._offers[1][:, c]
        near = offers <= offers.min(initial=np.inf) * (1 + 1e-9)
        return [int(t) for t in self._kinds[near & np.isfinite(offers)]]

    def _offers_at(self, makespan: int | None) -> npt.NDArray[np.float64]:
        """Coins for one task by type and class."""
        if makespan is None:
            with np.errstate(invalid="ignore"):
                offers = self._times * (self._price / self._quantum)[:, None]
            return np.where(np.isfinite(self._times), offers, np.inf)
        best = np.full(len(self._startup), np.inf)
        for near in (makespan // self._quantum, -(-makespan // self._quantum)):
            quanta = np.maximum(self._fewest, near)
            work = np.minimum(makespan, quanta * self._quantum) - self._startup
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = np.where(work > 0, (quanta * self._price + self._fee) / work, np.inf)
            best = np.minimum(best, ratio)
        # Where no work fits, only tasks whose time was rounded down to nothing do, and those are free.
        best = np.where(np.isinf(best) & (self._startup <= makespan), 0.0, best)
        fits = self._times <= (makespan - self._startup)[:, None]
        with np.errstate(invalid="ignore"):
            return np.where(fits, self._times * best[:, None], np.inf)


def _float(time: int | None) -> float:
    return np.inf if time is None else float(time)


def _as_array(values: object) -> npt.NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64)
