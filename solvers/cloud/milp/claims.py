"""What a backend's floating point numbers are worth: whole values, checked rules, and a bound that holds."""

from __future__ import annotations

import math
from collections.abc import Sequence

from solvers.cloud import fleet
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.milp.program import Program
from solvers.cloud.ticks import Ticks

TOLERANCE = 1e-6
_A_UNIT = 1e-7
_A_SHARE = 1e-9
"""A bound from linear programs is off by at most the tolerance of reduced costs (1e-7 in CBC and HiGHS)
for each unit that each variable can move; to that come the gap at which backends stop and the
rounding of sums."""

_WHOLE = 1e-4
_SHOWN = 5


def certified(program: Program, value: float) -> int:
    """The whole bound that a backend's bound on a whole objective proves, in ticks or coins."""
    moves = sum(variable.high - variable.low for variable in program.variables)
    return max(0, math.ceil(value - TOLERANCE - _A_UNIT * moves - _A_SHARE * abs(value)))


def rounded(program: Program, values: Sequence[float | None]) -> tuple[list[int], list[str]]:
    """The nearest whole values, and what was wrong with the given ones (empty: nothing)."""
    if len(values) != len(program.variables):
        return [0] * len(program.variables), [f"{len(values)} values for {len(program.variables)} variables"]
    whole, faults = [], []
    for variable, value in zip(program.variables, values, strict=True):
        number = math.nan if value is None else value
        nearest = round(number) if math.isfinite(number) else 0
        whole.append(min(max(nearest, 0), variable.high))
        if not abs(number - whole[-1]) <= _WHOLE * max(1, abs(whole[-1]) * TOLERANCE):
            faults.append(f"{variable.name} = {value} is no whole number from 0 to {variable.high}")
    return whole, faults[:_SHOWN]


def broken(ticks: Ticks, vms: Sequence[LoadedVM]) -> list[str]:
    """Rules of the instance that these VMs break, recomputed in whole numbers (equations 3, 4, 6 to 9)."""
    faults = []
    for c, count in enumerate(ticks.counts):
        planned = sum(vm.content[c] for vm in vms)
        if planned != count:
            faults.append(f"{planned} of {count} tasks of class {c} are planned")
    if not vms:
        return faults
    cost, makespan = fleet.cost(ticks, vms), fleet.makespan(ticks, vms)
    if ticks.budget is not None and cost > ticks.budget:
        faults.append(f"the bill of {cost} coins exceeds the budget of {ticks.budget}")
    if ticks.deadline is not None and makespan > ticks.deadline:
        faults.append(f"the makespan of {makespan} ticks exceeds the deadline of {ticks.deadline}")
    if ticks.max_vms is not None and len(vms) > ticks.max_vms:
        faults.append(f"{len(vms)} VMs, at most {ticks.max_vms} may be rented")
    for t, limit in enumerate(ticks.max_instances):
        rented = sum(vm.kind == t for vm in vms)
        if limit is not None and rented > limit:
            faults.append(f"{rented} VMs of type {t}, at most {limit} may be rented")
    return faults
