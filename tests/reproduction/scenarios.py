"""The six scenarios of the paper's figures, run for several policies and seeds, and figures made of that."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path

import numpy as np

import planner
from planner import files
from planner.grid.policy import Floats
from planner.grid.system import Event, GridSystem
from planner.report.statistics import half_interval
from planner.simulating import Run, Simulation

GRID = Path(__file__).parents[2] / "instances" / "grid"
SCALES = ("small", "medium", "large")
LOADS = (60, 90)
SCENARIOS = tuple(f"{scale}-{load}" for load in LOADS for scale in SCALES)
"""In the order of the paper's Fig. 1 to 6."""

WINDOW = 100
"""Steps over which a series is smoothed before crossings are looked for."""


@dataclass(frozen=True)
class Measured:
    """A mean over seeds, and half of its 95 % interval."""

    mean: float
    half: float

    def __str__(self) -> str:
        return f"{short(self.mean)} ± {short(self.half)}"


def system(name: str, steps: int, events: Iterable[Event] = ()) -> GridSystem:
    """The scenario's system, for that many steps, with these events."""
    read = files.read_system(GRID / f"{name}.json")
    return replace(read, steps=steps, events=tuple(events))


def simulated(
    name: str, policies: Sequence[str], seeds: Sequence[int], steps: int, *, bound: bool = False
) -> Simulation:
    """The runs of the policies on the scenario; a failed run ends the report."""
    simulation = planner.simulate(system(name, steps), policies, seeds=seeds, bound=bound)
    if simulation.errors:
        raise simulation.errors[0]
    return simulation


def over_seeds(values: Sequence[float]) -> Measured:
    """Their mean, with its interval."""
    return Measured(math.fsum(values) / len(values), half_interval(values))


def part(run: Run, low: float, high: float) -> float:
    """Mean ALoR between two shares of the run."""
    series = run.metrics.series
    return float(series[int(low * series.size) : int(high * series.size)].mean())


def first_steps(run: Run) -> float:
    """Mean ALoR of the first 100 steps."""
    return float(run.metrics.series[:100].mean())


def crossing(run: Run, other: Run) -> int | None:
    """The step from which on `run` stays below `other`, both smoothed; None where it does not."""
    below = smoothed(run.metrics.series) < smoothed(other.metrics.series)
    if not below[-1]:
        return None
    above = np.flatnonzero(~below)
    return 0 if above.size == 0 else int(above[-1]) + 1


def smoothed(series: Floats) -> Floats:
    """Means of the last `WINDOW` steps, of fewer at the start."""
    sums = np.cumsum(np.concatenate(([0.0], series)))
    ends = np.arange(1, series.size + 1)
    starts = np.maximum(0, ends - WINDOW)
    means: Floats = (sums[ends] - sums[starts]) / (ends - starts)
    return means


def short(value: float) -> str:
    """Three significant digits."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def environment() -> str:
    """Versions the figures were made with."""
    versions = ", ".join(
        f"{name} {metadata.version(name)}" for name in ("gridcloud-planner", "numpy", "numba")
    )
    return f"Python {platform.python_version()}, {versions}"
