"""The least money over all VM contents at a fixed T: a linear program, solved by columns, and certified.

A column is a type t, quanta h and a content that fits into min(T, h q) - o. The program covers all tasks with
columns within the limits for the least money (Gilmore and Gomory 1961). It is far tighter than the aggregated
model where a VM holds few tasks. Columns are priced by a knapsack over loads, which answers for every h at
once. The program is solved in floats; its dual values are then rounded to whole numbers, made feasible and
checked by an exact knapsack, so that the bound is certified (docs/model-cloud.md, "Contents").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from ortools.linear_solver import pywraplp

from planner.solver import Effort
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.knapsack import Knapsack
from solvers.cloud.patterns import Pattern
from solvers.cloud.relaxation import Capacity, capacity
from solvers.cloud.ticks import Ticks

Whole: TypeAlias = npt.NDArray[np.int64]
CELLS = 10_000_000  # of all pricing tables together; where ticks are finer, they are counted in steps
FEWEST_STEPS = 1_000  # a VM must have in such a table, or nothing is tried
MOST_BILLS = 100_000
MOST_ROUNDS = 400
REDUCED_COST = 1e-9  # relative: a column must promise more than this to enter


@dataclass(frozen=True, slots=True)
class Contents:
    """What the linear program over contents shows at one T.

    `excluded`: no plan ends by T within budget and limits, certified. `columns` and `shares` are the
    program's last solution, for rounding.
    """

    excluded: bool
    columns: list[Pattern]
    shares: list[float]


class _Program:
    """The linear program, its columns and their prices."""

    def __init__(self, ticks: Ticks, makespan: int, budget: int | None) -> None:
        self.ticks, self.budget = ticks, budget
        self.too_large = False  # tables too coarse to be of use, or too many bills for a VM
        # Without a budget only limits can exclude a plan: VMs are free, and uncovered tasks cost 1.
        self.missing = 1 if budget is None else budget + 1
        self.knapsacks: dict[int, Knapsack] = {}  # whose contents fit
        self.exceeding: dict[int, Knapsack] = {}  # whose contents may be a little too long: for the proof
        self.levels: dict[int, tuple[Whole, Whole]] = {}  # quanta, and the largest load that each pays for
        able = {t: found for t in ticks.types if (found := capacity(ticks, t, makespan)) is not None}
        for t, reached in able.items():
            room = reached.reach - ticks.startup[t]
            self.levels[t] = _levels(ticks, t, reached, budget)
            self.too_large |= len(self.levels[t][0]) > MOST_BILLS
            fine = Knapsack(ticks.times[t], ticks.counts, room)
            step = -(-room * fine.bundles * len(able) // CELLS)
            if step <= 1:
                self.knapsacks[t] = self.exceeding[t] = fine
            else:
                self.knapsacks[t] = Knapsack(ticks.times[t], ticks.counts, room, step)
                self.exceeding[t] = Knapsack(ticks.times[t], ticks.counts, room, step, fits=False)
                self.too_large |= self.knapsacks[t].room < FEWEST_STEPS
        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._columns: list[Pattern] = []
        self._known: set[Pattern] = set()
        self._variables: list[pywraplp.Variable] = []
        self._build()

    def _costs(self, kind: int, quanta: Whole) -> npt.NDArray[np.float64]:
        """`cost` of many bills at once, in floats."""
        if self.budget is None:
            return np.zeros(len(quanta))
        return quanta.astype(np.float64) * self.ticks.price[kind] + self.ticks.fee[kind]

    def cost(self, kind: int, quanta: int) -> int:
        """Coins of a column; 0 where there is no budget."""
        return 0 if self.budget is None else quanta * self.ticks.price[kind] + self.ticks.fee[kind]

    def _build(self) -> None:
        solver, infinity = self._solver, self._solver.infinity()
        self._objective = solver.Objective()
        self._objective.SetMinimization()
        self._cover = [solver.Constraint(float(count), infinity) for count in self.ticks.counts]
        self._limits = {
            t: solver.Constraint(-infinity, float(limit))
            for t, limit in enumerate(self.ticks.max_instances)
            if limit is not None
        }
        self._total = (
            None if self.ticks.max_vms is None else solver.Constraint(-infinity, float(self.ticks.max_vms))
        )
        for row in self._cover:
            uncovered = solver.NumVar(0.0, infinity, "")
            row.SetCoefficient(uncovered, 1.0)
            self._objective.SetCoefficient(uncovered, float(self.missing))

    def add(self, column: Pattern) -> bool:
        """Take a column in, unless it is there."""
        if column in self._known:
            return False
        self._known.add(column)
        self._columns.append(column)
        variable = self._solver.NumVar(0.0, self._solver.infinity(), "")
        self._objective.SetCoefficient(variable, float(self.cost(column.kind, column.quanta)))
        for row, n in zip(self._cover, column.content, strict=True):
            if n:
                row.SetCoefficient(variable, float(n))
        if column.kind in self._limits:
            self._limits[column.kind].SetCoefficient(variable, 1.0)
        if self._total is not None:
            self._total.SetCoefficient(variable, 1.0)
        self._variables.append(variable)
        return True

    def solve(self) -> tuple[list[float], list[float]] | None:
        """Dual values: money per task of each class, and the charge of the limits per VM of each type."""
        if self._solver.Solve() != pywraplp.Solver.OPTIMAL:
            return None
        worth = [max(0.0, row.dual_value()) for row in self._cover]
        shared = 0.0 if self._total is None else max(0.0, -self._total.dual_value())
        own = {t: max(0.0, -row.dual_value()) for t, row in self._limits.items()}
        return worth, [shared, *(own.get(t, 0.0) for t in self.ticks.types)]

    def improving(self, worth: Sequence[float], charges: Sequence[float]) -> list[Pattern]:
        """For each type, the column of the most negative reduced cost, if there is one."""
        found = []
        for t, knapsack in self.knapsacks.items():
            table = knapsack.table(np.asarray(worth))
            charge = charges[0] + charges[1 + t]
            quanta, loads = self.levels[t]
            gains = table.best[loads // knapsack.step] - self._costs(t, quanta) - charge
            best = int(gains.argmax())
            load = int(loads[best]) // knapsack.step
            if gains[best] > REDUCED_COST * max(1.0, float(table.best[load])):
                found.append(Pattern(t, int(quanta[best]), table.content(load)))
        return found

    def certified(self, worth: Sequence[float], charges: Sequence[float]) -> bool:
        """Whether these dual values, made whole and feasible, prove that money or limits do not suffice.

        Let w_c <= missing be whole worths and m whole charges, and theta <= 1 the largest number with
        theta sum w n <= cost + m for every column. Then theta sum w N - sum m M bounds the money from below.
        """
        scale = int(2**40 / max([1.0, *worth, *charges])) or 1
        if max(worth) * scale * sum(self.ticks.counts) >= 2**62:
            return False  # the knapsack would not be exact
        whole = [min(int(value * scale), self.missing * scale) for value in worth]
        shared = -int(-charges[0] * scale // 1)
        own = [-int(-charge * scale // 1) for charge in charges[1:]]
        theta = Fraction(1)
        for t, knapsack in self.exceeding.items():
            table = knapsack.table(np.asarray(whole, dtype=np.int64))
            quanta, loads = self.levels[t]
            values = table.best[loads // knapsack.step]
            nearly = values >= (1 - 1e-9) * (scale * self._costs(t, quanta) + shared + own[t])
            for value, bill in zip(values[nearly].tolist(), quanta[nearly].tolist(), strict=True):
                allowed = scale * self.cost(t, bill) + shared + own[t]
                if value > allowed:
                    theta = min(theta, Fraction(allowed, value))
        total = theta * sum(n * value for n, value in zip(self.ticks.counts, whole, strict=True))
        total -= shared * (self.ticks.max_vms or 0)
        total -= sum(
            charge * (limit or 0) for charge, limit in zip(own, self.ticks.max_instances, strict=True)
        )
        return total > scale * (self.budget or 0)

    def solution(self) -> tuple[list[Pattern], list[float]]:
        """Columns with their values in the last solution."""
        return list(self._columns), [variable.solution_value() for variable in self._variables]


def least_money(
    ticks: Ticks, makespan: int, budget: int | None, effort: Effort, start: Sequence[LoadedVM] = ()
) -> Contents | None:
    """Solve the program at `makespan`; None where it is too large, or stopped before it shows anything.

    `start` gives first columns, such as the VMs of a known plan.
    """
    program = _Program(ticks, makespan, budget)
    if not program.knapsacks or program.too_large:
        return None
    for vm in set(start):
        fitting = _as_column(ticks, program, vm)
        if fitting is not None:
            program.add(fitting)
    for _ in range(MOST_ROUNDS):
        if effort.stopped_by:
            return None
        duals = program.solve()
        if duals is None:
            return None
        if program.certified(*duals):
            return Contents(True, [], [])
        added = [program.add(column) for column in program.improving(*duals)]
        if not any(added):
            break
    return Contents(False, *program.solution())


def _as_column(ticks: Ticks, program: _Program, vm: LoadedVM) -> Pattern | None:
    if vm.kind not in program.knapsacks:
        return None
    execution = ticks.execution(vm.kind, vm.content)
    load = execution - ticks.startup[vm.kind]
    quanta = ticks.quanta(execution)
    bills, loads = program.levels[vm.kind]
    if len(bills) == 1:  # VMs of the type are free, or all bill the same
        return Pattern(vm.kind, int(bills[0]), vm.content) if load <= loads[0] else None
    return Pattern(vm.kind, quanta, vm.content) if load <= loads[-1] else None


def _levels(ticks: Ticks, t: int, able: Capacity, budget: int | None) -> tuple[Whole, Whole]:
    """Bills, and the largest load each pays for; where VMs are free, only the longest matters."""
    room = able.reach - ticks.startup[t]
    least = able.most_quanta if budget is None or not ticks.price[t] else able.least_quanta
    quanta = np.arange(least, min(able.most_quanta, least + MOST_BILLS) + 1, dtype=np.int64)
    return quanta, np.minimum(room, quanta * ticks.quantum - ticks.startup[t])
