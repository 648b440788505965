"""An instance in whole numbers: classes of equal tasks, times in ticks, money in coins.

Every cloud solver works on this form. A tick is the coarsest unit in which all times of the instance are
whole, a coin the same for money, so nothing is rounded. Where sums in that unit could pass 2^59, the tick (or
coin) is coarser and everything is rounded one way: `up` for making plans (a plan that fits when times and
prices are rounded up fits the instance), `down` for proving bounds (docs/model-cloud.md, "Whole numbers").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, gcd, lcm
from typing import Literal

from planner.cloud.instance import HOUR, CloudInstance, classes
from planner.result import Resolution

Rounding = Literal["up", "down"]
LARGEST_SUM = 2**59  # solvers add up to five such sums in one constraint, and CP-SAT takes less than 2^62


@dataclass(frozen=True)
class Ticks:
    """The instance in ticks and coins; types keep their order, classes are sorted by application and size.

    `times[t][c]` is the execution time of one class-c task on type t, None where it cannot run there;
    `counts[c]` the number of such tasks; `price[t]` coins per quantum; `fee[t]` coins per VM. A VM bills at
    least `fewest_quanta`: 1, but 0 where times are rounded down to ticks that are longer than the quantum.
    `seconds_per_tick` and `money_per_coin` turn results back; `rounded` says that something was rounded.
    """

    instance: CloudInstance
    seconds_per_tick: Fraction
    money_per_coin: Fraction
    rounded: bool
    labels: tuple[tuple[int, Fraction], ...]
    counts: tuple[int, ...]
    times: tuple[tuple[int | None, ...], ...]
    startup: tuple[int, ...]
    quantum: int
    minimum: int
    price: tuple[int, ...]
    fee: tuple[int, ...]
    max_instances: tuple[int | None, ...]
    max_vms: int | None
    budget: int | None
    deadline: int | None
    fewest_quanta: int = 1

    @classmethod
    def of(
        cls, instance: CloudInstance, rounding: Rounding = "up", largest: int | None = LARGEST_SUM
    ) -> Ticks:
        """The instance in whole numbers, exact where sums stay below `largest`, else rounded as told.

        `largest` None: always exact, for those who calculate with Python's own whole numbers only.
        """
        groups = tuple(classes(instance))
        labels = tuple((application, size) for application, size, _ in groups)
        counts = tuple(count for _, _, count in groups)
        startup = tuple(instance.startup_of(instance_type) for instance_type in instance.instance_types)
        quantum, minimum = instance.billing.quantum, instance.billing.minimum
        speeds = _speeds(instance)
        steps = [
            _common_unit(own) * _common_unit(size for a, size in labels if a == application)
            for application, own in enumerate(speeds)
            if own
        ]
        tick = _common_unit([*steps, *startup, quantum, minimum])
        tasks = sum(counts)
        most = tasks * len(startup)  # VMs in a model: for each type, one a task
        serial = quantum + minimum + tasks * max(startup) + _slowest_total(speeds, labels, counts)
        rounded = largest is not None and serial / tick * most > largest
        if rounded:
            tick = _coarser_tick(serial * most, quantum)
        whole = _rounder(rounding, tick)
        # In a tick longer than the quantum, a billed time is at least the time itself (down: one tick is the
        # quantum, at the same price a second) and at most the time in whole ticks (up: the same).
        billed_quantum = max(quantum, tick)
        prices = [item.price * billed_quantum / HOUR for item in instance.instance_types]
        fees = [item.fee for item in instance.instance_types]
        coin = _common_unit([*prices, *fees])
        quanta = serial / billed_quantum + 1
        dearest = tasks * (quanta * sum(prices) + sum(fees))
        coarse_money = largest is not None and dearest / coin > largest
        if coarse_money:
            coin = dearest / LARGEST_SUM
        coins = _rounder(rounding, coin)
        deadline = instance.deadline
        return cls(
            instance=instance,
            seconds_per_tick=tick,
            money_per_coin=coin,
            rounded=rounded or coarse_money,
            labels=labels,
            counts=counts,
            times=_whole_times(instance, labels, tick, rounding),
            startup=tuple(whole(time) for time in startup),
            quantum=int(billed_quantum / tick),
            minimum=whole(minimum),
            price=tuple(coins(price) for price in prices),
            fee=tuple(coins(fee) for fee in fees),
            max_instances=tuple(_at_most(item.max_instances, tasks) for item in instance.instance_types),
            max_vms=_at_most(instance.max_vms, tasks),
            budget=None
            if instance.budget is None
            else _at_most(floor(instance.budget / coin), dearest / coin),
            deadline=None if deadline is None else _at_most(floor(deadline / tick), serial / tick),
            fewest_quanta=0 if rounding == "down" and tick > quantum else 1,
        )

    @property
    def resolution(self) -> Resolution:
        """What a result says about the tick."""
        return Resolution(self.seconds_per_tick, self.rounded)

    @cached_property
    def types(self) -> range:
        """Indices of the instance types."""
        return range(len(self.times))

    @cached_property
    def task_classes(self) -> range:
        """Indices of the task classes."""
        return range(len(self.counts))

    def execution(self, kind: int, content: Iterable[int]) -> int:
        """exec_vm of equation (5) in ticks for a VM of type `kind` with content[c] tasks of each class."""
        row = self.times[kind]
        return self.startup[kind] + sum(n * (row[c] or 0) for c, n in enumerate(content) if n)

    def quanta(self, execution: int) -> int:
        """Billed quanta of a VM that runs for `execution` ticks."""
        # Asked millions of times: comparing is quicker than calling max.
        quanta = -(-(execution if execution > self.minimum else self.minimum) // self.quantum)
        return quanta if quanta > self.fewest_quanta else self.fewest_quanta

    def vm_cost(self, kind: int, execution: int) -> int:
        """cost_vm of equation (6) in coins, with billing and fee."""
        return self.quanta(execution) * self.price[kind] + self.fee[kind]

    def seconds(self, ticks: int) -> Fraction:
        """Ticks as seconds."""
        return ticks * self.seconds_per_tick

    def money(self, coins: int) -> Fraction:
        """Coins as money."""
        return coins * self.money_per_coin


def _common_unit(values: Iterable[Fraction]) -> Fraction:
    """The largest number of which all values are whole multiples; 1 where all are 0."""
    numbers = [value for value in values if value]
    if not numbers:
        return Fraction(1)
    denominator = lcm(*(number.denominator for number in numbers))
    return Fraction(gcd(*(int(number * denominator) for number in numbers)), denominator)


def _at_most(limit: int | None, needed: Fraction | int) -> int | None:
    """A limit that models take: cut where it is far beyond anything that any plan may need."""
    return None if limit is None else min(limit, max(LARGEST_SUM, ceil(needed)))


def _speeds(instance: CloudInstance) -> list[list[Fraction]]:
    """For each application the seconds per unit on the types that run it."""
    rows = [instance_type.seconds_per_unit for instance_type in instance.instance_types]
    return [[speed for speed in column if speed is not None] for column in zip(*rows, strict=True)]


def _slowest_total(
    speeds: list[list[Fraction]], labels: Iterable[tuple[int, Fraction]], counts: Iterable[int]
) -> Fraction:
    """Time to run every task one after the other, each on the slowest type that can run it."""
    slowest = [max(own, default=Fraction(0)) for own in speeds]
    return sum(
        (count * size * slowest[a] for (a, size), count in zip(labels, counts, strict=True)), Fraction(0)
    )


def _whole_times(
    instance: CloudInstance, labels: tuple[tuple[int, Fraction], ...], tick: Fraction, rounding: Rounding
) -> tuple[tuple[int | None, ...], ...]:
    """Execution times in ticks by type and class, from products of whole numbers: fractions are slow."""
    columns: list[list[int | None]] = []
    for a, own in enumerate(_speeds(instance)):
        sizes = [size for application, size in labels if application == a]
        speed_unit, size_unit = _common_unit(own), _common_unit(sizes)
        scale = speed_unit * size_unit / tick
        numerator, denominator = scale.numerator, scale.denominator
        more = denominator - 1 if rounding == "up" else 0
        speeds = [
            None if (speed := item.seconds_per_unit[a]) is None else int(speed / speed_unit) * numerator
            for item in instance.instance_types
        ]
        for pieces in (int(size / size_unit) for size in sizes):
            columns.append([None if n is None else (n * pieces + more) // denominator for n in speeds])
    return tuple(zip(*columns, strict=True))


def _coarser_tick(largest: Fraction, quantum: Fraction) -> Fraction:
    """A tick in which `largest` is below the limit; quantum or tick is a whole multiple of the other."""
    least = largest / LARGEST_SUM
    return quantum / floor(quantum / least) if quantum >= least else quantum * ceil(least / quantum)


def _rounder(rounding: Rounding, unit: Fraction) -> Callable[[Fraction], int]:
    """A function from an exact value to whole units, rounded as told (exact multiples stay exact)."""
    towards = ceil if rounding == "up" else floor
    return lambda value: towards(value / unit)
