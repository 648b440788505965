"""Figures of policies on one grid system: ALoR over time, or its means where no series was kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from planner.report.chart.figure import Data, Figure
from planner.report.chart.intervals import Mean, interval_chart
from planner.report.chart.lines import Across, Axis, Line, line_chart
from planner.report.chart.looks import MOST
from planner.report.chart.scale import spans_much
from planner.report.names import visible
from planner.report.numbers import counted, percent
from planner.report.records import Record
from planner.report.statistics import half_interval

MOST_POINTS = 160
"""Points of a line; a longer series is shown by the means of as many stretches."""

BOUND = "no policy's mean can be below"


def load_figure(
    system: str, frame: pd.DataFrame, records: Sequence[Record], key: str, ranked: Sequence[str]
) -> Figure | None:
    """ALoR over steps with bands over seeds where every run has its series, else means with intervals."""
    groups = {
        str(name): own for name, own in frame.groupby("solver", sort=False) if own["objective"].notna().any()
    }
    shown = [name for name in ranked if name in groups][:MOST]
    if not shown:
        return None
    bound = frame["bound"].min()
    floor = None if np.isnan(bound) else float(bound)
    title = f"{system}: {_finding(groups, shown)}"
    runs = {name: [records[int(row)] for row in groups[name].index] for name in shown}
    if all(_series(run) is not None for own in runs.values() for run in own if run.result):
        return _curves(key, title, runs, floor)
    means = []
    for name in shown:
        values = groups[name]["objective"].dropna()
        means.append(Mean(name, float(values.mean()), half_interval(values.tolist())))
    seeds = counted(int(frame["seed"].nunique()), "seed")
    caption = f"Mean ALoR over all steps, averaged over {seeds}, with 95 % intervals; lower is better."
    svg = interval_chart(key, title, caption, means, "mean ALoR (steps)", floor, BOUND)
    rows = tuple((mean.name, mean.value, mean.half) for mean in means)
    return Figure(key, title, caption, svg, Data(("policy", "alor_mean", "half_interval"), rows))


def _finding(groups: dict[str, pd.DataFrame], shown: Sequence[str]) -> str:
    best = groups[shown[0]]
    gap = best["gap"].mean()
    proof = "" if np.isnan(gap) else f", at most {percent(float(gap))} of it avoidable by any policy"
    if gap == 0:
        proof = ", as low as any policy can"
    return f"{shown[0]} keeps the load lowest{proof}" if len(shown) > 1 else f"load under {shown[0]}{proof}"


def _series(run: Record) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    alor = (run.result or {}).get("alor") or {}
    series = alor.get("series")
    return None if series is None else np.asarray(series, dtype=np.float64)


def _curves(key: str, title: str, runs: dict[str, list[Record]], bound: float | None) -> Figure:
    found = {name: [s for s in map(_series, own) if s is not None] for name, own in runs.items()}
    steps = min(series.size for own in found.values() for series in own)
    starts = np.arange(0, steps, max(1, -(-steps // MOST_POINTS)))
    sizes = np.diff(np.append(starts, steps))
    middles = (starts + sizes / 2).tolist()
    lines = []
    for name, own in found.items():
        stretches = np.array([np.add.reduceat(series[:steps], starts) / sizes for series in own])
        several = len(own) > 1
        lines.append(
            Line(
                name,
                middles,
                stretches.mean(axis=0).tolist(),
                stretches.min(axis=0).tolist() if several else (),
                stretches.max(axis=0).tolist() if several else (),
            )
        )
    seeds = max(len(own) for own in found.values())
    band = f" means of {seeds} seeds, bands from the least to the greatest of them;" if seeds > 1 else ""
    stretch = f" {counted(int(sizes[0]), 'step')} a point;" if sizes[0] > 1 else ""
    happenings = _events(runs)
    caption = f"ALoR, the mean load of the resources, in each step:{band}{stretch} lower is better." + (
        f" Dotted: {'; '.join(happenings.values())}." if happenings else ""
    )
    crossing = [] if bound is None else [Across(BOUND, bound)]
    heights = [height for line in lines for height in (*line.y, *([] if bound is None else [bound]))]
    steep = spans_much(min(heights), max(heights))
    svg = line_chart(
        key, title, caption, lines,
        Axis("step", holds=(0.0, float(steps))),
        Axis("ALoR (steps of work waiting)", log=steep, holds=() if steep else (0.0,)),
        crossing, list(happenings),
    )  # fmt: skip
    rows = [
        (line.name, step, mean, *((low, high) if line.low else (None, None)))
        for line in lines
        for step, mean, low, high in zip(line.x, line.y, line.low or line.y, line.high or line.y, strict=True)
    ]
    return Figure(
        key, title, caption, svg, Data(("policy", "step", "alor", "least", "greatest"), tuple(rows))
    )


def _events(runs: dict[str, list[Record]], most: int = 6) -> dict[float, str]:
    """What happened to the system, by step; the first few."""
    found: dict[float, str] = {}
    for own in runs.values():
        for event in (own[0].result or {}).get("events", ()):
            found.setdefault(float(event["step"]), f"step {event['step']}, {visible(event['what'])}")
    return dict(sorted(found.items())[:most])
