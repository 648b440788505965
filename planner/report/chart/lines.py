"""Lines over a common axis, with markers, bands, and dashed lines across."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from planner.report.chart.axes import BELOW, PLOT, TOP, WIDTH, Entry, across, frame, legend, upward
from planner.report.chart.looks import Look, look
from planner.report.chart.scale import Scale, plain
from planner.report.chart.svg import element, path, picture

MOST_MARKERS = 14
"""Markers on one line; where it has more points, every so-many-th gets one."""


@dataclass(frozen=True, slots=True)
class Line:
    """Points of one series; `step`: a value stays until the next point. `low` and `high` bound a band."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    step: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """A name with its unit, how numbers stand on it, and what it must at least hold."""

    name: str
    form: Callable[[float], str] = plain
    holds: tuple[float, ...] = ()
    log: bool = False


@dataclass(frozen=True, slots=True)
class Across:
    """A dashed line at a height, named in the legend."""

    name: str
    height: float


def line_chart(
    key: str,
    title: str,
    description: str,
    lines: Sequence[Line],
    x: Axis,
    y: Axis,
    crossing: Sequence[Across] = (),
    events: Sequence[float] = (),
) -> str:
    """The chart; `events` are dotted lines upwards."""
    horizontal = across(*_range([v for line in lines for v in line.x] + list(events), x, tight=True))
    heights = [v for line in lines for v in (*line.y, *line.low, *line.high)]
    vertical = upward(*_range(heights + [one.height for one in crossing], y, tight=False))
    parts = [
        frame(horizontal, vertical, x.name + _scale(horizontal), y.name + _scale(vertical), x.form, y.form)
    ]
    for event in events:
        parts.append(element("path", d=f"M{horizontal.at(event):.1f} {TOP:.0f}v{PLOT:.0f}", class_="event"))
    for one in crossing:
        height = vertical.at(one.height)
        parts.append(
            element("path", d=f"M{horizontal.start:.0f} {height:.1f}H{horizontal.end:.0f}", class_="bound")
        )
    looks = [look(index) for index in range(len(lines))]
    parts += [_band(line, own, horizontal, vertical) for line, own in zip(lines, looks, strict=True)]
    parts += [
        _line(line, own, horizontal, vertical, index)
        for index, (line, own) in enumerate(zip(lines, looks, strict=True))
    ]
    entries = [Entry(line.name, own) for line, own in zip(lines, looks, strict=True)]
    entries += [Entry(one.name, None) for one in crossing]
    below, height = legend(entries, TOP + PLOT + BELOW)
    return picture(WIDTH, TOP + PLOT + BELOW + height, "".join([*parts, below]), key, title, description)


def _range(values: Sequence[float], axis: Axis, *, tight: bool) -> tuple[float, float, bool]:
    """Lowest and highest value of an axis, and whether it is logarithmic."""
    everything = [*values, *axis.holds]
    low, high = min(everything, default=0.0), max(everything, default=1.0)
    log = axis.log and low > 0
    if tight or log:
        room = (high / low) ** 0.04 if log and not tight else 1.0
        low, high = low / room, high * room
    else:
        high = max(high * 1.06, low)
    return (low, high, log) if high > low else (min(0.0, low), high + 1.0, False)


def _scale(scale: Scale) -> str:
    return ", log scale" if scale.log else ""


def _band(line: Line, own: Look, x: Scale, y: Scale) -> str:
    if not line.low:
        return ""
    there = [(x.at(a), y.at(b)) for a, b in zip(line.x, line.high, strict=True)]
    back = [(x.at(a), y.at(b)) for a, b in zip(line.x, line.low, strict=True)]
    return element("path", d=path([*there, *reversed(back)], closed=True), class_=f"band {own.colour}")


def _line(line: Line, own: Look, x: Scale, y: Scale, index: int) -> str:
    points = [(x.at(a), y.at(b)) for a, b in zip(line.x, line.y, strict=True)]
    drawn = points
    if line.step:
        drawn = [point for pair in pairwise(points) for point in (pair[0], (pair[1][0], pair[0][1]))]
        drawn += points[-1:]
    every = -(-len(points) // MOST_MARKERS) if points else 1
    offset = (index * every) // 8 if every > 1 else 0  # so that markers of lines on each other both show
    marks = "".join(
        element("path", d=own.marker, class_="mark", transform=f"translate({a:.1f} {b:.1f})")
        for a, b in points[offset::every]
    )
    stroke = element("path", d=path(drawn), class_="line", stroke_dasharray=own.dash)
    return element("g", stroke + marks, class_=own.colour)
