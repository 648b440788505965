"""Budgets as people write them, and the steps in which money counts on an instance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from planner.cloud.instance import HOUR, CloudInstance
from planner.errors import UsageError
from planner.files.numbers import Refused, limit_fault, parse

Money: TypeAlias = int | float | str | Decimal | Fraction

MOST_BUDGETS = 10_000
"""More in one call is a slip of the pen: no plot shows them, and each may be a search of its own."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)


def budgets_of(wanted: str | Iterable[Money]) -> tuple[Fraction, ...]:
    """The budgets asked for, each once, in rising order.

    Text is a list of amounts and ranges `a:b:step` with commas between them; a range starts at `a` and holds
    `b`, too, where a step falls there. Raises `UsageError` for anything else, for nothing, and for too many.
    """
    found: set[Fraction] = set()
    for part in wanted.split(",") if isinstance(wanted, str) else wanted:
        found.update(_range(part) if isinstance(part, str) and ":" in part else [amount(part)])
        if len(found) > MOST_BUDGETS:
            raise UsageError(f"more than {MOST_BUDGETS} budgets; take a larger step")
    if not found:
        raise UsageError("no budget is given")
    return tuple(sorted(found))


def amount(value: Money) -> Fraction:
    """A budget, exactly as its digits say. Raises `UsageError` where it is no number from 0 to 1e15."""
    if isinstance(value, Fraction):
        if not 0 <= value <= 10**15:
            raise UsageError(f"a budget must be from 0 to 1e15, not {value}")
        return value
    text = str(value).strip()
    number = parse(text.lstrip("+")) if _NUMBER.match(text) else None
    if number is None:
        raise UsageError(f"{text!r} is not an amount of money")
    fault = number.reason if isinstance(number, Refused) else limit_fault(number)
    if isinstance(number, Refused) or fault is not None:
        raise UsageError(f"a budget cannot be taken: {fault}")
    if number < 0:
        raise UsageError(f"a budget must be at least 0, not {text}")
    return Fraction(number)


def coin(instance: CloudInstance) -> Fraction | None:
    """The money of which every cost of the instance is a whole multiple; None where all plans are free."""
    paid = [kind.price * instance.billing.quantum / HOUR for kind in instance.instance_types]
    values = [value for value in (*paid, *(kind.fee for kind in instance.instance_types)) if value]
    if not values:
        return None
    below = lcm(*(value.denominator for value in values))
    return Fraction(gcd(*(int(value * below) for value in values)), below)


def _range(text: str) -> Iterator[Fraction]:
    parts = text.split(":")
    if len(parts) != 3:
        raise UsageError(f"{text!r} is not a range of budgets; write first:last:step, as in 60:120:5")
    first, last, step = map(amount, parts)
    if step == 0:
        raise UsageError(f"the range {text!r} has a step of 0; it must be greater than 0")
    if last < first:
        raise UsageError(f"the range {text!r} ends before it starts")
    count = (last - first) // step + 1
    if count > MOST_BUDGETS:
        raise UsageError(f"the range {text!r} has {count} budgets, at most {MOST_BUDGETS} are allowed")
    return (first + index * step for index in range(count))


def plenty(instance: CloudInstance) -> Fraction:
    """More money than any sensible plan costs: a VM for each task, each the slowest and the dearest."""
    types, billing = instance.instance_types, instance.billing
    seconds = Fraction(0)
    for index, application in enumerate(instance.applications):
        speed = max((item.seconds_per_unit[index] or Fraction(0) for item in types), default=Fraction(0))
        seconds += sum(speed * group.size * group.count for group in application.tasks)
    startup = max(instance.startup_of(item) for item in types)
    seconds += instance.task_count * (startup + billing.quantum + billing.minimum)
    price, fee = max(item.price for item in types), max(item.fee for item in types)
    return seconds * price / HOUR + instance.task_count * fee
