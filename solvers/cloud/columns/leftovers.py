"""Places for the few tasks that the filling left over: gaps in the fleet, then VMs of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

from solvers.cloud.columns.filling import Group
from solvers.cloud.columns.market import Market
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.ticks import Ticks

_Offer: TypeAlias = tuple[int, int, int, int | None]  # coins, ticks, type, which group (None: a new VM)


def place(market: Market, makespan: int, groups: list[Group], left: dict[int, int]) -> bool:
    """Put the tasks in `left` (emptied) on VMs that end by `makespan`; False where limits leave no place."""
    ticks = market.ticks
    hardest = sorted(left, key=lambda c: -min(time for row in ticks.times if (time := row[c]) is not None))
    if hardest:
        _into_gaps(ticks, makespan, groups, left, hardest)
    rented = _rented(groups)
    for c in hardest:
        while left[c] and (group := _full(market, makespan, rented, left, hardest, c)) is not None:
            groups.append(group)
            rented[group.kind] += group.count
    for c in hardest:
        while left[c]:
            group = _cheapest(ticks, makespan, groups, left, c)
            if group is None:
                return False
            changed = [group]
            _into_gaps(ticks, makespan, changed, left, hardest)
            groups += changed
    return True


def _full(
    market: Market, makespan: int, rented: Counter[int], left: dict[int, int], order: list[int], c: int
) -> Group | None:
    """As many full VMs as the tasks left make, from class `c` on, of the type that runs it cheapest."""
    ticks = market.ticks
    offers = []
    for t in ticks.types:
        time, room = ticks.times[t][c], makespan - ticks.startup[t]
        most = _most(ticks, rented, t)
        if time and time <= room and most and time * left[c] >= room:
            each = room // time
            offers.append((ticks.vm_cost(t, ticks.startup[t] + each * time) / each, t, most))
    if not offers:
        return None
    _, t, most = min(offers)
    content: dict[int, int] = {}
    room = makespan - ticks.startup[t]
    for other in order[order.index(c) :]:
        time = ticks.times[t][other]
        if time and left[other]:
            n = min(left[other], room // time)
            if n:
                content[other] = n
                room -= n * time
    count = min(most, *(left[other] // n for other, n in content.items()))
    for other, n in content.items():
        left[other] -= n * count
    return Group(t, count, [], content)


def _cheapest(ticks: Ticks, makespan: int, groups: list[Group], left: dict[int, int], c: int) -> Group | None:
    """One more task of class `c` where it costs least: on VMs taken out of `groups`, or on a new one."""
    cheapest = min(
        (*_longer(ticks, makespan, groups, c), *_more(ticks, makespan, groups, c)),
        default=None,
        key=lambda offer: offer[:3],
    )
    if cheapest is None:
        return None
    _, _, kind, index = cheapest
    if index is None:
        group = Group(kind, 1, [])
    else:
        group = groups.pop(index)
        if group.count > left[c]:
            groups.append(group)
            group = group.split(left[c])
    group.content[c] = group.content.get(c, 0) + 1
    left[c] -= group.count
    return group


def count_vms(ticks: Ticks, groups: list[Group]) -> Counter[LoadedVM]:
    """The fleet with equal VMs counted; VMs that were given nothing are not rented."""
    vms: Counter[LoadedVM] = Counter()
    for group in groups:
        content = tuple(group.content.get(c, 0) for c in ticks.task_classes)
        if any(content):
            vms[LoadedVM(group.kind, content)] += group.count
    return vms


def _into_gaps(
    ticks: Ticks, makespan: int, groups: list[Group], left: dict[int, int], order: list[int]
) -> None:
    """Where a VM has time left in the quanta it is billed."""
    ends = [_execution(ticks, group) for group in groups]
    for c in order:
        for index in range(len(groups)):
            group, time = groups[index], ticks.times[groups[index].kind][c]
            if not left[c] or time is None or not group.content:
                continue
            paid = min(makespan, ticks.quanta(ends[index]) * ticks.quantum)
            each = left[c] if not time else max(0, paid - ends[index]) // time
            if not each or ends[index] > makespan:
                continue
            if each * group.count > left[c]:
                each, more = divmod(left[c], group.count)
                if more:
                    extra = group.split(more)
                    extra.content[c] = extra.content.get(c, 0) + each + 1
                    groups.append(extra)
                    ends.append(ends[index] + (each + 1) * time)
                    left[c] -= more * (each + 1)
            if each:
                group.content[c] = group.content.get(c, 0) + each
                ends[index] += each * time
                left[c] -= each * group.count


def _execution(ticks: Ticks, group: Group) -> int:
    row = ticks.times[group.kind]
    return ticks.startup[group.kind] + sum(n * (row[c] or 0) for c, n in group.content.items())


def _longer(ticks: Ticks, makespan: int, groups: list[Group], c: int) -> Iterator[_Offer]:
    """What one more task costs on the VMs there are, in more quanta."""
    for index, group in enumerate(groups):
        time = ticks.times[group.kind][c]
        end = _execution(ticks, group)
        if time is not None and end + time <= makespan and group.content:
            added = ticks.vm_cost(group.kind, end + time) - ticks.vm_cost(group.kind, end)
            yield added, time, group.kind, index


def _more(ticks: Ticks, makespan: int, groups: list[Group], c: int) -> Iterator[_Offer]:
    """What it costs on one more VM of each type that the limits allow."""
    rented = _rented(groups)
    for t in ticks.types:
        time = ticks.times[t][c]
        if time is not None and ticks.startup[t] + time <= makespan and _most(ticks, rented, t):
            yield ticks.vm_cost(t, ticks.startup[t] + time), time, t, None


def _rented(groups: list[Group]) -> Counter[int]:
    rented: Counter[int] = Counter()
    for group in groups:
        if group.content:
            rented[group.kind] += group.count
    return rented


def _most(ticks: Ticks, rented: Counter[int], t: int) -> int:
    """How many more VMs of the type the limits allow."""
    limits = [sum(ticks.counts)]
    if (own := ticks.max_instances[t]) is not None:
        limits.append(own - rented[t])
    if ticks.max_vms is not None:
        limits.append(ticks.max_vms - rented.total())
    return max(0, min(limits))
