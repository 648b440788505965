"""The jobs of a step in whole numbers: classes of equal length, and the room a resource has for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor, gcd, lcm

from planner.grid.step import GridStep


@dataclass(frozen=True)
class Classes:
    """Jobs of equal length, longest first.

    `lengths` are in whole units of `unit` work; `members[c]` are the jobs of class c, as indices. `rounded`:
    the lengths are rounded down, so what does not fit in them does not fit in truth; else they are exact.
    """

    unit: Fraction
    lengths: tuple[int, ...]
    members: tuple[tuple[int, ...], ...]
    rounded: bool

    @classmethod
    def of(cls, step: GridStep, largest: int | None = None) -> Classes:
        """The jobs in the coarsest unit in which all lengths are whole.

        Where the lengths together pass `largest` units, in a coarser one.
        """
        jobs: dict[Fraction, list[int]] = {}
        for number, job in enumerate(step.jobs):
            jobs.setdefault(job.length, []).append(number)
        falling = sorted(jobs, reverse=True)
        unit = _common_unit(falling)
        total = sum((length * len(jobs[length]) for length in falling), Fraction(0))
        rounded = largest is not None and total > largest * unit
        if largest is not None and rounded:
            unit = total / largest
        return cls(
            unit,
            tuple(floor(length / unit) for length in falling),
            tuple(tuple(jobs[length]) for length in falling),
            rounded,
        )

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many jobs each class has."""
        return tuple(len(jobs) for jobs in self.members)

    def whole(self, room: Fraction) -> int:
        """Whole units of work in `room`, at least 0; jobs fit there if and only if they fit in these."""
        return max(0, floor(room / self.unit))

    def queues(self, contents: Iterable[Sequence[int]]) -> list[list[int]]:
        """For each resource its jobs, shortest first, from how many of each class it gets."""
        waiting = [iter(jobs) for jobs in self.members]
        queues = []
        for content in contents:
            picked = [[next(waiting[c]) for _ in range(count)] for c, count in enumerate(content)]
            queues.append([job for jobs in reversed(picked) for job in jobs])
        return queues


def _common_unit(values: Sequence[Fraction]) -> Fraction:
    """The largest number of which all values are whole multiples; 1 where all are 0."""
    denominator = lcm(*(value.denominator for value in values))
    return Fraction(gcd(*(int(value * denominator) for value in values)) or 1, denominator)
