"""Prices of service for the bound on ALoR: the dual of a steady flow of jobs (docs/model-grid.md).

Any prices give a valid bound, so this program may be coarse: alike lengths are one bin, alike resources one
class, and every resource then gets the least price at which the bins' values still hold on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from ortools.linear_solver import pywraplp

from planner.grid.policy import Floats
from solvers.grid.offered import Offered

BINS = 25
CLASSES = 100
MANY = 1e9
"""A job of this many slots or more is never finished, and what it costs just has to be large."""


@dataclass(frozen=True, slots=True, eq=False)
class _Bins:
    """Arrays (bins,): mean length of alike jobs, their rate a step, the load of one never served."""

    length: Floats
    rate: Floats
    unserved: Floats


def steady(length: Floats, steps: int, offered: Offered) -> Floats:
    """The price of a unit of work on each resource, in load; 0 for all where the program has no solution.

    Resources that never serve get a price that keeps everyone away, for it is charged for nothing.
    """
    with np.errstate(over="ignore"):
        bins = _bins(length, steps, float(offered.initial.max()))
        values = _values(bins, *_classes(offered, steps))
        if values is None:
            return np.zeros(offered.initial.size)
        cost = _cost(bins.length, offered.initial, offered.ceiling)
    prices = np.maximum(0.0, ((values - cost) / bins.length).max(axis=1))
    return np.where(offered.total > 0, prices, steps / offered.initial)


def _bins(length: Floats, steps: int, fastest: float) -> _Bins:
    parts = [part for part in np.array_split(np.sort(length), BINS) if part.size]
    mean = np.array([part.mean() for part in parts])
    # On average half of the steps are left when a job arrives.
    return _Bins(mean, np.array([part.size / steps for part in parts]), mean / fastest * (steps + 1) / 2)


def _classes(offered: Offered, steps: int) -> tuple[Floats, Floats, Floats]:
    """Of each class of resources: initial capacity and ceiling, as means; work offered a step, as a sum."""
    rows = np.stack([offered.initial, offered.ceiling, offered.total / steps], axis=1)
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    parts = np.array_split(np.arange(len(kinds)), min(CLASSES, len(kinds)))
    means = np.array([np.average(kinds[part], axis=0, weights=counts[part]) for part in parts])
    sizes = np.array([counts[part].sum() for part in parts])
    return means[:, 0], means[:, 1], means[:, 2] * sizes


def _cost(length: Floats, initial: Floats, ceiling: Floats) -> Floats:
    """Load a job of each length adds on each resource (rows) where it is alone and has all the time."""
    slots = np.minimum(length / ceiling[:, None], MANY)
    needed = np.ceil(slots)
    cost: Floats = (ceiling / initial)[:, None] * (slots * needed - needed * (needed - 1) / 2)
    return cost


def _values(bins: _Bins, initial: Floats, ceiling: Floats, work: Floats) -> Floats | None:
    """What one more job of each bin adds to the load of the cheapest flow; None: the solver has no answer.

    minimise sum cost·x over flows x of bins to classes and to nowhere: all jobs flow, no class gets more work
    a step than it offers.
    """
    cost = _cost(bins.length, initial, ceiling)
    solver = pywraplp.Solver.CreateSolver("GLOP")
    goal = solver.Objective()
    goal.SetMinimization()
    flows = [solver.Constraint(rate, solver.infinity()) for rate in bins.rate.tolist()]
    limits = [solver.Constraint(-solver.infinity(), most) for most in work.tolist()]
    for column, flow in enumerate(flows):
        nowhere = solver.NumVar(0.0, solver.infinity(), "")
        goal.SetCoefficient(nowhere, float(bins.unserved[column]))
        flow.SetCoefficient(nowhere, 1.0)
        for row, limit in enumerate(limits):
            if cost[row, column] < bins.unserved[column]:
                share = solver.NumVar(0.0, solver.infinity(), "")
                goal.SetCoefficient(share, float(cost[row, column]))
                flow.SetCoefficient(share, 1.0)
                limit.SetCoefficient(share, float(bins.length[column]))
    if solver.Solve() != pywraplp.Solver.OPTIMAL:
        return None
    values = np.array([flow.dual_value() for flow in flows])
    return values if np.isfinite(values).all() else None
