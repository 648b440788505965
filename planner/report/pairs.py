"""Paired differences between solvers: how large, how sure, and whether chance explains them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from planner.report.cells import SAME
from planner.report.statistics import half_interval

FEWEST = 6
"""With fewer pairs that differ, no result of the two-sided signed-rank test is below 0.05."""

MOST_SOLVERS = 6
"""Up to so many solvers all are paired with each other, more are paired with the best one only."""


@dataclass(frozen=True, slots=True)
class Pair:
    """How much larger `first`'s values are than `second`'s, as a share of the latter: mean ± interval.

    `pairs` have both values, `differing` of them are not equal. `p` is Wilcoxon's signed-rank test and
    `adjusted` the same after Holm's correction over all pairs of the table; None with too few pairs.
    """

    first: str
    second: str
    pairs: int
    differing: int
    mean: float
    interval: float
    p: float | None
    adjusted: float | None = None


@dataclass(frozen=True, slots=True)
class Paired:
    """All pairs of one goal, and what a pair is."""

    what: str
    pairs: tuple[Pair, ...]


def paired(frame: pd.DataFrame, ranked: Sequence[str]) -> Paired | None:
    """The pairs of solvers, in the order of `ranked`, best first; None where nothing can be paired.

    Seeds on one instance are not independent of each other, so instances are paired (by means over seeds)
    as soon as there are enough of them, and (instance, seed) only where there are not.
    """
    by_seed = frame.pivot_table(
        index=["instance", "instance_sha256", "seed"], columns="solver", values="objective", aggfunc="mean"
    )
    by_instance = by_seed.groupby(level=[0, 1]).mean()
    several_seeds = frame["seed"].nunique() > 1
    if len(by_instance) >= FEWEST or not several_seeds:
        values, what = by_instance, "the two values on one instance"
        if several_seeds:
            what = "the two means over seeds on one instance"
    else:
        values, what = by_seed, "the two values on one instance with one seed"
    names = [name for name in ranked if name in values.columns]
    if len(names) < 2 or len(values) < 2:
        return None
    chosen = list(combinations(names, 2))
    if len(names) > MOST_SOLVERS:
        chosen = [(names[0], name) for name in names[1:]]
    pairs = [_pair(second, first, values) for first, second in chosen]
    return Paired(what, _corrected([pair for pair in pairs if pair is not None]))


def holm(p: Sequence[float]) -> list[float]:
    """Holm's step-down correction of p-values (1979), in their order."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    factors = np.arange(len(p), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(np.asarray(p)[order] * factors))
    return [float(value) for value in adjusted]


def _pair(first: str, second: str, values: pd.DataFrame) -> Pair | None:
    a, b = (values[name].to_numpy(dtype=np.float64) for name in (first, second))
    usable = ~np.isnan(a) & ~np.isnan(b) & (b > 0)
    a, b = a[usable], b[usable]
    if a.size < 2:
        return None
    shares = a / b - 1
    shares = np.where(np.abs(shares) <= SAME, 0.0, shares)
    differing = int(np.count_nonzero(shares))
    return Pair(
        first,
        second,
        int(a.size),
        differing,
        float(shares.mean()),
        half_interval(shares.tolist()),
        _wilcoxon(shares) if differing >= FEWEST else None,
    )


def _wilcoxon(shares: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    from scipy.stats import wilcoxon

    return float(wilcoxon(shares[shares != 0]).pvalue)


def _corrected(pairs: list[Pair]) -> tuple[Pair, ...]:
    tested = iter(holm([pair.p for pair in pairs if pair.p is not None]))
    return tuple(pair if pair.p is None else replace(pair, adjusted=next(tested)) for pair in pairs)
