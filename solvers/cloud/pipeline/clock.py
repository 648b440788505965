"""How the pipeline's functions are told to stop: each asks between two small pieces of work.

A fleet is whole after every piece, so whoever stops leaves one that is as good as it got.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Over: TypeAlias = Callable[[], bool]
"""Whether there is no time left."""


def never() -> bool:
    """For those who have all the time in the world."""
    return False
