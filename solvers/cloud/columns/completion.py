"""From a fractional fleet to whole VMs: round down, then rent the cheapest VMs for what is left.

What is left after rounding down is a few VMs' worth. For that the columns are too stiff: their contents fit
the whole, not the rest. So the rest is a small integer program over the types that matter, with whole VMs and
quanta and a free mix of items on each (the aggregated model of docs/model-cloud.md, section 5, of those types
only), and its VMs are then filled one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from ortools.linear_solver import pywraplp

from planner.solver import Effort
from solvers.cloud.columns.generation import Generated
from solvers.cloud.columns.market import Column, Market
from solvers.cloud.columns.pricing import reduced_cost, wasted

SPARE = 2  # VMs of each column that are rounded down, too, for the integer program to choose anew
MOST_COLUMNS = 40
MOST_TYPES = 20
MOST_NODES = 300
MOST_SECONDS = 5.0
INFINITE = 1e20  # for SCIP, which refuses such a coefficient and says so on stderr, whoever reads that
PRECISION = 1e-5  # the integer program may stop this close (a share of the money for everything)


@dataclass(frozen=True)
class _Block:
    """The variables of one type: VMs, quanta, items, and how many quanta a VM may have."""

    vms: pywraplp.Variable
    quanta: pywraplp.Variable
    items: dict[int, pywraplp.Variable]


def complete(market: Market, generated: Generated, effort: Effort) -> list[tuple[Column, int]] | None:
    """Whole VMs that run everything by the makespan, cheap if not cheapest; None: limits forbid it."""
    fleet: list[tuple[Column, int]] = []
    rest = list(market.demand)
    for column, amount in zip(generated.columns, generated.shares.amounts, strict=True):
        count = max(0, int(amount + 1e-9) - SPARE)
        if count:
            fleet.append((column, count))
            rest = [n - count * own for n, own in zip(rest, column.units, strict=True)]
    rest = [max(0, n) for n in rest]
    if not any(rest):
        return fleet
    added = _rest(market, generated, fleet, rest, effort)
    return None if added is None else fleet + [(column, 1) for column in added]


def _rest(
    market: Market, generated: Generated, fleet: list[tuple[Column, int]], rest: list[int], effort: Effort
) -> list[Column] | None:
    """VMs for the items left."""
    makespan, ticks = generated.makespan, market.ticks
    solver = pywraplp.Solver.CreateSolver("SCIP")
    solver.SetSolverSpecificParametersAsString(f"limits/nodes = {MOST_NODES}\n")
    solver.SetTimeLimit(int(1000 * min(MOST_SECONDS, effort.limit.remaining)) + 1)
    rows = {i: solver.Constraint(1.0, solver.infinity()) for i, n in enumerate(rest) if n}
    total = (
        None
        if ticks.max_vms is None
        else solver.Constraint(-solver.infinity(), float(ticks.max_vms - sum(n for _, n in fleet)))
    )
    kinds = _kinds(market, generated)
    scale = max([float(market.price[t] + market.fee[t]) for t in kinds] + [1.0])
    objective = solver.Objective()
    objective.SetMinimization()
    again = [
        column
        for column in _again(market, generated)
        if market.cost(column) / scale < INFINITE and _small(column, rest)
    ]
    repeats = [solver.IntVar(0.0, solver.infinity(), f"Y{number}") for number in range(len(again))]
    for column, variable in zip(again, repeats, strict=True):
        objective.SetCoefficient(variable, market.cost(column) / scale + 1e-6)
        for i, row in rows.items():
            if column.units[i]:
                row.SetCoefficient(variable, column.units[i] / rest[i])
    blocks: dict[int, _Block] = {}
    for t in kinds:
        block = _add_type(solver, market, makespan, t, rest, rows)
        if block is None:
            continue
        blocks[t] = block
        limit = ticks.max_instances[t]
        own = [variable for column, variable in zip(again, repeats, strict=True) if column.kind == t]
        if limit is not None:
            rented = sum(n for column, n in fleet if column.kind == t)
            solver.Add(block.vms + solver.Sum(own) <= float(limit - rented))
        if total is not None:
            for variable in (block.vms, *own):
                total.SetCoefficient(variable, 1.0)
        # Among equals few VMs: a little is paid for each, and for each quantum.
        objective.SetCoefficient(block.vms, market.fee[t] / scale + 1e-6)
        objective.SetCoefficient(block.quanta, market.price[t] / scale + 1e-9)
    parameters = pywraplp.MPSolverParameters()
    parameters.SetDoubleParam(
        pywraplp.MPSolverParameters.RELATIVE_MIP_GAP, _precision(market, generated, fleet)
    )
    status = solver.Solve(parameters)
    if status not in (pywraplp.Solver.OPTIMAL, pywraplp.Solver.FEASIBLE):
        return None
    added: list[Column] = []
    waiting = list(rest)
    for column, variable in zip(again, repeats, strict=True):
        for _ in range(round(variable.solution_value())):
            added.append(column)
            waiting = [max(0, n - own) for n, own in zip(waiting, column.units, strict=True)]
    for t, block in blocks.items():
        added += _filled(market, makespan, t, block, rest, waiting)
    return _take_in(market, makespan, added, waiting)


def _again(market: Market, generated: Generated) -> list[Column]:
    """Columns that the rest may rent whole: those rented in fractions, and those that nearly are."""
    shares = generated.shares
    costs = [reduced_cost(market, column, shares.duals) for column in generated.columns]
    order = sorted(range(len(costs)), key=lambda j: (shares.amounts[j] <= 0, costs[j]))
    return [generated.columns[j] for j in order[:MOST_COLUMNS]]


def _small(column: Column, rest: list[int]) -> bool:
    """Whether SCIP takes the column's items as shares of what is left."""
    return all(n / own < INFINITE for n, own in zip(column.units, rest, strict=True) if own)


def _kinds(market: Market, generated: Generated) -> list[int]:
    """Types rented in fractions, and those of which a VM wastes least money: mostly the cheap ones."""
    shares = generated.shares
    rented = [c.kind for c, n in zip(generated.columns, shares.amounts, strict=True) if n > 0]
    waste = wasted(market, generated.makespan, shares.duals)
    near = [int(t) for t in np.argsort(waste, kind="stable") if np.isfinite(waste[t])]
    return list(dict.fromkeys([*rented, *near[:MOST_TYPES]]))


def _precision(market: Market, generated: Generated, fleet: list[tuple[Column, int]]) -> float:
    """How close to its optimum the rest must be solved for what all of it costs to be close."""
    total = generated.shares.cost
    rest = total - sum(n * market.cost(column) for column, n in fleet)
    return min(0.5, max(1e-4, PRECISION * total / rest)) if rest > 0 else 0.5


def _add_type(
    solver: pywraplp.Solver,
    market: Market,
    makespan: int,
    t: int,
    rest: list[int],
    rows: dict[int, pywraplp.Constraint],
) -> _Block | None:
    """Variables and rules of one type; items in shares of what is left, time in makespans."""
    ticks = market.ticks
    room = makespan - ticks.startup[t]
    fits = market.fits(makespan)[t]
    own = {i: time for i in rows if fits[i] and (time := market.coarse.times[t][i]) is not None}
    if not own or room <= 0:
        return None
    # An item that does not fit in any VM whole is what filling them loses; leave room for one.
    slack = min(max(own.values()), room // 20)
    unit, quantum = float(makespan), ticks.quantum
    least = ticks.quanta(ticks.startup[t] + min(own.values()))
    most = max(least, ticks.quanta(makespan))
    shares = [own[i] * rest[i] / unit for i in own]
    if max(most, quantum / unit, *shares) >= INFINITE:
        return None
    infinity = solver.infinity()
    vms = solver.IntVar(0.0, infinity, f"V{t}")
    quanta = solver.IntVar(0.0, infinity, f"H{t}")
    items = {i: solver.NumVar(0.0, 1.0, f"X{t},{i}") for i in own}
    for i, variable in items.items():
        rows[i].SetCoefficient(variable, 1.0)
    solver.Add(quanta >= least * vms)
    solver.Add(quanta <= most * vms)
    work = solver.Sum([share * variable for share, variable in zip(shares, items.values(), strict=True)])
    lost = ticks.startup[t] + slack
    solver.Add(work <= (makespan - lost) / unit * vms)
    if quantum * most > makespan or most > least:
        solver.Add(work <= quantum / unit * quanta - lost / unit * vms)
    if most > least and quantum * most > makespan:
        kink = (most * quantum - makespan) / unit
        solver.Add(
            work <= quantum / unit * quanta - lost / unit * vms - kink * quanta + kink * (most - 1) * vms
        )
    return _Block(vms, quanta, items)


def _filled(
    market: Market, makespan: int, t: int, block: _Block, rest: list[int], waiting: list[int]
) -> list[Column]:
    """The VMs of one type with their items, as many as fit; `waiting` loses what is placed."""
    ticks, row = market.ticks, market.coarse.times[t]
    count = round(block.vms.solution_value())
    if not count:
        return []
    quanta = max(count, round(block.quanta.solution_value()))
    pool = {
        i: min(waiting[i], int(np.ceil(variable.solution_value() * rest[i] - 1e-6)))
        for i, variable in block.items.items()
    }
    columns = []
    for number in range(count):
        each, more = divmod(quanta, count)
        end = min(makespan, (each + (number < more)) * ticks.quantum)
        room = end - ticks.startup[t]
        units = [0] * len(row)
        for i in sorted(pool, key=lambda i: -(row[i] or 0)):
            time = row[i] or 0
            fit = pool[i] if not time else min(pool[i], max(0, room) // time)
            units[i] = fit
            pool[i] -= fit
            waiting[i] -= fit
            room -= fit * time
        columns.append(Column(t, tuple(units)))
    return columns


def _take_in(market: Market, makespan: int, columns: list[Column], waiting: list[int]) -> list[Column]:
    """The columns, with waiting items put where there is room; the filling deals with what fits nowhere."""
    if not any(waiting):
        return [column for column in columns if any(column.units)]
    fits = market.fits(makespan)
    filled = []
    for column in columns:
        units, row = list(column.units), market.coarse.times[column.kind]
        work = market.work(column)
        quanta = market.ticks.quanta(market.ticks.startup[column.kind] + work)
        room = min(makespan, quanta * market.ticks.quantum) - market.ticks.startup[column.kind] - work
        for i, n in enumerate(waiting):
            time = row[i]
            if n and time is not None and fits[column.kind, i]:
                taken = n if not time else min(n, max(0, room) // time)
                units[i] += taken
                waiting[i] -= taken
                room -= taken * time
        if any(units):
            filled.append(Column(column.kind, tuple(units)))
    return filled
