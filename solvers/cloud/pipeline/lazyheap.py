"""Heaps of VMs whose outdated entries are skipped when they come up, instead of being looked for."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TypeVar

from solvers.cloud.pipeline.rented import Rented

Entry = TypeVar("Entry", bound=tuple[int, ...])


def first_other(
    heap: list[Entry], fleet: Rented, but: int | None = None, *, used: bool = False
) -> Entry | None:
    """The first entry that still holds, of a VM other than `but`; outdated ones before it are dropped.

    An entry ends with a VM's load and its index, and holds while that is its load. `used`: an entry of a VM
    that has become empty does not hold any more.
    """
    load, tasks = fleet.load, fleet.tasks
    aside = found = None
    while heap:
        entry = heap[0]
        v = entry[-1]
        if load[v] != entry[-2] or (used and not tasks[v]):
            heappop(heap)
        elif v == but:
            aside = heappop(heap)
        else:
            found = entry
            break
    if aside is not None:
        heappush(heap, aside)
    return found
