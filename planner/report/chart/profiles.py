"""Figures of performance profiles: of the goal's value, and of the time to an answer."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from planner.report.chart.figure import Data, Figure
from planner.report.chart.lines import Axis, Line, line_chart
from planner.report.chart.looks import MOST
from planner.report.chart.scale import percent
from planner.report.numbers import counted
from planner.report.profiles import Profile, by_problem, profiles

_WIDEST = 1e4
"""Ratios beyond this are not drawn: a time of milliseconds against hours says no more than that."""


def value_profile(frame: pd.DataFrame, key: str, goal: str, ranked: Sequence[str]) -> Figure | None:
    """How close each solver's value is to the best one, over all problems."""
    found = _ordered(frame, "objective", ranked)
    return _figure(
        found, f"{key}-profile", f"the least {goal}", f"{goal} within this factor of the best found"
    )


def time_profile(frame: pd.DataFrame, key: str, ranked: Sequence[str]) -> Figure | None:
    """How close each solver's time is to the quickest one's, over the problems it answers."""
    answered = frame["status"].isin(["optimal", "feasible", "infeasible", "simulated"])
    found = _ordered(frame.assign(seconds=frame["seconds"].where(answered)), "seconds", ranked)
    return _figure(
        found, f"{key}-times", "the first answer", "time within this factor of the quickest answer"
    )


def _ordered(frame: pd.DataFrame, column: str, ranked: Sequence[str]) -> tuple[tuple[Profile, ...], int]:
    table = by_problem(frame, column)
    if table.empty:
        return (), 0
    shown = [name for name in ranked if name in table.columns][:MOST]
    best = {profile.solver: profile for profile in profiles(table)}
    return tuple(best[name] for name in shown), len(table)


def _figure(found: tuple[tuple[Profile, ...], int], key: str, what: str, axis: str) -> Figure | None:
    shown, problems = found
    if len(shown) < 2 or problems < 2:
        return None
    first = sorted(shown, key=lambda profile: -profile.share[0])
    widest = min(_WIDEST, 1.005 + 1.06 * (max(float(profile.ratio[-1]) for profile in shown) - 1))
    lines = [_line(profile, widest) for profile in shown]
    title = (
        f"{first[0].solver} has {what} on {percent(round(float(first[0].share[0]), 3))} of "
        f"{counted(problems, 'problem')}, {first[1].solver} on {percent(round(float(first[1].share[0]), 3))}"
    )
    caption = (
        f"Performance profile (Dolan and Moré): the height of a line is the share of problems with {axis}. "
        "Higher is better; on the left is who is best, on the right who answers at all."
    )
    svg = line_chart(
        key,
        title,
        caption,
        lines,
        Axis("factor of the best", holds=(1.0,), log=widest > 4),
        Axis("share of problems", percent, (0.0, 1.0)),
    )
    rows = [
        (profile.solver, float(ratio), float(share))
        for profile in shown
        for ratio, share in zip(profile.ratio, profile.share, strict=True)
    ]
    return Figure(key, title, caption, svg, Data(("solver", "factor", "share"), tuple(rows)))


def _line(profile: Profile, widest: float) -> Line:
    """The steps up to the right end of the picture."""
    inside = profile.ratio <= widest
    x, y = profile.ratio[inside].tolist(), profile.share[inside].tolist()
    return Line(profile.solver, [*x, widest], [*y, y[-1]], step=True)
