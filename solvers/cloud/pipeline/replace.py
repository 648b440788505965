"""REPLACE (paper IV-G): give VMs back and rent more, cheaper ones for the same money."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solvers.cloud.pipeline.assign import assign
from solvers.cloud.pipeline.balance import balance
from solvers.cloud.pipeline.clock import Over, never
from solvers.cloud.pipeline.estimate import Estimate, affordable
from solvers.cloud.pipeline.rented import Rented

TRIES = 6  # replacements carried out to the end, the most promising ones by estimate
MOVED = 30_000  # fewer tries where together they would copy more numbers of tasks than this


@dataclass(frozen=True, order=True)
class Exchange:
    """Give `vms` back for `number` VMs of type `kind`.

    Expected are `excess` coins over the budget and at least `level` ticks.
    """

    excess: int
    level: int
    price: int
    kind: int
    number: int
    vms: tuple[int, ...]


def replace(fleet: Rented, budget: int | None, estimate: Estimate, over: Over = never) -> bool:
    """Carry out the best replacement that improves the fleet; whether there was one.

    Tried are, for each type, its longest-running VM, its longest two, four and so on up to all of them (the
    paper selects "a certain number"), against each type that is cheaper: by the hour, or for the tasks
    concerned (price times time). Their tasks go to the new VMs, then all loads are balanced (the paper
    compares times right after the move, when other VMs still have theirs); for the best replacement,
    where the fleet is not large, all tasks are once assigned afresh. It must lower the makespan; while the
    plan is over budget, the paper's temporary budget is its own cost, and lowering that is enough. Ones that
    provably cannot finish earlier are not tried.
    """
    now = fleet.merits(budget)
    limit = None if budget is None else max(budget, fleet.cost)
    within = now[:2] == (0, 0)
    makespan = now[2]
    promising = sorted(
        e for e in _exchanges(fleet, budget, estimate, over) if not within or e.level < makespan
    )
    best: Rented | None = None
    for exchange in promising[: max(1, min(TRIES, MOVED // _size(fleet)))]:
        if over():
            break
        trial = _carried_out(fleet, exchange, limit, over)
        if trial is None or trial.merits(budget) >= now or (within and trial.makespan >= makespan):
            continue
        best, now = trial, trial.merits(budget)
    if best is not None:
        fleet.become(best)
        if _size(fleet) * TRIES <= MOVED:
            afresh = _assigned_afresh(best, limit, over)
            if afresh is not None:
                fleet.become(min(best, afresh, key=lambda trial: trial.merits(budget)))
    return best is not None


def _exchanges(fleet: Rented, budget: int | None, estimate: Estimate, over: Over) -> Iterator[Exchange]:
    ticks = fleet.ticks
    times = np.array([[0 if time is None else time for time in row] for row in ticks.times], dtype=np.int64)
    unable = np.array([[time is None for time in row] for row in ticks.times])
    for kind, owned in enumerate(fleet.counts):
        if not owned:
            continue
        vms = sorted(
            (v for v in range(len(fleet)) if fleet.kind[v] == kind), key=lambda v: (-fleet.load[v], v)
        )
        held = np.zeros(len(ticks.counts), dtype=np.int64)
        taken = money = 0
        for size in _sizes(owned):
            for v in vms[taken:size]:
                money += fleet.bill[v]
                for c, number in fleet.tasks[v].items():
                    held[c] += number
            taken = size
            work = times @ held
            barred = unable @ (held > 0)
            worth = [price * int(ticks_there) for price, ticks_there in zip(ticks.price, work, strict=True)]
            for other in ticks.types:
                if over():
                    return
                cheaper = ticks.price[other] < ticks.price[kind] or worth[other] < worth[kind]
                if other == kind or barred[other] or not cheaper:
                    continue
                most = _most(fleet, other, size)
                for purse in _purses(fleet, budget, money):
                    number = affordable(ticks, other, int(work[other]), int(held.sum()), purse, most)
                    counts = fleet.counts.copy()
                    counts[kind] -= size
                    counts[other] += number
                    level = estimate.level(counts) if number else None
                    if level is not None:
                        run = ticks.startup[other] + -(-int(work[other]) // number)
                        cost = fleet.cost - money + number * ticks.vm_cost(other, run)
                        excess = 0 if budget is None else max(0, cost - budget)
                        yield Exchange(excess, level, ticks.price[other], other, number, tuple(vms[:size]))


def _purses(fleet: Rented, budget: int | None, money: int) -> list[int | None]:
    """What the new VMs may cost: what the old ones do and what is left; over budget, also what meets it."""
    if budget is None:
        return [None]
    if fleet.cost <= budget:
        return [money + budget - fleet.cost]
    return [money, max(0, money + budget - fleet.cost)]


def _most(fleet: Rented, kind: int, returned: int) -> int:
    """How many VMs of `kind` may be rented once `returned` VMs of another type are given back."""
    ticks = fleet.ticks
    free = sum(ticks.counts)
    most = ticks.max_instances[kind]
    if most is not None:
        free = min(free, most - fleet.counts[kind])
    if ticks.max_vms is not None:
        free = min(free, max(returned, ticks.max_vms - len(fleet) + returned))
    return max(0, free)


def _carried_out(fleet: Rented, exchange: Exchange, limit: int | None, over: Over) -> Rented | None:
    trial = fleet.copy()
    tasks: dict[int, int] = {}
    for v in exchange.vms:
        for c, number in trial.tasks[v].items():
            tasks[c] = tasks.get(c, 0) + number
    trial.close(exchange.vms)
    if not assign(trial, tasks, trial.open(exchange.kind, exchange.number), over=over):
        return None
    balance(trial, limit, over)
    return trial


def _assigned_afresh(fleet: Rented, limit: int | None, over: Over) -> Rented | None:
    """The same VMs with all tasks assigned anew; None where time ran out."""
    trial = Rented(fleet.ticks)
    for kind, number in enumerate(fleet.counts):
        trial.open(kind, number)
    tasks: Counter[int] = Counter()
    for held in fleet.tasks:
        tasks.update(held)
    if not assign(trial, tasks, range(len(trial)), over=over):
        return None
    balance(trial, limit, over)
    return trial


def _size(fleet: Rented) -> int:
    """How much there is to copy: for each VM the classes that it runs."""
    return sum(map(len, fleet.tasks))


def _sizes(owned: int) -> list[int]:
    """1, 2, 4, … and `owned`."""
    return sorted({min(owned, 2**power) for power in range(owned.bit_length() + 1)})
