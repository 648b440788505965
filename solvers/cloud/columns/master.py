"""How often to rent each column so that all items run, at least cost, in fractions: a linear program.

Rows: one an item, one a type with a limit, one for all VMs. Its dual values tell what an item is worth and
what a place in a limit costs. Where the columns known do not suffice, items may be left out at a high price;
a solution that still does so when no column helps says that this makespan is too short for the limits.

Fillers: a VM that wants no more items of an application than some size can only be given tasks of that size
or smaller ones. Contents that use up gaps do so often, and there are only so many small tasks; further rows
keep them within that number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from ortools.linear_solver import pywraplp

from solvers.cloud.columns.market import Column, Floats, Market

DEAR = 1e3  # what leaving an item out costs, in times the dearest column's cost of an item


@dataclass(frozen=True)
class Duals:
    """Coins an item is worth, coins a place costs in a type's own limit and in that of all VMs.

    `fillers[i]` are pairs (most, charge): a VM with 1 to `most` items i pays the charge for each of them.
    """

    values: Floats
    rents: Floats
    shared: float
    fillers: dict[int, list[tuple[int, float]]] = field(default_factory=dict)

    def charge(self, item: int, count: int) -> float:
        """What each of `count` items on one VM is charged as a filler."""
        return sum(charge for most, charge in self.fillers.get(item, ()) if count <= most)


@dataclass(frozen=True)
class Shares:
    """A solution: how often each column is rented, dual values, money, and the share of an item left out."""

    amounts: tuple[float, ...]
    duals: Duals
    cost: float
    missing: float


class Master:
    """The linear program over the columns added so far."""

    def __init__(self, market: Market, columns: Iterable[Column]) -> None:
        self._market = market
        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        ticks = market.ticks
        infinity = self._solver.infinity()
        self._items = [self._solver.Constraint(1.0, infinity) for _ in market.demand]
        self._limits = {
            t: self._solver.Constraint(-infinity, float(limit))
            for t, limit in enumerate(ticks.max_instances)
            if limit is not None
        }
        self._total = (
            None if ticks.max_vms is None else self._solver.Constraint(-infinity, float(ticks.max_vms))
        )
        self._fillers: dict[tuple[int, int], pywraplp.Constraint] = {}
        self._objective = self._solver.Objective()
        self._objective.SetMinimization()
        self.columns: list[Column] = []
        self._variables: list[pywraplp.Variable] = []
        self._known: set[Column] = set()
        columns = list(columns)
        self._scale = max((float(market.cost(column)) for column in columns), default=1.0) or 1.0
        self._slacks = []
        dearest = self._dearest(columns)
        for i, row in enumerate(self._items):
            slack = self._solver.NumVar(0.0, infinity, f"left{i}")
            row.SetCoefficient(slack, 1.0)
            self._objective.SetCoefficient(slack, DEAR * dearest[i])
            self._slacks.append(slack)
        self.add(columns)

    def add(self, columns: Iterable[Column]) -> int:
        """Add the columns that are new; returns how many were."""
        added = 0
        for column in columns:
            if column in self._known:
                continue
            self._known.add(column)
            self.columns.append(column)
            variable = self._solver.NumVar(0.0, self._solver.infinity(), "")
            for i, n in enumerate(column.units):
                if n:
                    self._items[i].SetCoefficient(variable, n / self._market.demand[i])
            if column.kind in self._limits:
                self._limits[column.kind].SetCoefficient(variable, 1.0)
            if self._total is not None:
                self._total.SetCoefficient(variable, 1.0)
            for (i, most), row in self._fillers.items():
                if 0 < column.units[i] <= most:
                    row.SetCoefficient(variable, column.units[i] / self._market.demand[i])
            self._objective.SetCoefficient(variable, self._market.cost(column) / self._scale)
            self._variables.append(variable)
            added += 1
        return added

    def limit_fillers(self, item: int, most: int, items: int) -> bool:
        """VMs with 1 to `most` items may have `items` of them together; False where that is known."""
        if (item, most) in self._fillers:
            return False
        row = self._solver.Constraint(-self._solver.infinity(), items / self._market.demand[item])
        for column, variable in zip(self.columns, self._variables, strict=True):
            if 0 < column.units[item] <= most:
                row.SetCoefficient(variable, column.units[item] / self._market.demand[item])
        self._fillers[item, most] = row
        return True

    def solve(self) -> Shares | None:
        """The optimum over the columns known; None where the solver fails."""
        if self._solver.Solve() != pywraplp.Solver.OPTIMAL:
            return None
        demand = np.array([float(n) for n in self._market.demand])
        values = np.array([max(0.0, row.dual_value()) for row in self._items]) / demand * self._scale
        rents = np.zeros(len(self._market.startup))
        for t, row in self._limits.items():
            rents[t] = max(0.0, -row.dual_value()) * self._scale
        shared = 0.0 if self._total is None else max(0.0, -self._total.dual_value()) * self._scale
        fillers: dict[int, list[tuple[int, float]]] = {}
        for (i, most), row in sorted(self._fillers.items()):
            charge = max(0.0, -row.dual_value()) / demand[i] * self._scale
            if charge:
                fillers.setdefault(i, []).append((most, float(charge)))
        missing = max((slack.solution_value() for slack in self._slacks), default=0.0)
        amounts = tuple(max(0.0, variable.solution_value()) for variable in self._variables)
        cost = self._objective.Value() * self._scale
        return Shares(amounts, Duals(values, rents, shared, fillers), cost, missing)

    def _dearest(self, columns: list[Column]) -> list[float]:
        """For each item, the most that running all of it costs in any of the columns (scaled; at least 1)."""
        dearest = [1.0] * len(self._items)
        for column in columns:
            cost = self._market.cost(column) / self._scale
            for i, n in enumerate(column.units):
                if n:
                    dearest[i] = max(dearest[i], cost * self._market.demand[i] / n)
        return dearest
