"""From items to tasks: which sizes go where, level by level.

The VMs of a fleet want numbers of items; tasks come in sizes. Wishes for a few items, which use up gaps, are
met first, because few sizes can. Then, size by size, the largest first, tasks go to
the VMs that still want most, so that what they want sinks to one level, as water would; the small sizes then
fill what is left exactly. VMs alike stay alike: a size splits at most one group of equal VMs in two, so a
fleet of thousands of VMs ends with a few hundred different contents.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from solvers.cloud.columns.market import Column, Market

SMALL = 3  # a wish for fewer items than so many of the largest tasks is small


@dataclass
class Group:
    """`count` equal VMs of type `kind`: what each still wants of each item, and the tasks it has by class."""

    kind: int
    count: int
    wants: list[int]
    content: dict[int, int] = field(default_factory=dict)

    def split(self, count: int) -> Group:
        """Take `count` VMs out into a group of their own."""
        self.count -= count
        return Group(self.kind, count, list(self.wants), dict(self.content))


def fill(market: Market, fleet: list[tuple[Column, int]]) -> tuple[list[Group], dict[int, int]]:
    """Groups of equal VMs with their tasks, and the tasks (by class) that fit in no VM's wishes."""
    groups = [Group(column.kind, count, list(column.units)) for column, count in fleet]
    tasks = list(market.ticks.counts)
    for item, parts in enumerate(market.parts):
        if len(parts) > 1:
            _meet_small_wishes(groups, item, parts, tasks)
        for c, pieces in parts:
            tasks[c] = _pour(groups, item, c, pieces, tasks[c])
    return groups, {c: n for c, n in enumerate(tasks) if n}


def _meet_small_wishes(
    groups: list[Group], item: int, parts: tuple[tuple[int, int], ...], tasks: list[int]
) -> None:
    """VMs that want little, least first, take the largest tasks they can, before the level sinks."""
    small = SMALL * parts[0][1]
    waiting = sorted(
        (group for group in groups if 0 < group.wants[item] <= small), key=lambda group: -group.wants[item]
    )
    while waiting:
        group = waiting.pop()
        for c, pieces in parts:
            if pieces <= group.wants[item] and tasks[c]:
                if tasks[c] < group.count:
                    rest = group.split(group.count - tasks[c])
                    groups.append(rest)
                    waiting.append(rest)
                tasks[c] -= group.count * _give(group, item, c, pieces, 1)
                if group.wants[item]:
                    waiting.append(group)
                break


def _pour(groups: list[Group], item: int, c: int, pieces: int, tasks: int) -> int:
    """Give out `tasks` tasks of `pieces` items each; returns how many no VM has room for."""
    takers = [group for group in groups if group.wants[item] >= pieces]
    if sum(group.count * (group.wants[item] // pieces) for group in takers) <= tasks:
        for group in takers:
            tasks -= group.count * _give(group, item, c, pieces, group.wants[item] // pieces)
        return tasks
    low, high = 0, max(group.wants[item] for group in takers)
    while high - low > 1:  # at level `low` all tasks find a place, at `high` they do not
        middle = (low + high) // 2
        enough = sum(group.count * _above(group.wants[item], middle, pieces) for group in takers) >= tasks
        low, high = (middle, high) if enough else (low, middle)
    surplus = sum(group.count * _above(group.wants[item], low, pieces) for group in takers) - tasks
    for group in sorted(takers, key=lambda group: -group.count):
        share = _above(group.wants[item], low, pieces)
        if surplus and share > _above(group.wants[item], high, pieces):
            spared = min(surplus, group.count)
            surplus -= spared
            if spared == group.count:
                share -= 1
            else:
                less = group.split(spared)
                groups.append(less)
                _give(less, item, c, pieces, share - 1)
        _give(group, item, c, pieces, share)
    return 0


def _above(wanted: int, level: int, pieces: int) -> int:
    """Tasks that bring what a VM wants down to `level`, or as near as its wish allows."""
    return min(wanted // pieces, -(-max(0, wanted - level) // pieces))


def _give(group: Group, item: int, c: int, pieces: int, tasks: int) -> int:
    if tasks:
        group.wants[item] -= tasks * pieces
        group.content[c] = group.content.get(c, 0) + tasks
    return tasks
