"""Performance profiles after Dolan and Moré (2002), and who beats whom how often."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from planner.report.cells import SAME

MOST_STEPS = 200
"""Steps of a profile that are drawn; with more ratios it is read at so many, evenly on a log scale."""

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class Profile:
    """`share[i]` of the problems one solver finishes within `ratio[i]` times the best; both rise."""

    solver: str
    ratio: Floats
    share: Floats


@dataclass(frozen=True, slots=True)
class Duel:
    """Of `both` problems on which two solvers have a value, `wins` went to `winner`, `ties` to none."""

    winner: str
    loser: str
    wins: int
    ties: int
    both: int


def by_problem(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """A row a (problem, seed), a column a solver in order of first appearance; NaN where it has no value."""
    table = frame.pivot_table(
        index=["problem", "seed"], columns="solver", values=column, aggfunc="mean", dropna=False, sort=False
    )
    return table.dropna(how="all").reindex(columns=list(dict.fromkeys(frame["solver"])))


def profiles(values: pd.DataFrame) -> tuple[Profile, ...]:
    """One for each column; a value that is missing is never within any factor of the best.

    Values are positive, or 0: where the best is 0, only 0 is within a factor of it.
    """
    table = values.to_numpy(dtype=np.float64)
    if not table.size:
        return ()
    best = np.fmin.reduce(table, axis=1)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(best == 0, np.where(table == 0, 1.0, np.inf), table / best)
    ratios = np.where(np.isnan(ratios), np.inf, ratios)
    ratios = np.where(ratios <= 1 + SAME, 1.0, ratios)
    return tuple(_profile(str(name), ratios[:, index]) for index, name in enumerate(values.columns))


def duels(values: pd.DataFrame) -> tuple[Duel, ...]:
    """For each ordered pair of columns how often the first has the smaller value."""
    found = []
    columns = {str(name): values[name].to_numpy(dtype=np.float64) for name in values.columns}
    for winner, a in columns.items():
        for loser, b in columns.items():
            if winner != loser:
                both = ~np.isnan(a) & ~np.isnan(b)
                ties = np.abs(a[both] - b[both]) <= SAME * np.maximum(np.abs(a[both]), np.abs(b[both]))
                wins = (a[both] < b[both]) & ~ties
                found.append(Duel(winner, loser, int(wins.sum()), int(ties.sum()), int(both.sum())))
    return tuple(found)


def _profile(solver: str, ratios: Floats) -> Profile:
    reached = np.sort(ratios[np.isfinite(ratios)])
    at = np.unique(reached)
    if at.size > MOST_STEPS:
        at = np.unique(np.append(np.geomspace(1.0, at[-1], MOST_STEPS), at[-1]))
    if at.size == 0 or at[0] > 1.0:
        at = np.append(1.0, at)
    return Profile(solver, at, np.searchsorted(reached, at, side="right") / ratios.size)
