"""Cloud instances for tests: short ways to write one down, and small random ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from planner.cloud.instance import Application, Billing, CloudInstance, InstanceType, TaskGroup

Number: TypeAlias = int | str | Fraction

SHIPPED = Path(__file__).parents[1] / "instances"


def number(value: Number) -> Fraction:
    """The number exactly; decimals are written as text."""
    return Fraction(value)


def bag(name: str, *groups: tuple[Number, int]) -> Application:
    """An application with `count` tasks of each `size`: `bag("A", (size, count), ...)`."""
    return Application(name, tuple(TaskGroup(number(size), count) for size, count in groups))


def kind(
    name: str,
    price: Number,
    *speeds: Number | None,
    fee: Number = 0,
    startup: Number | None = None,
    limit: int | None = None,
) -> InstanceType:
    """A type with its price an hour and its seconds per unit for each application."""
    return InstanceType(
        name,
        number(price),
        tuple(None if speed is None else number(speed) for speed in speeds),
        fee=number(fee),
        startup=None if startup is None else number(startup),
        max_instances=limit,
    )


def cloud(
    applications: Sequence[Application],
    types: Sequence[InstanceType],
    *,
    budget: Number | None = None,
    deadline: Number | None = None,
    startup: Number = 0,
    quantum: Number = 3600,
    minimum: Number = 0,
    max_vms: int | None = None,
) -> CloudInstance:
    """An instance; unlimited, without overhead and billed by the hour unless told otherwise."""
    return CloudInstance(
        "made",
        tuple(applications),
        tuple(types),
        budget=None if budget is None else number(budget),
        deadline=None if deadline is None else number(deadline),
        startup=number(startup),
        billing=Billing(number(quantum), number(minimum)),
        max_vms=max_vms,
    )


BILLINGS: tuple[tuple[Number, Number], ...] = (
    (3600, 0),
    (1, 60),
    (60, 0),
    (600, 0),
    (1800, 1900),
    (10, 25),
    ("0.5", 0),
)


def random_instance(seed: int, most_tasks: int = 7) -> CloudInstance:
    """A small instance in which everything the model has may occur; the same for the same seed.

    Budgets and deadlines are drawn around what matters, so that some four in ten are infeasible.
    """
    rng = random.Random(seed)
    quantum, minimum = rng.choice(BILLINGS)
    unit = rng.choice([Fraction(1), Fraction(1, 4), Fraction(7), Fraction(100), Fraction(600)])
    applications, left = [], rng.randint(1, most_tasks)
    for index in range(rng.randint(1, 3)):
        groups = []
        for size in rng.sample(range(1, 8), rng.randint(1, 3)):
            count = rng.randint(1, 3)
            if count <= left:
                groups.append((Fraction(size, rng.choice([1, 1, 1, 2])), count))
                left -= count
        if groups:
            applications.append(bag(f"A{index}", *groups))
    if not applications:
        applications = [bag("A0", (rng.randint(1, 9), 1))]
    types = [_random_type(rng, f"t{k}", len(applications), unit) for k in range(rng.randint(1, 3))]
    startup = rng.choice([Fraction(0), Fraction(0), unit, 5 * unit])
    work = sum(group.size * group.count for a in applications for group in a.tasks) * 8 * unit
    hours = max(work / 3600, Fraction(number(quantum), 3600))
    mean_price = sum(item.price for item in types) / len(types)
    money = hours * (mean_price or 1) * Fraction(rng.randint(20, 400), 100)
    money += sum(item.fee for item in types) / len(types) * rng.randint(0, 3)
    return cloud(
        applications,
        types,
        budget=None if rng.random() < 0.15 else Fraction(round(money * 1000), 1000),
        deadline=None if rng.random() < 0.6 else Fraction(round(work * rng.uniform(0.1, 1))) + startup,
        startup=startup,
        quantum=quantum,
        minimum=minimum,
        max_vms=None if rng.random() < 0.7 else rng.randint(1, 4),
    )


def _random_type(rng: random.Random, name: str, applications: int, unit: Fraction) -> InstanceType:
    speeds = [None if rng.random() < 0.12 else rng.randint(1, 16) * unit for _ in range(applications)]
    return kind(
        name,
        rng.choice([0, 1, 2, 5, 10, "0.35", "0.0116"]),
        *speeds,
        fee=rng.choice([0, 0, 0, 1, "0.25"]),
        startup=None if rng.random() < 0.7 else rng.choice([0, 2, 10]) * unit,
        limit=rng.choice([None, None, None, None, 0, 1, 2, 3]),
    )


def many_digits(seed: int) -> CloudInstance:
    """A small instance whose numbers have up to 28 digits over up to 28 orders of magnitude.

    Some of their sums are beyond what solvers can count in, whatever the unit, so they must round.
    """
    rng = random.Random(seed)
    scale = rng.choice(["times", "money", "both", "wide"])

    def long_number(least: int, most: int) -> Fraction:
        digits = rng.randint(1, 28)
        return Fraction(rng.randint(1, 10**digits)) * Fraction(10) ** (rng.randint(least, most) - digits)

    def time() -> Fraction:
        if scale == "wide":
            return long_number(-14, 14)
        return Fraction(rng.randint(1, 20)) if scale == "money" else long_number(1, 3)

    def money() -> Fraction:
        if scale == "wide":
            return long_number(-14, 14)
        return Fraction(rng.randint(1, 9)) if scale == "times" else long_number(1, 3)

    applications = [
        bag(f"A{index}", *[(time(), rng.randint(1, 2)) for _ in range(rng.randint(1, 2))])
        for index in range(rng.randint(1, 2))
    ]
    types = [
        kind(
            f"t{k}",
            money(),
            *[time() for _ in applications],
            fee=rng.choice([Fraction(0), money()]),
            startup=rng.choice([None, time()]),
            limit=rng.choice([None, None, 1, 2]),
        )
        for k in range(rng.randint(1, 3))
    ]
    work = min(item.seconds_per_unit[0] or 0 for item in types) * sum(
        g.size * g.count for g in applications[0].tasks
    )
    quantum = rng.choice([Fraction(3600), Fraction(1), time(), long_number(-14, 0)])
    return cloud(
        applications,
        types,
        budget=rng.choice([None, (work / 3600 + quantum / 3600) * types[0].price * rng.randint(1, 9)]),
        deadline=rng.choice([None, None, work * rng.randint(1, 4)]),
        startup=rng.choice([Fraction(0), time()]),
        quantum=quantum,
        minimum=rng.choice([Fraction(0), Fraction(60), time()]),
        max_vms=rng.choice([None, None, 1, 2, 3]),
    )
