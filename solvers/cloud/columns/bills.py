"""What a VM of a type may be billed, and the work it can do for that by a makespan."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from solvers.cloud.ticks import Ticks

Whole: TypeAlias = npt.NDArray[np.int64]


def bills(ticks: Ticks, makespan: int, t: int) -> range:
    """Numbers of quanta that a VM which ends by `makespan` may be billed; of free VMs only the most."""
    most = ticks.quanta(makespan)
    fewest = most if not ticks.price[t] else min(most, ticks.quanta(ticks.startup[t]))
    return range(fewest, most + 1)


def rooms(ticks: Ticks, makespan: int, t: int, quanta: range) -> Whole:
    """Ticks of work that a VM can do by `makespan` in each number of quanta; negative: not even start up."""
    ends = np.minimum(np.arange(quanta.start, quanta.stop, dtype=np.int64) * ticks.quantum, makespan)
    return np.asarray(ends - ticks.startup[t], dtype=np.int64)


def paying(ticks: Ticks, makespan: int, t: int, density: Fraction, rent: Fraction) -> range:
    """The bills under which a VM full of work worth `density` a tick beats its cost with `rent`.

    All of them, and perhaps others. Worth - cost grows with the quanta up to the makespan, or falls.
    """
    all_bills = bills(ticks, makespan, t)
    gain = density * ticks.quantum - ticks.price[t]
    lost = density * ticks.startup[t] + ticks.fee[t] + rent
    if gain <= 0:
        return all_bills[:0] if lost >= 0 else all_bills
    first, stop = max(all_bills.start, int(lost / gain)), all_bills.stop
    last = all_bills[-1]
    if density * (makespan - ticks.startup[t]) <= last * ticks.price[t] + ticks.fee[t] + rent:
        stop = last
    return range(first, max(first, stop))
