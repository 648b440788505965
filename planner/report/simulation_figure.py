"""ALoR over time as a picture: one line a policy with a band over its seeds, the certified bound dashed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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
from planner.report.numbers import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from planner.grid.policy import Floats
    from planner.simulating import Simulation

MOST_POINTS = 400
"""Points of a line; a longer series is shown by the means of as many stretches."""

_LOG_FROM = 20
"""Largest over smallest ALoR from which its axis is logarithmic."""


def simulation_svg(simulation: Simulation) -> str:
    """The plot of `simulation_figure` as SVG text."""
    return as_svg(lambda: simulation_figure(simulation), _title(simulation))


def simulation_png(simulation: Simulation) -> bytes:
    """The plot of `simulation_figure` as PNG."""
    return as_png(lambda: simulation_figure(simulation))


def simulation_figure(simulation: Simulation) -> Figure:
    """ALoR over steps: a line a policy, the mean of its seeds, in a band from the least to the greatest.

    Dashed: the certified bound on the mean ALoR of any policy, the least of the seeds'.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.add_subplot()
    looks = [(OWN, "-"), *((colour, style) for colour, _, style in OTHERS)]
    stretch = max(1, -(-simulation.system.steps // MOST_POINTS))
    low, high = np.inf, 0.0
    for index, (name, runs) in enumerate(simulation.policies.items()):
        colour, style = looks[index % len(looks)]
        lines = np.array([_means(run.metrics.series, stretch) for run in runs])
        steps = np.minimum(np.arange(lines.shape[1]) * stretch + stretch / 2, simulation.system.steps)
        mean = lines.mean(axis=0)
        axes.plot(steps, mean, color=colour, linestyle=style, linewidth=1.4, label=shown(name), zorder=3)
        if len(runs) > 1:
            axes.fill_between(
                steps, lines.min(axis=0), lines.max(axis=0), color=colour, alpha=0.18, linewidth=0, zorder=2
            )
        low, high = min(low, float(mean.min())), max(high, float(mean.max()))
    if simulation.bound.mean_alor is not None:
        axes.axhline(
            simulation.bound.mean_alor, color="0.25", linestyle=(0, (6, 4)), linewidth=1.2,
            label="no policy's mean can be below", zorder=1,
        )  # fmt: skip
        low = min(low, simulation.bound.mean_alor or low)
    logarithmic = low > 0 and high > _LOG_FROM * low
    if logarithmic:
        axes.set_yscale("log")
        plain_log(axes.yaxis)
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlim(0, simulation.system.steps)
    axes.set_xlabel("step")
    axes.set_ylabel(f"ALoR: mean load of the resources (steps{', log scale' if logarithmic else ''})")
    bare(axes)
    titled(axes, _title(simulation), _below(simulation, stretch))
    legend(axes, "best")
    return figure


def _means(series: Floats, stretch: int) -> Floats:
    """The means of stretches of that many steps, the last one of what is left."""
    starts = np.arange(0, series.size, stretch)
    sizes = np.diff(np.append(starts, series.size))
    means: Floats = np.add.reduceat(series, starts) / sizes
    return means


def _title(simulation: Simulation) -> str:
    name = visible(simulation.system.name)
    return f"{name if len(name) <= 44 else name[:43] + '…'}: average load of resources over time"


def _below(simulation: Simulation, stretch: int) -> str:
    system = simulation.system
    seeds = len({run.seed for run in simulation.runs})
    band = ", bands over seeds" if seeds > 1 else ""
    means = f", means of {stretch} steps" if stretch > 1 else ""
    return (
        f"{counted(len(system.schedulers), 'scheduler')}, {counted(len(system.resource_names), 'resource')}, "
        f"{counted(seeds, 'seed')}{band}{means}"
    )
