"""ASSIGN (paper IV-A): hand tasks to VMs.

A task goes to a VM (i) whose cost it does not raise, (ii) that runs it in the least time, (iii) that has
the lowest execution time, in this order. The paper does not say what happens when (i) fails everywhere:
then the type whose time for the task is worth the least money takes it, the lowest execution time first.
Nor in which order tasks come: longest first, so that the short ones even out what the long ones leave.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heapreplace

import numpy as np
import numpy.typing as npt

from solvers.cloud.pipeline.clock import Over, never
from solvers.cloud.pipeline.rented import Rented

Numbers = npt.NDArray[np.int64]
FEW = 256  # up to so many tasks a heap is quicker than arrays


def assign(
    fleet: Rented,
    tasks: Mapping[int, int],
    vms: Sequence[int],
    *,
    thrifty: bool = False,
    over: Over = never,
) -> bool:
    """Hand `tasks` (class -> number) to these VMs; False, and nothing done, where some fit no VM.

    Also False, and only some of them handed out, where time runs out.

    `thrifty`: (ii) asks for the least money (price times time), not the least time.
    """
    ticks = fleet.ticks
    kinds = sorted({fleet.kind[v] for v in vms})
    index = np.array(vms, dtype=np.int64)
    kind_of = np.array([fleet.kind[v] for v in vms], dtype=np.int64)
    load = np.array([fleet.load[v] for v in vms], dtype=np.int64)
    members = {kind: np.flatnonzero(kind_of == kind) for kind in kinds}
    able = {c: [(t, k) for k in kinds if (t := ticks.times[k][c]) is not None] for c in tasks}
    if not all(able.values()):
        return False
    for place, c in enumerate(sorted(tasks, key=lambda c: (-min(able[c])[0], c))):
        if place and over():
            return False
        left = tasks[c]
        ranks = [(ticks.price[kind] * time * thrifty, time, kind) for time, kind in able[c]]
        for money, time in sorted({rank[:2] for rank in ranks}):
            among = np.concatenate([members[rank[2]] for rank in ranks if rank[:2] == (money, time)])
            billed = -(-np.maximum(load[among], max(ticks.minimum, 1)) // ticks.quantum) * ticks.quantum
            left -= _hand_out(fleet, c, index, load, among, left, time, (billed - load[among]) // time)
            if not left:
                break
        if left:
            _, time, kind = min((ticks.price[kind] * time, time, kind) for time, kind in able[c])
            _hand_out(fleet, c, index, load, members[kind], left, time, None)
    return True


def pour(load: Numbers, number: int, time: int, room: Numbers | None = None) -> Numbers:
    """Give `number` equal tasks of `time` ticks one by one to the VM with the lowest load; tasks by VM.

    `room` says how many each VM can take; where there is less room than tasks, all of it is used.
    """
    if room is not None and number >= int(room.sum()):
        return room
    if number <= FEW:
        return _one_by_one(load, number, time, room)

    def begun(level: int) -> Numbers:
        """Tasks that begin before `level`."""
        tasks: Numbers = np.maximum(0, -((load - level) // time))
        return tasks if room is None else np.minimum(tasks, room)

    low, high = int(load.min()), int(load.max()) + number * time + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if int(begun(middle).sum()) >= number else (middle, high)
    given = begun(low)
    more = np.flatnonzero(begun(high) > given)[: number - int(given.sum())]
    given[more] += 1
    return given


def _one_by_one(load: Numbers, number: int, time: int, room: Numbers | None) -> Numbers:
    given = np.zeros(len(load), dtype=np.int64)
    able = np.arange(len(load)) if room is None else np.flatnonzero(room > 0)
    chosen = able[_lowest(load[able], number)]
    free = [number] * len(chosen) if room is None else room[chosen].tolist()
    heap = [(level, v) for v, level in enumerate(load[chosen].tolist())]
    heapify(heap)
    counts = [0] * len(chosen)
    for _ in range(number):
        level, v = heap[0]
        counts[v] += 1
        # A full VM sinks below all others; there is room for all tasks, so it is never reached.
        heapreplace(heap, (level + time if counts[v] < free[v] else 2**62, v))
    given[chosen] = counts
    return given


def _lowest(load: Numbers, number: int) -> npt.NDArray[np.intp]:
    """Places of the `number` lowest loads, the first of equal ones: no other gets any of so many tasks."""
    if number >= len(load):
        return np.arange(len(load))
    last = np.partition(load, number - 1)[number - 1]
    below = np.flatnonzero(load < last)
    level = np.flatnonzero(load == last)[: number - len(below)]
    return np.sort(np.concatenate([below, level]))


def _hand_out(
    fleet: Rented,
    c: int,
    index: Numbers,
    load: Numbers,
    among: Numbers,
    number: int,
    time: int,
    room: Numbers | None,
) -> int:
    """Pour class-c tasks over the VMs `among`; how many found room."""
    given = pour(load[among], number, time, room)
    load[among] += given * time
    receivers = np.flatnonzero(given)
    for v, tasks in zip(index[among[receivers]].tolist(), given[receivers].tolist(), strict=True):
        fleet.give(v, c, tasks)
    return int(given.sum())
