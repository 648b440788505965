"""Prices of service for the bound on ALoR, from a flow of jobs over windows of steps (docs/model-grid.md).

Any prices give a valid bound, so this program may be coarse: alike lengths are one bin, alike resources one
class, alike steps one window. Every resource then gets prices of its own, the least at which the jobs' values
hold on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from ortools.linear_solver import pywraplp

from planner.grid.policy import Floats, Ints
from solvers.grid.kernels.windows import least_prices, service, shared
from solvers.grid.offered import Offered

MOST_COLUMNS = 20_000
MANY = 1e9
"""A job of this many slots or more is never finished, and what it costs just has to be large."""


@dataclass(frozen=True, slots=True)
class Detail:
    """How fine the program is: at most this many windows, bins and classes."""

    windows: int
    bins: int
    classes: int


STEADY = Detail(1, 25, 100)
"""For loads that stay as they are: prices do not change in time."""
CHANGING = Detail(64, 6, 10)
"""For loads that come and go."""
BURSTS = Detail(128, 4, 6)
"""For loads that come and go at once."""


@dataclass(frozen=True, slots=True, eq=False)
class _Flow:
    """Jobs to send: `count` (windows, bins) of them, of mean `length` (bins,).

    `edges` (windows + 1,) are the steps between windows, `release` (windows,) is when their jobs arrive on
    average, `reach` (windows,) the last window in which they may start.
    """

    edges: Ints
    release: Floats
    reach: Ints
    length: Floats
    count: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """`slot` (resources, windows) is the price of a slot from step edges[w] to edges[w + 1], in records.

    Times ceiling / initial capacity it is the load that a step of full service has to be worth.
    """

    edges: Ints
    slot: Floats


def prices(length: Floats, step: Ints, offered: Offered, detail: Detail) -> Prices:
    """Prices for jobs of that length that arrive in those steps; 0 where the program has no solution."""
    with np.errstate(over="ignore"):
        flow = _flow(length, step, offered, detail)
        values = _values(flow, offered, detail.classes)
    if values is None:
        return Prices(flow.edges, np.zeros((offered.initial.size, flow.release.size)))
    slot = least_prices(
        offered.ceiling / offered.initial,
        offered.ceiling,
        flow.edges.astype(np.float64),
        flow.release,
        flow.reach,
        flow.length,
        values,
    )
    return Prices(flow.edges, slot)


def _flow(length: Floats, step: Ints, offered: Offered, detail: Detail) -> _Flow:
    arrived = np.bincount(step, weights=length, minlength=offered.steps).astype(np.float64)
    served = offered.each_step()
    backlog = _backlog(arrived, served)
    order = np.argsort(length, kind="stable")
    parts = [part for part in np.array_split(order, detail.bins) if part.size]
    bins = np.empty(length.size, dtype=np.int64)
    for number, part in enumerate(parts):
        bins[part] = number
    windows = detail.windows
    while True:
        edges = _edges(arrived, backlog, windows)
        reach = _reach(edges, backlog, served)
        pairs = int((reach - np.arange(reach.size) + 1).sum())
        if windows == 1 or pairs * len(parts) * detail.classes <= MOST_COLUMNS:
            break
        windows = windows * 3 // 4
    window = np.searchsorted(edges, step, side="right") - 1
    jobs = np.bincount(window, minlength=reach.size)
    middle = np.bincount(window, weights=step, minlength=reach.size) / np.maximum(jobs, 1)
    count = np.bincount(window * len(parts) + bins, minlength=reach.size * len(parts))
    return _Flow(
        edges,
        np.where(jobs > 0, middle, edges[:-1]),
        reach,
        np.array([length[part].mean() for part in parts]),
        count.reshape(reach.size, len(parts)).astype(np.float64),
    )


def _backlog(arrived: Floats, served: Floats) -> Floats:
    """Work left after each step if all resources were one."""
    drift = np.cumsum(arrived - served)
    backlog: Floats = drift - np.minimum(np.minimum.accumulate(drift), 0.0)
    return backlog


def _edges(arrived: Floats, backlog: Floats, windows: int) -> Ints:
    """Edges of windows that share time, arriving work and the ups and downs of the backlog about evenly."""
    moved = np.abs(np.diff(backlog, prepend=0.0))
    density = np.full(arrived.size, 1 / arrived.size) + arrived / max(arrived.sum(), 1e-300)
    density += 2 * moved / max(moved.sum(), 1e-300)
    passed = np.cumsum(density) / density.sum()
    inner = np.searchsorted(passed, np.arange(1, windows) / windows) + 1
    return np.unique(np.concatenate(([0], inner[inner < arrived.size], [arrived.size]))).astype(np.int64)


def _reach(edges: Ints, backlog: Floats, served: Floats) -> Ints:
    """The last window in which jobs of each window may start: one after twice its backlog is served."""
    offered = np.concatenate(([0.0], np.cumsum(served)))
    done = np.searchsorted(offered, offered[edges[1:]] + 2 * backlog[edges[1:] - 1])
    last = np.searchsorted(edges, done, side="left")
    return np.minimum(last, edges.size - 2).astype(np.int64)


def _classes(offered: Offered, edges: Ints, most: int) -> tuple[Floats, Floats, Floats]:
    """Of each class of resources: initial capacity and ceiling, means, and work offered a window, a sum."""
    work = offered.within(edges)
    order = np.lexsort((work.sum(axis=1), offered.ceiling, offered.initial))
    parts = np.array_split(order, min(most, order.size))
    return (
        np.array([offered.initial[part].mean() for part in parts]),
        np.array([offered.ceiling[part].mean() for part in parts]),
        np.array([work[part].sum(axis=0) for part in parts]),
    )


def _values(flow: _Flow, offered: Offered, most: int) -> Floats | None:
    """What one more job (windows, bins) adds to the load of the cheapest flow; None: the solver gives none.

    minimise sum cost·x over flows x of jobs to starts of services, and to nowhere: all jobs flow, no class
    serves more in a window than it offers.
    """
    initial, ceiling, work = _classes(offered, flow.edges, most)
    edges, end = flow.edges.tolist(), float(flow.edges[-1])
    solver = pywraplp.Solver.CreateSolver("GLOP")
    infinity = solver.infinity()
    goal = solver.Objective()
    goal.SetMinimization()
    limits = [[solver.Constraint(-infinity, most) for most in row] for row in work.tolist()]
    values = np.zeros(flow.count.shape)
    flows = {}
    for w, b in zip(*np.nonzero(flow.count), strict=True):
        row = flows[w, b] = solver.Constraint(float(flow.count[w, b]), infinity)
        release, length = float(flow.release[w]), float(flow.length[b])
        unserved = (end - release) * length / float(offered.initial.max())
        nowhere = solver.NumVar(0.0, infinity, "")
        goal.SetCoefficient(nowhere, unserved)
        row.SetCoefficient(nowhere, 1.0)
        for v in range(w, flow.reach[w] + 1):
            start = release if v == w else float(edges[v])
            for g, (base, top) in enumerate(zip(initial.tolist(), ceiling.tolist(), strict=True)):
                served, cost = service(min(length / top, MANY), release, start, end)
                if cost * top / base >= unserved:
                    continue
                share = solver.NumVar(0.0, infinity, "")
                goal.SetCoefficient(share, cost * top / base)
                row.SetCoefficient(share, 1.0)
                u = v
                while u < len(edges) - 1 and edges[u] < start + served:
                    used = shared(start, served, edges[u], edges[u + 1])
                    limits[g][u].SetCoefficient(share, used * top)
                    u += 1
    if solver.Solve() != pywraplp.Solver.OPTIMAL:
        return None
    for (w, b), row in flows.items():
        values[w, b] = row.dual_value()
    return values if np.isfinite(values).all() else None
