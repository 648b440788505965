"""KEEP (paper IV-F, where it is called SPLIT): split VMs that run longer than one billing quantum.

Two VMs of a type that run one hour each cost as much as one that runs two. The paper's hour is here the
least time that is billed: the quantum, or the minimum where that is longer. Under billing by the second
nearly every VM runs longer, and a split costs only another startup, fee and rounding.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from solvers.cloud.pipeline.clock import Over, never
from solvers.cloud.pipeline.rented import Rented


def keep(fleet: Rented, budget: int | None, over: Over = never) -> None:
    """Halve the VM that runs longest, again and again, while it runs over one quantum and the budget holds.

    Stops at the first VM that cannot be split: then the makespan cannot fall any more. All is undone where
    the makespan did not fall.
    """
    ticks = fleet.ticks
    hour = ticks.quanta(1) * ticks.quantum
    before = fleet.makespan
    trial = fleet.copy()
    heap = [(-load, v) for v, load in enumerate(trial.load) if trial.tasks[v]]
    heapify(heap)
    while heap and not over():
        v = heappop(heap)[1]
        kind, load = trial.kind[v], trial.load[v]
        if load <= hour or not trial.vacancies(kind):
            break
        w = _split(trial, v)
        shorter = trial.tasks[w] and max(trial.load[v], trial.load[w]) < load
        if not shorter or (budget is not None and trial.cost > budget):
            for c, number in list(trial.tasks[w].items()):
                trial.give(w, c, -number)
                trial.give(v, c, number)
            break
        heappush(heap, (-trial.load[v], v))
        heappush(heap, (-trial.load[w], w))
    if trial.makespan < before:
        trial.close()
        fleet.become(trial)


def _split(fleet: Rented, v: int) -> int:
    """Hand about half of each class on VM v to a new VM of the same type; odd tasks to the shorter one."""
    kind = fleet.kind[v]
    (w,) = fleet.open(kind)
    stays = goes = 0
    for c in sorted(fleet.tasks[v], key=lambda c: (-fleet.time(kind, c), c)):
        half, odd = divmod(fleet.tasks[v][c], 2)
        number = half + (odd and goes < stays)
        stays += (fleet.tasks[v][c] - number) * fleet.time(kind, c)
        goes += number * fleet.time(kind, c)
        if number:
            fleet.give(w, c, number)
            fleet.give(v, c, -number)
    return w
