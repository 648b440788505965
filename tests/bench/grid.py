"""One grid step by `positional`, beside OR-Tools and scipy: medians of several runs in one process."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np
from scipy.optimize import linear_sum_assignment

import planner
from planner.goal import Goal
from planner.grid.step import GridStep
from planner.solver import Effort
from solvers.grid.arrays import Arrays
from solvers.grid.assignment import Assignment
from solvers.grid.kernels.flow import least_flow, needed
from solvers.grid.kernels.matching import Indices
from solvers.grid.positional import Positional
from tests.steps import realistic_step

HEAD = "| jobs | resources | queues | method | flow | median ms | runs |\n|---|---|---|---|---|---|---|"
GOALS_HEAD = "| jobs | resources | queues | solver | value | gap | seconds |\n|---|---|---|---|---|---|---|"
SIZES = ((108, 1200), (700, 1200))
QUEUES = (0.0, 100.0)
LARGEST_MATRIX = 10**8  # entries for scipy: 800 MB


def steps() -> Iterator[str]:
    """The least flow of steps as a simulation has them, by each method, a table row each."""
    yield HEAD
    for jobs, resources in SIZES:
        for queue in QUEUES:
            step = realistic_step(jobs, resources, longest_queue=queue)
            for method, runs, call in _methods(step):
                value, milliseconds = _timed(call, runs)
                cells = (
                    jobs,
                    resources,
                    f"U[0, {queue:g}]",
                    method,
                    f"{value:.6f}",
                    f"{milliseconds:.2f}",
                    runs,
                )
                yield "| " + " | ".join(map(str, cells)) + " |"


def goals(limit: float) -> Iterator[str]:
    """The solvers of the other two goals on such steps and on crowded ones, a table row each."""
    yield GOALS_HEAD
    for jobs, resources in (*SIZES, (700, 100)):
        for queue in QUEUES:
            step = realistic_step(jobs, resources, longest_queue=queue)
            for solver in ("makespan", "load"):
                result = planner.solve(step, solver, time_limit=limit)
                assert result.objective is not None
                value, gap = f"{float(result.objective):.6f}", f"{float(result.gap or 0):.4%}"
                cells = jobs, resources, f"U[0, {queue:g}]", solver, value, gap, f"{result.seconds.solve:.3f}"
                yield "| " + " | ".join(map(str, cells)) + " |"


def _methods(step: GridStep) -> Iterator[tuple[str, int, Callable[[], float]]]:
    """Name, number of runs, and the call, which gives the flow."""
    arrays = Arrays.of(step)
    numbers = arrays.backlog, arrays.capacity, arrays.lengths, arrays.limit
    yield "positional, the kernel alone", 51, lambda: least_flow(*numbers)[2]
    yield "positional", 11, lambda: float(Positional().solve(step, Goal.FLOW, Effort()).bound or 0)
    depths = needed(arrays.backlog, arrays.capacity, np.sort(arrays.lengths), arrays.limit)
    yield "scipy on the positions that are needed", 5, lambda: _scipy(arrays, depths)
    every = np.full(depths.size, arrays.limit)
    if every.sum() * arrays.lengths.size <= LARGEST_MATRIX:
        yield "scipy on all positions", 3, lambda: _scipy(arrays, every)
    yield "assignment (OR-Tools)", 3, lambda: float(Assignment().solve(step, Goal.FLOW, Effort()).bound or 0)


def _scipy(arrays: Arrays, depths: Indices) -> float:
    """scipy's assignment on the first `depths[i]` positions of resource i, its matrix included."""
    owner = np.repeat(np.arange(depths.size), depths)
    place = np.concatenate([np.arange(1, depth + 1) for depth in depths])
    offsets, slopes = arrays.backlog[owner] / arrays.capacity[owner], place / arrays.capacity[owner]
    cost = offsets[None, :] + arrays.lengths[:, None] * slopes[None, :]
    rows, columns = linear_sum_assignment(cost)
    return float(cost[rows, columns].sum())


def _timed(call: Callable[[], float], runs: int) -> tuple[float, float]:
    """What the call gives, and the median milliseconds after one run that does not count."""
    value = call()
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    return value, 1000 * statistics.median(seconds)
