"""REDUCE (paper IV-D): remove whole VMs, moving their tasks to others, until the budget is met.

The paper moves the tasks "without increasing the overall cost": here, the VM's own cost must exceed what
all the receivers together cost more (under hourly billing that means, as a rule, that they fit into paid
hours). The VM with the lowest execution time goes first; where that fails for a type, the type is left
alone, since its other VMs hold more. Each task goes to the type that needs the least time among those with
a VM where it costs nothing, there to the VM with the most paid time left (among VMs in the same hour: the
lowest execution time); where it costs something everywhere, to where it costs least.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heappush

from solvers.cloud.pipeline.clock import Over, never
from solvers.cloud.pipeline.lazyheap import first_other
from solvers.cloud.pipeline.rented import Rented

TASKS_A_LOOK = 256  # tasks moved between two looks at the clock


def reduce(
    fleet: Rented, budget: int | None, *, local: bool, ceiling: int | None = None, over: Over = never
) -> None:
    """Remove VMs until `budget` (coins) and `max_vms` hold, as far as that goes.

    Local: tasks stay on VMs of the same type. `ceiling` (ticks): no receiving VM may run longer; with a
    budget of 0 this lowers the cost of a plan at the same makespan.
    """
    fleet.close()
    removal = _Removal(fleet, local, ceiling, over)
    limit = fleet.ticks.max_vms
    number = len(fleet)
    while not over():
        crowded = limit is not None and number > limit
        if not crowded and (budget is None or fleet.cost <= budget):
            break
        v = removal.least_loaded()
        if v is None:
            break
        if removal.remove(v, at_any_cost=crowded):
            number -= 1
        else:
            removal.closed.add(fleet.kind[v])
    fleet.close()


class _Removal:
    """Removes VMs one by one; keeps VMs by load and by room in heaps whose outdated entries are skipped."""

    def __init__(self, fleet: Rented, local: bool, ceiling: int | None, over: Over) -> None:
        self.fleet, self.local, self.ceiling, self._over = fleet, local, ceiling, over
        self.closed: set[int] = set()
        self._by_load: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self._by_room: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
        times = fleet.ticks.times
        kinds = sorted(set(fleet.kind))
        self._order = [
            sorted((time, fleet.ticks.price[k], k) for k in kinds if (time := times[k][c]) is not None)
            for c in fleet.ticks.task_classes
        ]
        for v in range(len(fleet)):
            self._note(v)

    def least_loaded(self) -> int | None:
        """The VM with the lowest execution time among the types that are not closed."""
        tops = []
        for kind, heap in self._by_load.items():
            if kind in self.closed:
                continue
            if (top := first_other(heap, self.fleet, used=True)) is not None:
                tops.append((top[0], self.fleet.ticks.price[kind], top[1]))
        return min(tops)[2] if tops else None

    def remove(self, v: int, at_any_cost: bool) -> bool:
        """Move all tasks of VM v away and say so; or leave all as it was."""
        fleet = self.fleet
        before = fleet.cost
        saved = fleet.bill[v]
        held = sorted(fleet.tasks[v].items(), key=lambda item: (-fleet.time(fleet.kind[v], item[0]), item[0]))
        moved: list[tuple[int, int]] = []
        for c, number in held:
            for _ in range(number):
                w = self._receiver(c, v)
                if w is not None:
                    fleet.give(w, c, 1)
                    moved.append((w, c))
                    self._note(w)
                # While v still holds its tasks the bill has grown by what the receivers cost more.
                too_dear = fleet.cost - before >= saved and not at_any_cost
                late = len(moved) % TASKS_A_LOOK == 0 and self._over()
                if w is None or too_dear or late:
                    for receiver, given in moved:
                        fleet.give(receiver, given, -1)
                    for receiver in {receiver for receiver, _ in moved}:
                        self._note(receiver)
                    return False
        for c, number in held:
            fleet.give(v, c, -number)
        return True

    def _receiver(self, c: int, v: int) -> int | None:
        """The VM other than v that a task of class c goes to; None where there is none."""
        fleet = self.fleet
        best: tuple[int, int] | None = None
        for time, _, kind in self._order[c]:
            if self.local and kind != fleet.kind[v]:
                continue
            w = self._roomiest(kind, v)
            if w is None or (self.ceiling is not None and fleet.load[w] + time > self.ceiling):
                continue
            if fleet.room(w) >= time:
                return w
            more = fleet.ticks.vm_cost(kind, fleet.load[w] + time) - fleet.bill[w]
            if best is None or more < best[0]:
                best = more, w
        return None if best is None else best[1]

    def _roomiest(self, kind: int, but: int) -> int | None:
        found = first_other(self._by_room[kind], self.fleet, but, used=True)
        return None if found is None else found[-1]

    def _note(self, v: int) -> None:
        kind, load = self.fleet.kind[v], self.fleet.load[v]
        heappush(self._by_load[kind], (load, v))
        heappush(self._by_room[kind], (-self.fleet.room(v), load, v))
