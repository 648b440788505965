"""INITIAL (paper IV-C): for each application the whole budget's worth of VMs of its best type."""

from __future__ import annotations

from collections import defaultdict

from solvers.cloud.pipeline.estimate import Estimate, affordable
from solvers.cloud.pipeline.rented import Rented
from solvers.cloud.ticks import Ticks


def initial(ticks: Ticks, estimate: Estimate, *, thrifty: bool = False) -> Rented:
    """Empty VMs: for each application as many of its fastest type as the whole budget buys.

    `thrifty`: the best type is the one that runs a task for the least money (price times time), not in the
    least time; the paper has no such start.

    The best type has the least time (startup included), then the least price; types equal in both share the
    VMs (the paper would take any one). Best is found by class, as a long task may need another type than a
    short one. There are never more VMs for an application than tasks, nor than twice its work over its
    longest task: with so many, longest task first, none runs longer than that task; this is also all that
    bounds an unlimited budget and free machines. `max_instances` and `max_vms` cap the numbers; where
    `max_vms` does not leave one VM for each best type, types that run most of the tasks take their place.
    """
    wanted: dict[int, int] = defaultdict(int)
    for kinds, members in _shares(ticks, estimate, thrifty):
        kind = kinds[0]
        times = [ticks.times[kind][c] or 0 for c in members]
        work = sum(ticks.counts[c] * time for c, time in zip(members, times, strict=True))
        tasks = sum(ticks.counts[c] for c in members)
        number = affordable(ticks, kind, work, tasks, ticks.budget, -(-2 * work // max(times)))
        for place, tied in enumerate(kinds):
            wanted[tied] += max(1, (number + len(kinds) - 1 - place) // len(kinds))
    total = sum(wanted.values())
    if ticks.max_vms is not None and ticks.max_vms < total:
        if ticks.max_vms < len(wanted):
            wanted = dict.fromkeys(_cover(ticks, estimate), 1)
        wanted = {kind: max(1, number * ticks.max_vms // total) for kind, number in wanted.items()}
    fleet = Rented(ticks)
    for kind in sorted(wanted, key=lambda k: (estimate.serial[k], ticks.price[k], k)):
        fleet.open(kind, min(wanted[kind], ticks.max_instances[kind] or wanted[kind]))
    return fleet


def _shares(ticks: Ticks, estimate: Estimate, thrifty: bool) -> list[tuple[tuple[int, ...], list[int]]]:
    """Classes of one application with the same best types; tied types in order of speed over all tasks."""
    shares: dict[tuple[int, tuple[int, ...]], list[int]] = defaultdict(list)
    for c, (application, _) in enumerate(ticks.labels):
        able = {
            k: (ticks.price[k] * time * thrifty, ticks.startup[k] + time, ticks.price[k], ticks.fee[k])
            for k in ticks.types
            if (time := ticks.times[k][c]) is not None
        }
        best = min(able.values())
        tied = sorted((k for k in able if able[k] == best), key=lambda k: (estimate.serial[k], k))
        shares[application, tuple(tied)].append(c)
    return [(kinds, members) for (_, kinds), members in shares.items()]


def _cover(ticks: Ticks, estimate: Estimate) -> list[int]:
    """Few types that run all classes together: always the one that runs most of the tasks still left."""
    left = set(ticks.task_classes)
    chosen: list[int] = []
    while left:
        runs = {k: {c for c in left if ticks.times[k][c] is not None} for k in ticks.types}
        kind = min(ticks.types, key=lambda k: (-sum(ticks.counts[c] for c in runs[k]), estimate.serial[k], k))
        chosen.append(kind)
        left -= runs[kind]
    return chosen
