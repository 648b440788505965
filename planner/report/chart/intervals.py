"""Means with intervals, one row a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.report.chart.axes import BELOW, LEGEND_ROW, RIGHT, WIDTH, Entry, legend
from planner.report.chart.looks import look
from planner.report.chart.scale import Scale, plain, spans_much
from planner.report.chart.svg import cut, element, picture, text

_ROW, _TOP = 42.0, 8.0


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and half of its interval."""

    name: str
    value: float
    half: float


def interval_chart(
    key: str, title: str, description: str, means: Sequence[Mean], name: str, bound: float | None, said: str
) -> str:
    """Each name above its mean, so that long ones have room; `bound` is a dashed line, `said` its name."""
    low = min([mean.value - mean.half for mean in means] + ([] if bound is None else [bound]))
    high = max([mean.value + mean.half for mean in means] + ([] if bound is None else [bound]))
    log = spans_much(low, high)
    scale = Scale(low / 1.1 if log else min(0.0, low), (high * 1.06) or 1.0, 14, WIDTH - RIGHT, log)
    bottom = _TOP + _ROW * len(means)
    parts = []
    for value in scale.ticks(6):
        parts.append(element("path", d=f"M{scale.at(value):.1f} {_TOP:.0f}V{bottom:.1f}", class_="grid"))
        parts.append(text(plain(value), scale.at(value), bottom + 18, anchor="middle", class_="tick"))
    parts.append(element("path", d=f"M{scale.start:.0f} {bottom:.1f}H{scale.end:.0f}", class_="axis"))
    if bound is not None:
        parts.append(element("path", d=f"M{scale.at(bound):.1f} {_TOP:.0f}V{bottom:.1f}", class_="bound"))
    for index, mean in enumerate(means):
        parts.append(_row(mean, index, scale))
    parts.append(
        text(name + (", log scale" if log else ""), WIDTH / 2, bottom + 39, anchor="middle", class_="name")
    )
    below, height = legend([] if bound is None else [Entry(said, None)], bottom + BELOW)
    return picture(
        WIDTH, bottom + BELOW + max(height, LEGEND_ROW / 2), "".join([*parts, below]), key, title, description
    )


def _row(mean: Mean, index: int, scale: Scale) -> str:
    own = look(index)
    y = _TOP + _ROW * index + 29
    left, right = scale.at(max(mean.value - mean.half, scale.low)), scale.at(mean.value + mean.half)
    bar = element("path", d=f"M{left:.1f} {y - 5:.1f}v10m0 -5H{right:.1f}m0 -5v10", class_="line")
    mark = element(
        "path", d=own.marker, class_="mark full", transform=f"translate({scale.at(mean.value):.1f} {y:.1f})"
    )
    half = f" ± {mean.half:.3g}" if mean.half else ""
    words = text(cut(f"{mean.name}: {mean.value:.4g}{half}", WIDTH - 30), 16, y - 13)
    return words + element("g", bar + mark, class_=own.colour)
