"""The textbook model, one boolean for each task and VM, as a peer: in CP-SAT, and in PuLP with CBC.

This is how the problem is usually written down first. No classes, no fleets, no order among equal VMs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ortools.sat.python import cp_model

from planner.cloud.instance import CloudInstance

Answer = tuple[float | None, float | None, str]  # makespan, bound, what the backend calls it


def vm_slots(instance: CloudInstance) -> list[int]:
    """The type of every VM that the budget could pay for one hour; types of the paper's kind only."""
    assert instance.budget is not None
    assert (instance.billing.quantum, instance.billing.minimum, instance.startup) == (3600, 0, 0)
    slots = []
    for t, kind in enumerate(instance.instance_types):
        slots += [t] * int(instance.budget // kind.price)
    return slots


def tasks(instance: CloudInstance) -> Iterator[list[int]]:
    """For every single task, its whole seconds on each type."""
    for index, application in enumerate(instance.applications):
        for group in application.tasks:
            row = []
            for kind in instance.instance_types:
                speed = kind.seconds_per_unit[index]
                assert speed is not None
                row.append(int(speed * group.size))
            yield from [row] * group.count


def cp_sat(instance: CloudInstance, seconds: float) -> Answer:
    """The textbook model in CP-SAT with one worker."""
    model = cp_model.CpModel()
    slots, rows = vm_slots(instance), list(tasks(instance))
    horizon = sum(max(row) for row in rows)
    makespan = model.new_int_var(0, horizon, "T")
    runs = [[model.new_bool_var(f"x{i},{v}") for v in range(len(slots))] for i in range(len(rows))]
    for row in runs:
        model.add_exactly_one(row)
    cost = []
    for v, t in enumerate(slots):
        load = sum(rows[i][t] * runs[i][v] for i in range(len(rows)))
        model.add(load <= makespan)
        hours = model.new_int_var(0, math.ceil(horizon / 3600), f"h{v}")
        model.add(load <= 3600 * hours)
        cost.append(int(instance.instance_types[t].price) * hours)
    model.add(sum(cost) <= int(instance.budget or 0))
    model.minimize(makespan)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(model)
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    value = solver.objective_value if found else None
    return value, solver.best_objective_bound, solver.status_name(status)


def pulp_cbc(instance: CloudInstance, seconds: float) -> Answer:
    """The textbook model in PuLP with CBC; PuLP hands no bound over."""
    import pulp

    problem = pulp.LpProblem("textbook", pulp.LpMinimize)
    slots, rows = vm_slots(instance), list(tasks(instance))
    makespan = pulp.LpVariable("T", 0)
    problem += makespan
    runs = [
        [pulp.LpVariable(f"x_{i}_{v}", cat="Binary") for v in range(len(slots))] for i in range(len(rows))
    ]
    for row in runs:
        problem += pulp.lpSum(row) == 1
    hours = [pulp.LpVariable(f"h_{v}", 0, cat="Integer") for v in range(len(slots))]
    for v, t in enumerate(slots):
        load = pulp.lpSum(rows[i][t] * runs[i][v] for i in range(len(rows)))
        problem += load <= makespan
        problem += load <= 3600 * hours[v]
    prices = [int(instance.instance_types[t].price) for t in slots]
    problem += pulp.lpSum(p * h for p, h in zip(prices, hours, strict=True)) <= int(instance.budget or 0)
    problem.solve(pulp.PULP_CBC_CMD(msg=False, timeLimit=seconds, threads=1))
    found = problem.sol_status in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible)
    return makespan.value() if found else None, None, pulp.LpStatus[problem.status]
