"""Quick ways to place the jobs of a step that prove nothing: best fit into given rooms, and a greedy rule."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from solvers.grid.arrays import Arrays
from solvers.grid.classes import Classes
from solvers.grid.kernels.matching import Floats

Price = Callable[[Floats, float], Floats]


def best_fit(classes: Classes, rooms: Sequence[int], limit: int) -> tuple[list[list[int]], list[int]]:
    """Each job, longest first, into the least room that it fits; the contents, and the jobs that fit nowhere.

    `rooms` are in the classes' unit. Where every resource can take one job at most, this finds a place for
    all jobs if that is possible: what fits a shorter job fits no longer one first.
    """
    free = sorted((room, resource) for resource, room in enumerate(rooms) if room > 0)
    queues: list[list[int]] = [[] for _ in rooms]
    left = []
    for length, jobs in zip(classes.lengths, classes.members, strict=True):
        for job in jobs:
            place = bisect_left(free, (length, -1))
            if place == len(free):
                left.append(job)
                continue
            room, resource = free.pop(place)
            queues[resource].append(job)
            if room > length and len(queues[resource]) < limit:
                insort(free, (room - length, resource))
    return [queue[::-1] for queue in queues], left


def greedy(
    arrays: Arrays, jobs: Iterable[int], queues: Sequence[Sequence[int]], price: Price
) -> list[list[int]]:
    """`queues`, and each of the other `jobs` in turn on the resource where its price is least.

    `price` tells it for all resources from the work on each, backlog included, and the job's length.
    """
    filled = [list(queue) for queue in queues]
    work = arrays.backlog + [arrays.lengths[queue].sum() if queue else 0.0 for queue in filled]
    full = np.array([len(queue) >= arrays.limit for queue in filled])
    for job in jobs:
        prices = price(work, arrays.lengths[job])
        prices[full] = np.inf
        resource = int(prices.argmin())
        filled[resource].append(job)
        work[resource] += arrays.lengths[job]
        full[resource] = len(filled[resource]) >= arrays.limit
    return [sorted(queue, key=lambda job: float(arrays.lengths[job])) for queue in filled]
