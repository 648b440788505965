"""The truth about tiny instances, by trying every way to share the tasks among VMs, in exact fractions.

It knows nothing of the solvers or of the checker. Every content a VM can have is priced once; a table then
holds, for each part of the tasks, what all ways to run that part are worth. Of ways that rent the same VMs
only those are dropped that another one beats in both makespan and cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import floor
from typing import TypeAlias

from planner.cloud.instance import CloudInstance

Counts: TypeAlias = tuple[int, ...]
Worth: TypeAlias = tuple[Fraction, Fraction]  # makespan, cost


@dataclass(frozen=True)
class Truth:
    """All that is worth having: (makespan, cost) pairs within limits and deadline, whatever they cost."""

    front: tuple[Worth, ...]

    @property
    def least_budget(self) -> Fraction | None:
        """The least budget that works; None: no budget does."""
        return min((cost for _, cost in self.front), default=None)

    def optimum(self, budget: Fraction | None) -> Worth | None:
        """Least makespan and the least cost at it, within the budget; None: infeasible."""
        return min((worth for worth in self.front if budget is None or worth[1] <= budget), default=None)


def truth(instance: CloudInstance) -> Truth:
    """Try everything."""
    sizes: dict[tuple[int, Fraction], int] = {}
    for index, application in enumerate(instance.applications):
        for group in application.tasks:
            sizes[index, group.size] = sizes.get((index, group.size), 0) + group.count
    classes, counts = list(sizes), tuple(sizes.values())
    limits = tuple(item.max_instances for item in instance.instance_types)
    count_vms = instance.max_vms is not None or any(limit is not None for limit in limits)

    nothing: dict[Counts, set[Worth]] = {(0,) * len(limits): {(Fraction(0), Fraction(0))}}
    table: dict[Counts, dict[Counts, set[Worth]]] = {(0,) * len(counts): nothing}
    contents = [content for content in product(*(range(n + 1) for n in counts)) if any(content)]
    machines = {content: list(_machines(instance, classes, content)) for content in contents}
    for part in contents:  # in an order in which every smaller part comes before
        first = next(c for c, n in enumerate(part) if n)
        ways: dict[Counts, set[Worth]] = {}
        for content in product(*(range(n + 1) for n in part)):
            if not content[first]:  # some VM runs a task of the first class: that one is taken off
                continue
            rest = tuple(a - b for a, b in zip(part, content, strict=True))
            for kind, seconds, price in machines[content]:
                for rented, worths in table[rest].items():
                    more = tuple(n + (k == kind and count_vms) for k, n in enumerate(rented))
                    if _within(more, limits, instance.max_vms):
                        found = ways.setdefault(more, set())
                        found.update((max(seconds, makespan), price + cost) for makespan, cost in worths)
        table[part] = {rented: set(_undominated(worths)) for rented, worths in ways.items()}
    everything = (worth for worths in table[counts].values() for worth in worths)
    return Truth(tuple(_undominated(everything)))


def _machines(
    instance: CloudInstance, classes: list[tuple[int, Fraction]], content: Counts
) -> Iterator[tuple[int, Fraction, Fraction]]:
    """Type, seconds and price of every VM that can run `content` by the deadline."""
    for kind, item in enumerate(instance.instance_types):
        seconds = instance.startup if item.startup is None else item.startup
        for (application, size), n in zip(classes, content, strict=True):
            speed = item.seconds_per_unit[application]
            if n and speed is None:
                break
            seconds += n * size * (speed or 0)
        else:
            if instance.deadline is None or seconds <= instance.deadline:
                quantum = instance.billing.quantum
                paid = quantum * -floor(-max(seconds, instance.billing.minimum) / quantum)
                yield kind, seconds, paid / 3600 * item.price + item.fee


def _within(rented: Counts, limits: tuple[int | None, ...], most: int | None) -> bool:
    fits = all(limit is None or n <= limit for n, limit in zip(rented, limits, strict=True))
    return fits and (most is None or sum(rented) <= most)


def _undominated(worths: Iterable[Worth]) -> Iterator[Worth]:
    cheapest: Fraction | None = None
    for makespan, cost in sorted(worths):
        if cheapest is None or cost < cheapest:
            cheapest = cost
            yield makespan, cost
