"""BALANCE (paper IV-B): move tasks from the VM that runs longest to others, so that all end together.

The paper moves tasks "as long as the overall execution time does not increase". Here the longest VM hands
tasks to the least loaded VM of a type, or swaps one with it, where both then end before the longest did;
it stops when the longest VM can do neither. Moves that lose the least come first: those to the
type that is fastest for the application relative to the giver's. The bill stays within a limit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

import numpy as np
import numpy.typing as npt

from solvers.cloud.pipeline.clock import Over, never
from solvers.cloud.pipeline.estimate import SCALE
from solvers.cloud.pipeline.lazyheap import first_other
from solvers.cloud.pipeline.rented import Rented

SMALL = 32  # VMs up to which a swap is looked for with every other VM

LOOKS = 1_000_000  # pairs of classes that swaps may look at; only large fleets of many classes reach it


def balance(fleet: Rented, limit: int | None, over: Over = never) -> None:
    """Even out the loads; the bill stays within `limit` coins, or where it is if that is more."""
    bench = _Bench(fleet, None if limit is None else max(limit, fleet.cost))
    for _ in range(200 + 20 * len(fleet)):
        v = bench.longest()
        if v is None or over() or not (bench.move_from(v) or bench.swap_with(v)):
            break
    fleet.close()


class _Bench:
    """One fleet being balanced; VMs by load in heaps whose outdated entries are skipped."""

    def __init__(self, fleet: Rented, limit: int | None) -> None:
        self.fleet, self.limit, self._looks = fleet, limit, LOOKS
        ticks = fleet.ticks
        self._high = [(-load, v) for v, load in enumerate(fleet.load)]
        heapify(self._high)
        self._low: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for v, kind in enumerate(fleet.kind):
            self._low[kind].append((fleet.load[v], v))
        for heap in self._low.values():
            heapify(heap)
        self._application = [application for application, _ in ticks.labels]
        self._falling: dict[int, list[int]] = defaultdict(list)
        for c in reversed(ticks.task_classes):  # classes of an application are in rising order of size
            self._falling[self._application[c]].append(c)
        self._routes: dict[int, list[tuple[int, int]]] = {}
        self._times: npt.NDArray[np.int64] = np.array(
            [[-1 if time is None else time for time in row] for row in ticks.times], dtype=np.int64
        )

    def longest(self) -> int | None:
        """The VM that runs longest."""
        while self._high:
            load, v = self._high[0]
            if self.fleet.load[v] == -load and self.fleet.tasks[v]:
                return v
            heappop(self._high)
        return None

    def move_from(self, v: int) -> bool:
        """Move some equal tasks off VM v to where both VMs then end earlier than v did."""
        fleet = self.fleet
        a, held = fleet.kind[v], fleet.tasks[v]
        mine = {self._application[c] for c in held}
        lowest: dict[int, int | None] = {}
        for application, kind in self._routes_from(a):
            if application not in mine:
                continue
            if kind not in lowest:
                lowest[kind] = self._least(kind, v)
            w = lowest[kind]
            if w is None:
                continue
            gap = fleet.load[v] - fleet.load[w]
            # The longest that help; where the bill forbids it, the shortest.
            for classes in (self._falling[application], self._falling[application][::-1]):
                c = self._first(classes, held, kind, gap)
                if c is None:
                    break
                time = fleet.time(kind, c)
                # As many as make the two equal; one more where that is none, as it still helps.
                number = min(held[c], max(1, gap // (time + fleet.time(a, c))))
                paid = min(number, fleet.room(w) // time)
                if self._exchange(v, w, c, number) or (0 < paid < number and self._exchange(v, w, c, paid)):
                    return True
        return False

    def _first(self, classes: Sequence[int], held: Mapping[int, int], kind: int, gap: int) -> int | None:
        """The first of these classes that is held and takes less than `gap` on the type."""
        times = self.fleet.ticks.times[kind]
        return next((c for c in classes if c in held and (t := times[c]) is not None and t < gap), None)

    def swap_with(self, v: int) -> bool:
        """Swap tasks of one class on VM v for as many of another class elsewhere, to the same end."""
        fleet = self.fleet
        a = fleet.kind[v]
        best: tuple[int, int, int, int, int, int] | None = None
        if self._looks < 0:
            return False
        mine, my_number = _held(fleet.tasks[v])
        for w in self._partners(v):
            b = fleet.kind[w]
            theirs, their_number = _held(fleet.tasks[w])
            self._looks -= len(mine) * len(theirs)
            give, take = self._times[b, mine][:, None], self._times[a, theirs][None, :]
            change_v = take - self._times[a, mine][:, None]
            change_w = give - self._times[b, theirs][None, :]
            # Where both VMs gain they trade all they can.
            both = (change_v < 0) & (change_w < 0)
            number = np.where(both, np.minimum(my_number[:, None], their_number[None, :]), 1)
            new_v = fleet.load[v] + number * change_v
            new_w = fleet.load[w] + number * change_w
            worst = np.maximum(new_v, new_w)
            worst[(give < 0) | (take < 0)] = np.iinfo(np.int64).max
            c, d = divmod(int(worst.argmin()), len(theirs))
            if worst[c, d] < fleet.load[v]:
                after = int(worst[c, d]), int(new_v[c, d] + new_w[c, d])
                found = *after, w, int(mine[c]), int(theirs[d]), int(number[c, d])
                best = found if best is None else min(best, found)
        if best is None:
            return False
        _, _, w, c, d, some = best
        return self._exchange(v, w, c, some, d)

    def _partners(self, v: int) -> list[int]:
        """VMs to swap with: all of a small fleet, of a large one the least loaded of each type."""
        if len(self.fleet) <= SMALL:
            return [w for w, held in enumerate(self.fleet.tasks) if held and w != v]
        lowest = [self._least(kind, v) for kind in sorted(self._low)]
        return [w for w in lowest if w is not None and self.fleet.tasks[w]]

    def _exchange(self, v: int, w: int, c: int, number: int, back: int | None = None) -> bool:
        """Give class-c tasks from v to w, against as many of class `back` if any; not past the limit."""
        fleet, ticks = self.fleet, self.fleet.ticks
        a, b = fleet.kind[v], fleet.kind[w]
        if self.limit is not None:
            load_v = fleet.load[v] - number * fleet.time(a, c)
            load_w = fleet.load[w] + number * fleet.time(b, c)
            emptied = back is None and len(fleet.tasks[v]) == 1 and fleet.tasks[v][c] == number
            if back is not None:
                load_v += number * fleet.time(a, back)
                load_w -= number * fleet.time(b, back)
            after = ticks.vm_cost(b, load_w) + (0 if emptied else ticks.vm_cost(a, load_v))
            if fleet.cost - fleet.bill[v] - fleet.bill[w] + after > self.limit:
                return False
        fleet.give(w, c, number)
        if back is not None:
            fleet.give(v, back, number)
            fleet.give(w, back, -number)
        fleet.give(v, c, -number)
        for x in (v, w):
            heappush(self._high, (-fleet.load[x], x))
            heappush(self._low[fleet.kind[x]], (fleet.load[x], x))
        return True

    def _least(self, kind: int, but: int) -> int | None:
        """The least loaded VM of a type, other than `but`."""
        found = first_other(self._low[kind], self.fleet, but)
        return None if found is None else found[-1]

    def _routes_from(self, giver: int) -> list[tuple[int, int]]:
        """(application, receiving type) in order of the work that a move makes of a tick's work."""
        if giver in self._routes:
            return self._routes[giver]
        ticks = self.fleet.ticks
        routes = {}
        for kind in self._low:
            for c, application in enumerate(self._application):
                here, there = ticks.times[giver][c], ticks.times[kind][c]
                if here is not None and there is not None:
                    # Sizes are in rising order: the longest class that both run has the least rounding.
                    routes[application, kind] = there * SCALE // here
        self._routes[giver] = sorted(routes, key=lambda route: (routes[route], ticks.price[route[1]], route))
        return self._routes[giver]


def _held(tasks: dict[int, int]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Classes that a VM holds, and how many of each."""
    classes = sorted(tasks)
    return np.array(classes, dtype=np.int64), np.array([tasks[c] for c in classes], dtype=np.int64)
