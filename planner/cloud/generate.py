"""Cloud instances of any size, the same for the same seed on every machine.

For benchmarks and tests. What is drawn follows what price lists look like: a dearer machine is faster, but
not by its whole price; machines of equal price differ; and each application likes some machines more than
others. All numbers are short decimals, so that a file keeps them as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, log
from random import Random

from planner.cloud.instance import HOUR, Application, Billing, CloudInstance, InstanceType, TaskGroup

CHEAPEST, DEAREST = 0.02, 5.0  # money per hour
SPREAD_OF_OFFERS = 0.15  # standard deviation of log speed among machines of one price
SPREAD_OF_TASTES = 0.25  # of log speed among the applications on one machine
RETURNS = 0.95  # speed grows with price to this power


@dataclass(frozen=True, slots=True)
class Machine:
    """A type on offer: `price` is money per hour, `speed` in any unit, the same for all machines."""

    name: str
    price: Fraction
    speed: float


def machines(count: int, seed: int = 1) -> tuple[Machine, ...]:
    """`count` machines between 0.02 and 5 money an hour, prices evenly spread on a logarithmic scale."""
    random = Random(f"machines {seed}")
    offers = []
    for number in range(1, count + 1):
        price = _decimal(CHEAPEST * exp(log(DEAREST / CHEAPEST) * random.random()), 4)
        speed = (float(price) / 0.1) ** RETURNS * exp(random.gauss(0, SPREAD_OF_OFFERS))
        offers.append(Machine(f"m{number}", price, speed))
    return tuple(offers)


def generate(
    offers: Sequence[Machine],
    *,
    applications: int,
    sizes: int,
    tasks_per_class: int,
    unit_seconds: tuple[float, float] = (2, 20),
    startup: Fraction | int = 90,
    billing: Billing | None = None,
    budget_factor: Fraction | float | None = 2,
    seed: int = 1,
    name: str | None = None,
) -> CloudInstance:
    """An instance with `tasks_per_class` tasks of each size 1, 2, …, `sizes` for each application.

    `unit_seconds` is the range of the seconds one unit of size takes on a machine of speed 1 (which is a
    price of 0.1 an hour where `machines` made the offers); `startup` is in seconds. The budget is
    `budget_factor` times the money that all work costs where it is cheapest, with neither start-up nor
    unused time paid for (so up to 1 it is infeasible); None: no budget.
    """
    random = Random(f"instance {seed}")
    units = tasks_per_class * sizes * (sizes + 1) // 2
    shortest, longest = unit_seconds
    lengths = [shortest * (longest / shortest) ** random.random() for _ in range(applications)]
    rows = [tuple(_speeds(random, lengths, machine.speed)) for machine in offers]
    least = sum(
        (
            units * min(machine.price * row[a] for machine, row in zip(offers, rows, strict=True)) / HOUR
            for a in range(applications)
        ),
        Fraction(0),
    )
    tasks = tuple(TaskGroup(Fraction(size), tasks_per_class) for size in range(1, sizes + 1))
    budget = None if budget_factor is None else Fraction(ceil(least * Fraction(budget_factor) * 100), 100)
    return CloudInstance(
        name=name or f"generated-{applications}x{sizes}x{tasks_per_class}-{len(offers)}-{seed}",
        applications=tuple(Application(f"A{a}", tasks) for a in range(1, applications + 1)),
        instance_types=tuple(
            InstanceType(machine.name, machine.price, row) for machine, row in zip(offers, rows, strict=True)
        ),
        budget=budget,
        startup=Fraction(startup),
        billing=billing or Billing(),
    )


def _speeds(random: Random, lengths: Sequence[float], speed: float) -> Iterator[Fraction]:
    """Seconds per unit of each application on a machine of this speed, to the millisecond."""
    for length in lengths:
        taste = exp(random.gauss(0, SPREAD_OF_TASTES))
        yield max(Fraction(1, 1000), _decimal(length / (speed * taste), 3))


def _decimal(value: float, digits: int) -> Fraction:
    return Fraction(round(value * 10**digits), 10**digits)
