"""What the options of policies may be."""

from __future__ import annotations

import math
from collections.abc import Sequence

from planner.errors import UsageError


def one_of(name: str, value: object, allowed: Sequence[str]) -> None:
    """Raise `UsageError` unless the option's value is one of those."""
    if value not in allowed:
        raise UsageError(f"option {name!r} must be one of {', '.join(allowed)}, not {value!r}")


def within(name: str, value: object, low: float, high: float) -> None:
    """Raise `UsageError` unless the option's value is a number from `low` to `high`."""
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not number or not low <= float(str(value)) <= high:
        raise UsageError(f"option {name!r} must be a number from {low:g} to {high:g}, not {value!r}")
