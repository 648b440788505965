"""The picture of a frontier: makespan over budget, as SVG or PNG."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.report.drawing import (
    HEIGHT,
    OTHERS,
    OWN,
    WIDTH,
    as_png,
    as_svg,
    bare,
    legend,
    plain_log,
    shown,
    titled,
)
from planner.report.names import visible
from planner.report.numbers import counted, number
from planner.result import Status

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from planner.tradeoff import Frontier, Point

_LOG_FROM = 20
"""Longest over shortest makespan from which both axes are logarithmic."""

_CLOCK_FROM = 7200
"""Seconds from which the axis shows h:mm."""

_MANY_POINTS = 15

_STEPS = (60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400)


def frontier_svg(frontier: Frontier) -> str:
    """The step plot of `frontier_figure` as SVG text."""
    return as_svg(lambda: frontier_figure(frontier), _name(frontier))


def frontier_png(frontier: Frontier) -> bytes:
    """The step plot of `frontier_figure` as PNG."""
    return as_png(lambda: frontier_figure(frontier))


def frontier_figure(frontier: Frontier) -> Figure:
    """Makespan over budget: a step function, as the makespan stays until the next breakpoint.

    Filled markers are proven optima; hollow ones are plans with the proven bound at the end of the bar below.
    Shaded boxes are where further steps may be; hatched is where no plan is possible.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.add_subplot()
    planned = [point for point in frontier.points if point.result.makespan is not None]
    _scale(axes, frontier)
    if planned:
        _own(axes, frontier, planned)
    for index, (name, points) in enumerate(frontier.overlays.items()):
        _other(axes, name, points, index)
    _gaps(axes, frontier)
    _infeasible(axes, frontier)
    _words(axes, frontier)
    return figure


def _own(axes: Axes, frontier: Frontier, points: Sequence[Point]) -> None:
    x = [float(point.budget) for point in points]
    y = [_value(point.result.makespan) for point in points]
    axes.step(x, y, where="post", color=OWN, linewidth=1.8, zorder=3, label=shown(frontier.solver))
    for proven, face in ((True, OWN), (False, "white")):
        chosen = [i for i, point in enumerate(points) if (point.result.status is Status.OPTIMAL) is proven]
        if chosen:
            axes.plot(
                [x[i] for i in chosen],
                [y[i] for i in chosen],
                linestyle="none",
                marker="o",
                markersize=_size(6, points),
                markeredgecolor=OWN,
                markerfacecolor=face,
                zorder=5,
                label="proven optimum" if proven else "plan, bar down to the proven bound",
            )
        if chosen and not proven:
            low = [_value(points[i].result.bound) for i in chosen]
            axes.vlines([x[i] for i in chosen], low, [y[i] for i in chosen], color=OWN, linewidth=1, zorder=4)


def _size(usual: float, points: Sequence[Point]) -> float:
    """The size of a marker, smaller where they stand close."""
    return usual if len(points) <= _MANY_POINTS else usual * 0.6


def _other(axes: Axes, name: str, points: Sequence[Point], index: int) -> None:
    colour, marker, line = OTHERS[index % len(OTHERS)]
    planned = [point for point in points if point.result.makespan is not None]
    if planned:
        axes.plot(
            [float(point.budget) for point in planned],
            [_value(point.result.makespan) for point in planned],
            color=colour,
            marker=marker,
            markersize=_size(8, points),
            markerfacecolor="none",  # an optimum found shows as the filled marker inside
            drawstyle="steps-post",  # its plan serves larger budgets, too; a slope would promise more
            linestyle=line,
            linewidth=1,
            zorder=4,
            label=shown(name),
        )


def _gaps(axes: Axes, frontier: Frontier) -> None:
    from matplotlib.patches import Rectangle

    label = "may hold further steps"
    for gap in frontier.gaps:
        if gap.slowest is None:
            continue
        low, high = float(gap.low), float(gap.high)
        bottom, top = float(gap.fastest), float(gap.slowest)
        axes.add_patch(
            Rectangle(
                (low, bottom), high - low, top - bottom, facecolor=OWN, alpha=0.15, linewidth=0, label=label
            )
        )
        label = "_"


def _infeasible(axes: Axes, frontier: Frontier) -> None:
    """Hatch the budgets that are proven to be too small; the legend names the least one that works."""
    refused = [point.budget for point in frontier.points if point.result.status is Status.INFEASIBLE]
    end = frontier.least_budget if frontier.least_budget is not None else max(refused, default=None)
    if end is None or not frontier.points:
        return
    left, right = axes.get_xlim()
    if not refused and axes.get_xscale() == "log":
        return  # the first point is the least budget, and a logarithmic axis has no natural start
    if not any(point.result.plan is not None for point in frontier.points):
        right = max(right, float(end) * 1.05)
    axes.set_xlim(left, right)
    below = "below" if frontier.least_budget is not None else "up to"
    axes.axvspan(
        left,
        float(end),
        facecolor="0.93",
        edgecolor="0.6",
        hatch="///",
        linewidth=0,
        zorder=0,
        label=f"no plan {below} {number(Fraction(end))}",
    )


def _scale(axes: Axes, frontier: Frontier) -> None:
    """Axes that fit all points, logarithmic where the makespans span much."""
    everything = [*frontier.points, *(point for points in frontier.overlays.values() for point in points)]
    seconds = [float(p.result.makespan) for p in everything if p.result.makespan is not None]
    budgets = [float(point.budget) for point in frontier.points]
    if not budgets:
        return
    if seconds and min(seconds) > 0 and min(budgets) > 0 and max(seconds) > _LOG_FROM * min(seconds):
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain_log(axes.xaxis)
        plain_log(axes.yaxis)
        spread = (max(budgets) / min(budgets)) ** 0.06 or 1.1
        axes.set_xlim(min(budgets) / spread, max(budgets) * spread)
        return
    room = 0.08 * (max(budgets) - min(budgets)) or 0.1 * max(budgets) or 1.0
    axes.set_xlim(max(0.0, min(budgets) - room), max(budgets) + room)
    if seconds:
        _clock(axes, max(seconds))


def _clock(axes: Axes, longest: float) -> None:
    """From zero up, and hours and minutes in place of seconds where those would be many."""
    from matplotlib.ticker import FuncFormatter, MultipleLocator

    axes.set_ylim(0, longest * 1.08 or 1.0)
    if longest < _CLOCK_FROM:
        return
    step = next((step for step in _STEPS if longest / step <= 8), 86400 * -(-longest // (8 * 86400)))
    axes.yaxis.set_major_locator(MultipleLocator(step))
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{int(value) // 3600}:{int(value) // 60 % 60:02d}")
    )


def _words(axes: Axes, frontier: Frontier) -> None:
    currency = frontier.instance.notes.currency
    scale = ", log scale" if axes.get_xscale() == "log" else ""
    axes.set_xlabel(f"budget ({shown(currency) if currency else 'money'}{scale})", parse_math=False)
    hours = axes.get_yscale() == "linear" and axes.get_ylim()[1] / 1.08 >= _CLOCK_FROM
    axes.set_ylabel(f"makespan ({'h:mm' if hours else 's'}{scale})")
    bare(axes)
    titled(axes, _name(frontier), _summary(frontier))
    legend(axes)


def _name(frontier: Frontier) -> str:
    name = visible(frontier.instance.name)
    return f"{name if len(name) <= 44 else name[:43] + '…'}: least makespan for each budget"


def _summary(frontier: Frontier) -> str:
    planned = [point for point in frontier.points if point.result.plan is not None]
    if not planned:
        return "no budget asked for works"
    proven = sum(point.result.status is Status.OPTIMAL for point in planned)
    word = "all proven optimal" if proven == len(planned) else f"{proven} of them proven optimal"
    steps = "no step is missing" if frontier.complete else "steps between them may be missing"
    return f"{counted(len(planned), 'point')}, {word}; {steps}"


def _value(value: Fraction | None) -> float:
    return float("nan") if value is None else float(value)
