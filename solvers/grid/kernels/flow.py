"""The least total completion time of one grid step, on float64 arrays.

A job of length p that is the k-th from last of the new jobs on resource i adds (L_i + k·p)/C_i to the total
completion time: the backlog it waits for, and its own length once for itself and each job behind it. So the
step is a matching of jobs and positions (i, k), and `matching` solves it. Which positions are needed, and why
the numbers are as exact as said here, is proven in docs/model-grid.md, "Total completion time".
"""

from __future__ import annotations

import numpy as np

from planner.grid.compiled import kernel
from solvers.grid.kernels.matching import Floats, Indices, matched

BANDS = 16  # of lengths; more of them leave fewer positions and cost more to find
HALVINGS = 12  # of the interval around a band's threshold; any threshold that is not too low is valid
SLACK = 1 + 2.0**-47  # 64 roundings: what a threshold may be off by, and more


@kernel
def least_flow(
    backlog: Floats, capacity: Floats, lengths: Floats, limit: int
) -> tuple[Indices, Indices, float]:
    """For each job its resource and its turn there (1 is served first), and the total completion time.

    `backlog` and `lengths` are in units of work, `capacity` in units a step (0: out of service, gets no job),
    `limit` is the most new jobs on one resource (the number of jobs: no limit). Where there are too few
    places, the resources are -1 and the value is infinite. The value exceeds the least total completion time
    by a factor of at most (1 + 2^-53)^(n + 8), n the number of jobs.
    """
    jobs = lengths.size
    resource = np.full(jobs, -1, dtype=np.int64)
    turn = np.zeros(jobs, dtype=np.int64)
    order = np.argsort(lengths, kind="mergesort")
    rising = lengths[order]
    depths = needed(backlog, capacity, rising, limit)
    total = depths.sum()
    if total < jobs:
        return resource, turn, np.inf
    offsets, slopes, owners = np.empty(total), np.empty(total), np.empty(total, dtype=np.int64)
    s = 0
    for i in range(depths.size):
        for k in range(1, depths[i] + 1):
            offsets[s], slopes[s], owners[s] = backlog[i] / capacity[i], k / capacity[i], i
            s += 1
    steepest = np.argsort(-slopes, kind="mergesort")
    position, value = matched(offsets[steepest], slopes[steepest], rising)
    served = np.zeros(depths.size, dtype=np.int64)
    for j in range(
        jobs
    ):  # on one resource the steeper position is the earlier turn: turns follow the lengths
        i = owners[steepest[position[j]]]
        served[i] += 1
        resource[order[j]], turn[order[j]] = i, served[i]
    return resource, turn, value


@kernel
def needed(backlog: Floats, capacity: Floats, rising: Floats, limit: int) -> Indices:
    """For each resource how many positions, counted from the last, a best plan may need.

    A job never needs a position that costs more than its n-th cheapest one. In a band of lengths from p to q
    none costs a job more than the n-th cheapest position of q, and position k costs at least (L + k·p)/C.
    All zero where there are fewer than n places.
    """
    jobs = rising.size
    depths = np.zeros(backlog.size, dtype=np.int64)
    if jobs == 0 or limit * np.count_nonzero(capacity) < jobs:
        return depths
    most = min(limit, jobs)
    ratio = (rising[-1] / rising[0]) ** (1 / BANDS)
    first = 0
    while first < jobs:
        last = first
        while last + 1 < jobs and rising[last + 1] <= rising[first] * ratio:
            last += 1
        threshold = _threshold(backlog, capacity, rising[last], jobs, most) * SLACK
        for i in range(depths.size):
            if capacity[i] > 0:
                room = (threshold * capacity[i] - backlog[i]) / rising[first]
                depths[i] = max(depths[i], int(min(max(room, 0.0), float(most))))
        first = last + 1
    return depths


@kernel
def _threshold(backlog: Floats, capacity: Floats, length: float, jobs: int, most: int) -> float:
    """At least the cost of the jobs-th cheapest position for a job of that length, and not much more."""
    high = 0.0
    low = np.inf
    for i in range(backlog.size):
        if capacity[i] > 0:
            high = max(high, (backlog[i] + most * length) / capacity[i])
            low = min(low, (backlog[i] + length) / capacity[i])
    # Gallop up from the cheapest position of all, so that one slow resource does not cost all precision.
    reach = 2 * low
    while reach < high and _places(backlog, capacity, length, reach, most) < jobs:
        low, reach = reach, 2 * reach
    high = min(high, reach) * SLACK
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _places(backlog, capacity, length, middle, most) < jobs:
            low = middle
        else:
            high = middle
    return high


@kernel
def _places(backlog: Floats, capacity: Floats, length: float, cost: float, most: int) -> int:
    """How many positions cost a job of that length at most `cost`."""
    found = 0
    for i in range(backlog.size):
        room = cost * capacity[i] - backlog[i]
        if room >= length:
            found += int(min(room / length, float(most)))
    return found
