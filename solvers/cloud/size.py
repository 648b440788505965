"""Which solver takes an instance of what size."""

from __future__ import annotations

from solvers.cloud.ticks import Ticks

MANY_TASKS = 20_000
"""From here on the heuristic is slow, proofs are rare, and plans of `rounding` good."""


def many_tasks(ticks: Ticks) -> bool:
    """Whether the instance is one for `rounding`."""
    return sum(ticks.counts) > MANY_TASKS


def who_can(ticks: Ticks) -> str:
    """The advice for someone whose solver does not take the instance: `use 'exact'`."""
    return "use 'rounding'" if many_tasks(ticks) else "use 'exact'"
