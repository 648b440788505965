"""The instance with one class an application: its total size, in the largest unit that divides all sizes.

Time is proportional to size within an application, so any plan gives a solution of the aggregated model over
units too. That model has no sizes in it, is far smaller, and mostly names the same fleet; what it proves
impossible is impossible (docs/model-cloud.md, "Units").
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm

from solvers.cloud.ticks import Ticks


def in_units(ticks: Ticks) -> Ticks:
    """`ticks` with each application's tasks cut into equal units; only for times that were not rounded."""
    labels, counts, columns = [], [], []
    for application in sorted({a for a, _ in ticks.labels}):
        own = [c for c in ticks.task_classes if ticks.labels[c][0] == application]
        unit = _common_measure([ticks.labels[c][1] for c in own])
        pieces = [int(ticks.labels[c][1] / unit) for c in own]
        labels.append((application, unit))
        counts.append(sum(n * ticks.counts[c] for n, c in zip(pieces, own, strict=True)))
        columns.append(
            [None if row[own[0]] is None else (row[own[0]] or 0) // pieces[0] for row in ticks.times]
        )
    return replace(ticks, labels=tuple(labels), counts=tuple(counts), times=tuple(zip(*columns, strict=True)))


def _common_measure(sizes: list[Fraction]) -> Fraction:
    denominator = lcm(*(size.denominator for size in sizes))
    return Fraction(gcd(*(int(size * denominator) for size in sizes)), denominator)
