"""What a call may ask of a run: time, workers, seed. One range for each, wherever it comes from."""

from __future__ import annotations

import math
from numbers import Real

from planner.errors import UsageError

MAX_WORKERS = 1024
MAX_SEED = 2**31 - 1

USUAL_POLICIES = ("clds", "lls", "rs", "dmms")
"""Policies that are simulated where nobody says which: those that the paper compares."""


def refuse_settings(time_limit: object, workers: object, seed: object) -> None:
    """Raise `UsageError` where one of them is of another type than it must be, or out of range."""
    refuse_time_limit(time_limit)
    _whole("the number of workers", workers, 1, MAX_WORKERS)
    _whole("the seed", seed, 0, MAX_SEED)


def refuse_time_limit(seconds: object) -> None:
    """Raise `UsageError` where this is neither None nor a number of seconds that can pass."""
    if seconds is not None and not _positive(seconds):
        raise UsageError(f"the time limit must be a positive number of seconds, not {_shown(seconds)}")


def _positive(seconds: object) -> bool:
    if isinstance(seconds, bool) or not isinstance(seconds, Real):
        return False
    try:
        return math.isfinite(seconds) and float(seconds) > 0
    except OverflowError:  # a whole number that no double can hold
        return False


def _whole(what: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise UsageError(f"{what} must be a whole number from {least} to {most}, not {_shown(value)}")


def _shown(value: object, longest: int = 40) -> str:
    """The value in a few characters."""
    if isinstance(value, int) and abs(value) >= 10**longest:
        return "a number of hundreds of digits" if abs(value) >= 10**100 else f"about {float(value):.3g}"
    text = repr(value)
    return text if len(text) <= longest else text[:longest] + "…"
