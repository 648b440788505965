"""Quick estimates: how early a fleet could finish at best, and how many VMs some money buys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from solvers.cloud.ticks import Ticks

SCALE = 2**32  # fractions of a coin (or tick) in which the worth of a type's time is counted


@dataclass(frozen=True)
class Estimate:
    """Estimates for one instance, without any assignment of tasks.

    Put a value on every task: the least money (or the least time) that any type needs for it. A type's tick
    is then worth at most the greatest value that a task yields in one tick there, and a fleet cannot finish
    before the worth of its time is the value of all tasks. Weak duality: a lower bound for any values.
    """

    ticks: Ticks

    def level(self, counts: Sequence[int]) -> int | None:
        """Ticks before which this many VMs of each type cannot finish all tasks; None: they never can."""
        levels = []
        for total, worth in self._values:
            rate = sum(number * worth[kind] for kind, number in enumerate(counts))
            if not rate:
                return None
            lost = sum(number * worth[kind] * self.ticks.startup[kind] for kind, number in enumerate(counts))
            levels.append(-(-(total * SCALE + lost) // rate))
        return max(levels)

    def even_cost(self, counts: Sequence[int]) -> int | None:
        """The bill in coins if all VMs run as long as `level` says; None where they never finish."""
        level = self.level(counts)
        if level is None:
            return None
        return sum(number * self.ticks.vm_cost(kind, level) for kind, number in enumerate(counts) if number)

    @cached_property
    def serial(self) -> tuple[tuple[int, int], ...]:
        """By type: tasks it cannot run, and ticks of one VM with all others (exec_{it,T})."""
        return tuple(
            (
                sum(n for n, time in zip(self.ticks.counts, row, strict=True) if time is None),
                self.ticks.startup[kind]
                + sum(n * time for n, time in zip(self.ticks.counts, row, strict=True) if time is not None),
            )
            for kind, row in enumerate(self.ticks.times)
        )

    @cached_property
    def longest_task(self) -> int:
        """Ticks before which no plan ends: the longest task alone on the VM that is first done with it."""
        ticks = self.ticks
        return max(
            min(ticks.startup[k] + time for k in ticks.types if (time := ticks.times[k][c]) is not None)
            for c in ticks.task_classes
        )

    @cached_property
    def _values(self) -> list[tuple[int, list[int]]]:
        """(value of all tasks, scaled worth of a tick by type), with values in money, then in time."""
        ticks = self.ticks
        found = []
        for rate in (ticks.price, (1,) * len(ticks.price)):
            worth = [0] * len(ticks.times)
            total = 0
            for c, number in enumerate(ticks.counts):
                able = [(kind, time) for kind in ticks.types if (time := ticks.times[kind][c]) is not None]
                value = min(rate[kind] * time for kind, time in able)
                total += number * value
                for kind, time in able:
                    worth[kind] = max(worth[kind], -(-value * SCALE // time))
            if total:
                found.append((total, worth))
        return found


def affordable(ticks: Ticks, kind: int, work: int, tasks: int, money: int | None, most: int) -> int:
    """How many VMs of type `kind`, at most `most`, to rent for `tasks` tasks that take `work` ticks there.

    The paper divides the money by the price of an hour. An hour here is the least that a VM with one
    average task is charged for. Where VMs that share the work evenly would run longer and cost more than
    the money, so many that they do not, which matters for billing by the second; where no number helps
    and the task fits into the least charge, the paper's number stands.
    """
    single = ticks.startup[kind] + -(-work // tasks)

    def fits(number: int) -> bool:
        run = ticks.startup[kind] + -(-work // number)
        return money is None or number * ticks.vm_cost(kind, run) <= money

    least = ticks.vm_cost(kind, single)
    number = min(most, tasks) if money is None or not least else min(most, tasks, money // least)
    return most_that_fits(number, fits, otherwise=number if within_least_charge(ticks, single) else 0)


def within_least_charge(ticks: Ticks, run: int) -> bool:
    """Whether a VM that runs so many ticks costs no more than one that runs a single tick."""
    return run <= ticks.quanta(1) * ticks.quantum


def most_that_fits(number: int, fits: Callable[[int], bool], otherwise: int) -> int:
    """The greatest number of VMs, at most `number`, that `fits`; `otherwise` where none from 1 on does.

    Halving takes `fits` to hold up to some number; where it does not, less than the greatest may come out.
    """
    if number < 1 or fits(number):
        return max(0, number)
    low, high = 0, number
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low or otherwise
