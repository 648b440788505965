"""A lower bound on the makespan of one grid step, on float64 arrays: docs/model-grid.md, section 4.

A plan that ends by T leaves resource i room for T·C_i - L_i of new work. Of the j longest jobs, none shorter
than p, it then takes at most c = min(limit, floor(room / p)), and at most min(room, length of the c longest)
of their work. Where these counts, or these amounts, add up to less than the j jobs, no plan ends by T.
"""

from __future__ import annotations

import numpy as np

from planner.grid.compiled import kernel
from solvers.grid.kernels.matching import Floats

SLACK = 1 + 2.0**-47  # 64 roundings
PRECISE = 2.0**-42  # share of the time at which the bisection ends


@kernel
def makespan_bound(backlog: Floats, capacity: Floats, falling: Floats, limit: int) -> float:
    """No plan has a makespan below this, but for rounding by a share of 2^-46 + (n + |R|)·2^-52.

    `falling` are the lengths, longest first; capacities are positive and there are places for all jobs.
    """
    time = np.max(backlog / capacity)
    sums = np.zeros(falling.size + 1)
    for j in range(falling.size):
        sums[j + 1] = sums[j] + falling[j]
    for j in range(falling.size, 0, -1):
        alike = j < falling.size and falling[j] == falling[j - 1]  # then more jobs are no shorter
        if alike or _fit(backlog, capacity, falling[j - 1], sums, j, limit, time):
            continue
        low, high = time, 2 * time
        if time == 0.0:
            high = falling[j - 1] / np.max(capacity)
        while not _fit(backlog, capacity, falling[j - 1], sums, j, limit, high):
            low, high = high, 2 * high
        while high - low > PRECISE * high:
            middle = (low + high) / 2
            if _fit(backlog, capacity, falling[j - 1], sums, j, limit, middle):
                high = middle
            else:
                low = middle
        time = low
    return time


@kernel
def _fit(
    backlog: Floats, capacity: Floats, length: float, sums: Floats, jobs: int, limit: int, time: float
) -> bool:
    """Whether counts and amounts leave it open that the longest `jobs` jobs, none shorter, end by `time`."""
    places, work = 0, 0.0
    needed = sums[jobs] * (1 - (sums.size + backlog.size) * 2.0**-53)
    for i in range(backlog.size):
        room = time * SLACK * capacity[i] - backlog[i]
        if room >= length:
            count = int(min(room / length, float(min(limit, jobs))))
            places += count
            work += min(room, sums[count])
            if places >= jobs and work >= needed:
                return True
    return False
