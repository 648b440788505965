"""Stacked bars in panels one above the other, which share both axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.report.chart.axes import LEFT, RIGHT, WIDTH, Entry, legend
from planner.report.chart.looks import look
from planner.report.chart.scale import Scale, plain
from planner.report.chart.svg import element, picture, text

_HEIGHT, _GAP, _TOP = 104.0, 30.0, 48.0


@dataclass(frozen=True, slots=True)
class Panel:
    """A row a bar, a number a part; a row of None: nothing to show."""

    name: str
    bars: Sequence[Sequence[float] | None]


def stack_chart(
    key: str,
    title: str,
    description: str,
    panels: Sequence[Panel],
    bars: Sequence[str],
    parts: Sequence[str],
    x_name: str,
    y_name: str,
) -> str:
    """Each part is named by its colour and order, and by its number where it has room for it."""
    highest = max((sum(bar) for panel in panels for bar in panel.bars if bar is not None), default=1.0) or 1.0
    drawn = [text(y_name, 4, 15, class_="name")]
    for index, panel in enumerate(panels):
        top = _TOP + index * (_HEIGHT + _GAP)
        scale = Scale(0.0, highest * 1.04, top + _HEIGHT, top)
        drawn.append(_panel(panel, scale, len(bars)))
    bottom = _TOP + len(panels) * (_HEIGHT + _GAP) - _GAP
    slot = (WIDTH - LEFT - RIGHT) / max(1, len(bars))
    every = -(-len(bars) // 12)
    for index in range(0, len(bars), every):
        drawn.append(
            text(bars[index], LEFT + slot * (index + 0.5), bottom + 18, anchor="middle", class_="tick")
        )
    drawn.append(text(x_name, (LEFT + WIDTH - RIGHT) / 2, bottom + 38, anchor="middle", class_="name"))
    entries = [Entry(part, look(index), box=True) for index, part in enumerate(parts)]
    below, height = legend(entries, bottom + 48)
    return picture(WIDTH, bottom + 48 + height, "".join([*drawn, below]), key, title, description)


def _panel(panel: Panel, scale: Scale, count: int) -> str:
    drawn = [text(panel.name, LEFT, scale.end - 7, class_="panel")]
    for value in scale.ticks(3):
        y = scale.at(value)
        drawn.append(element("path", d=f"M{LEFT:.0f} {y:.1f}H{WIDTH - RIGHT:.0f}", class_="grid"))
        drawn.append(text(plain(value), LEFT - 7, y + 4.5, anchor="end", class_="tick"))
    slot = (WIDTH - LEFT - RIGHT) / max(1, count)
    for index, bar in enumerate(panel.bars):
        x = LEFT + slot * (index + 0.14)
        if bar is None:
            drawn.append(text("–", x + 0.36 * slot, scale.start - 5, anchor="middle", class_="tick"))
            continue
        below = 0.0
        for part, value in enumerate(bar):
            if value > 0:
                drawn.append(_part(x, slot * 0.72, scale.at(below), scale.at(below + value), part, value))
                below += value
    return "".join(drawn)


def _part(x: float, width: float, bottom: float, top: float, part: int, value: float) -> str:
    box = element(
        "rect", x=x, y=top, width=width, height=bottom - top, class_=f"fill edge {look(part).colour}"
    )
    words = plain(value)
    if bottom - top < 11.5 or width < 8 * len(words) + 2:
        return box
    return box + text(
        words, x + width / 2, (bottom + top) / 2 + 4.5, anchor="middle", class_=f"on {look(part).colour}"
    )
