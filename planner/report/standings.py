"""How each solver or policy stands over all cells of one goal: gaps, proofs and time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from planner.report.cells import PLANNED
from planner.report.statistics import half_interval

SHIFT = 1.0
"""Seconds added before the geometric mean of times is taken, and subtracted after it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One solver. Gaps and excess are shares, None where there are none; `time` is the shifted mean.

    `proven` is the share of cells whose plan is proven optimal, among those not proven
    infeasible. `value` is the mean of the goal's value, with `interval` half its 95 % interval.
    """

    solver: str
    cells: int
    planned: int
    proven: float | None
    mean_gap: float | None
    median_gap: float | None
    worst_gap: float | None
    mean_excess: float | None
    value: float | None
    interval: float
    time: float | None
    total_time: float


def standings(frame: pd.DataFrame) -> tuple[Standing, ...]:
    """One for each solver, the smallest mean excess first; those with fewer plans come later among equals."""
    found = [_standing(str(solver), own) for solver, own in frame.groupby("solver", sort=False)]
    return tuple(sorted(found, key=_rank))


def shifted_geometric_mean(values: np.ndarray[tuple[int], np.dtype[np.float64]], shift: float) -> float:
    """exp(mean(log(value + shift))) - shift, as in solver benchmarks: no value near 0 rules it."""
    return float(np.exp(np.mean(np.log(values + shift))) - shift)


def _standing(solver: str, own: pd.DataFrame) -> Standing:
    gaps, excess, values = (
        own[name].dropna().to_numpy(dtype=np.float64) for name in ("gap", "excess", "objective")
    )
    answered = own[~own["status"].isin(["failed", "unsupported"])]
    times = answered["seconds"].dropna().to_numpy(dtype=np.float64)
    possible = int((own["status"] != "infeasible").sum())
    proven = int((own["status"] == "optimal").sum())
    return Standing(
        solver=solver,
        cells=len(own),
        planned=int(own["status"].isin(PLANNED).sum()),
        proven=proven / possible if possible else None,
        mean_gap=float(gaps.mean()) if gaps.size else None,
        median_gap=float(np.median(gaps)) if gaps.size else None,
        worst_gap=float(gaps.max()) if gaps.size else None,
        mean_excess=float(excess.mean()) if excess.size else None,
        value=float(values.mean()) if values.size else None,
        interval=half_interval(values.tolist()),
        time=shifted_geometric_mean(times, SHIFT) if times.size else None,
        total_time=float(own["seconds"].sum()),
    )


def _rank(standing: Standing) -> tuple[float, int, str]:
    excess = float("inf") if standing.mean_excess is None else round(standing.mean_excess, 12)
    return excess, -standing.planned, standing.solver
