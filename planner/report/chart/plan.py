"""The figure of one plan."""

from __future__ import annotations

from planner.report.chart.figure import Data, Figure
from planner.report.chart.gantt import gantt_chart, left_out
from planner.report.chart.scale import plain
from planner.report.names import visible
from planner.report.numbers import counted
from planner.report.schedule import Schedule


def plan_figure(schedule: Schedule, key: str) -> Figure | None:
    """Who does what when, machines that do the same once."""
    if not schedule.lanes:
        return None
    machines = counted(sum(lane.count for lane in schedule.lanes), schedule.machine)
    title = (
        f"{visible(schedule.instance)}: the plan of {visible(schedule.solver)} keeps {machines} "
        f"busy until {plain(round(schedule.lanes[0].end, 3))} {schedule.unit}"
    )
    caption = "A row for machines that do the same, with how many there are." + left_out(schedule)
    rows = tuple(
        (number, lane.name, float(lane.count), bar.kind, bar.text, bar.start, bar.end)
        for number, lane in enumerate(schedule.lanes, 1)
        for bar in lane.bars
    )
    columns = ("row", schedule.machine, "count", "what", "how_much", "start", "end")
    return Figure(key, title, caption, gantt_chart(key, title, caption, schedule), Data(columns, rows))
