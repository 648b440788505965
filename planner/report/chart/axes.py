"""The frame around data: a light grid, the numbers of both axes with their units, and a legend below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from planner.report.chart.looks import Look
from planner.report.chart.scale import Scale, plain
from planner.report.chart.svg import cut, element, text, width_of

WIDTH = 480.0
LEFT, RIGHT, TOP, PLOT = 62.0, 16.0, 30.0, 250.0
BELOW = 48.0
"""Room under the plot for numbers and the axis' name."""

LEGEND_ROW = 22.0
_SAMPLE = 34.0


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a legend: a line with marker, a filled box, or a dashed line without a look."""

    name: str
    look: Look | None
    box: bool = False


def across(low: float, high: float, log: bool = False) -> Scale:
    """The horizontal scale of a plot."""
    return Scale(low, high, LEFT, WIDTH - RIGHT, log)


def upward(low: float, high: float, log: bool = False, top: float = TOP, height: float = PLOT) -> Scale:
    """The vertical scale of a plot."""
    return Scale(low, high, top + height, top, log)


def frame(
    x: Scale,
    y: Scale,
    x_name: str,
    y_name: str,
    x_form: Callable[[float], str] = plain,
    y_form: Callable[[float], str] = plain,
) -> str:
    """Grid, numbers and names of axes; the vertical axis has its name on top, where it can be read."""
    parts = []
    for value in y.ticks():
        height = y.at(value)
        parts.append(element("path", d=f"M{LEFT:.0f} {height:.1f}H{WIDTH - RIGHT:.0f}", class_="grid"))
        parts.append(text(y_form(value), LEFT - 7, height + 4.5, anchor="end", class_="tick"))
    last = float("-inf")
    for value in x.ticks(6):
        place, words = x.at(value), x_form(value)
        half = width_of(words) / 2
        if place - half < last:
            continue
        last = place + half + 2
        parts.append(element("path", d=f"M{place:.1f} {y.start:.1f}v5", class_="axis"))
        middle = min(place, WIDTH - half)
        parts.append(text(words, middle, y.start + 20, anchor="middle", class_="tick"))
    parts.append(element("path", d=f"M{LEFT:.0f} {y.start:.1f}H{WIDTH - RIGHT:.0f}", class_="axis"))
    parts.append(text(cut(y_name, WIDTH - 12), 4, 15, class_="name"))
    parts.append(text(x_name, (x.start + x.end) / 2, y.start + 41, anchor="middle", class_="name"))
    return "".join(parts)


def legend(entries: Sequence[Entry], top: float) -> tuple[str, float]:
    """The entries in rows from `top` on, and the height they take."""
    parts, x, y = [], 8.0, top + 14
    for entry in entries:
        words = cut(entry.name, WIDTH - _SAMPLE - 20)
        needed = _SAMPLE + width_of(words) + 16
        if x > 8 and x + needed > WIDTH:
            x, y = 8.0, y + LEGEND_ROW
        parts.append(_sample(entry, x, y - 5))
        parts.append(text(words, x + _SAMPLE, y))
        x += needed
    return "".join(parts), (y - top + 8 if entries else 0.0)


def _sample(entry: Entry, x: float, y: float) -> str:
    if entry.look is None:
        return element("path", d=f"M{x:.1f} {y:.1f}h26", class_="bound")
    if entry.box:
        return element("rect", x=x + 6, y=y - 7, width=14, height=14, class_=f"fill {entry.look.colour}")
    line = element("path", d=f"M{x:.1f} {y:.1f}h26", class_="line", stroke_dasharray=entry.look.dash)
    mark = element("path", d=entry.look.marker, class_="mark", transform=f"translate({x + 13:.1f} {y:.1f})")
    return element("g", line + mark, class_=entry.look.colour)
