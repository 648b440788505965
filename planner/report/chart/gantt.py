"""A plan as bars over time: a lane for machines that do the same, at most some forty of them."""

from __future__ import annotations

from planner.report.chart.axes import RIGHT, WIDTH, Entry, legend
from planner.report.chart.looks import MOST, look
from planner.report.chart.scale import Scale, plain
from planner.report.chart.svg import cut, element, picture, text, width_of
from planner.report.numbers import counted
from planner.report.schedule import BACKLOG, STARTUP, Schedule

MOST_LANES = 40

_TOP = 22.0


def gantt_chart(key: str, title: str, description: str, schedule: Schedule) -> str:
    """The longest lanes; time runs to the right."""
    lanes = schedule.lanes[:MOST_LANES]
    kinds = _kinds(schedule)
    row = 26.0 if len(lanes) <= 16 else 18.0
    names = [f"{lane.count} × {lane.name}" if lane.count > 1 else lane.name for lane in lanes]
    left = min(170.0, max(width_of(name) for name in [*names, "VM"]) + 12)
    longest = max([lane.end for lane in lanes] + ([] if schedule.mark is None else [schedule.mark[0]]))
    scale = Scale(0.0, longest * 1.02 or 1.0, left, WIDTH - RIGHT)
    bottom = _TOP + row * len(lanes)
    drawn = [
        text(
            f"{schedule.machine}s (alike ones once)" if schedule.machine == "VM" else "resources",
            4,
            13,
            class_="name",
        )
    ]
    for value in scale.ticks(6):
        drawn.append(element("path", d=f"M{scale.at(value):.1f} {_TOP:.0f}V{bottom:.1f}", class_="grid"))
        drawn.append(text(plain(value), scale.at(value), bottom + 18, anchor="middle", class_="tick"))
    for index, (lane, name) in enumerate(zip(lanes, names, strict=True)):
        y = _TOP + row * index
        drawn.append(text(cut(name, left - 10), left - 7, y + row / 2 + 4.5, anchor="end", class_="tick"))
        for bar in lane.bars:
            x, width = scale.at(bar.start), scale.at(bar.end) - scale.at(bar.start)
            colour = "idle" if bar.kind in (STARTUP, BACKLOG) else look(kinds.index(bar.kind) % MOST).colour
            drawn.append(
                element("rect", x=x, y=y + 2, width=width, height=row - 4, class_=f"fill edge {colour}")
            )
            if width > width_of(bar.text) + 6 and row > 20:
                drawn.append(
                    text(bar.text, x + width / 2, y + row / 2 + 4.5, anchor="middle", class_=f"on {colour}")
                )
    if schedule.mark is not None:
        place = scale.at(schedule.mark[0])
        drawn.append(element("path", d=f"M{place:.1f} {_TOP:.0f}V{bottom:.1f}", class_="bound"))
    drawn.append(element("path", d=f"M{left:.1f} {bottom:.1f}H{WIDTH - RIGHT:.0f}", class_="axis"))
    drawn.append(
        text(
            f"time ({schedule.unit})", (left + WIDTH - RIGHT) / 2, bottom + 38, anchor="middle", class_="name"
        )
    )
    entries = [Entry(kind, look(index), box=True) for index, kind in enumerate(kinds[:MOST])]
    entries += [] if schedule.mark is None else [Entry(schedule.mark[1], None)]
    below, height = legend(entries, bottom + 48)
    return picture(WIDTH, bottom + 48 + height, "".join([*drawn, below]), key, title, description)


def left_out(schedule: Schedule) -> str:
    """What the picture has no room for, as a sentence; empty where it shows all."""
    hidden = schedule.lanes[MOST_LANES:]
    if not hidden:
        return ""
    return f" {counted(sum(lane.count for lane in hidden), schedule.machine)} that end earlier are not shown."


def _kinds(schedule: Schedule) -> list[str]:
    kinds = dict.fromkeys(bar.kind for lane in schedule.lanes for bar in lane.bars)
    return sorted(kind for kind in kinds if kind not in (STARTUP, BACKLOG))
