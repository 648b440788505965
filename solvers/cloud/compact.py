"""The paper's own integer program in CP-SAT, equations (2) to (9): one block of variables for each VM.

Independent of the aggregated method in exact.py on purpose, so that the two can check each other. Tasks of a
class are counted instead of named, and VMs of a type are ordered by their work; both only remove symmetry.

    minimise T                                                           (7)
    sum over VMs of x[vm,c] = N_c                                        (3), (4)
    work_vm = sum_c p[t,c] x[vm,c],  exec_vm = o_t + work_vm <= T        (2), (5), (7)
    q h_vm >= exec_vm,  h_vm >= ceil(minimum / q)  if rented             (6), with billing
    sum of price_t h_vm + fee_t  <= B                                    (8), (9)
    rented VMs <= max_instances, max_vms;  T <= deadline
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter

from ortools.sat.python import cp_model

from planner.cloud.instance import CloudInstance
from planner.errors import Unsupported
from planner.result import Goal, StoppedBy
from planner.solver import Answer, Effort
from solvers.cloud import fleet
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.ticks import Ticks
from solvers.cpsat import Found, Outcome, ReadVariable, search

LARGEST_MODEL = 400_000  # task variables; some 250 bytes each in Python and in CP-SAT, before presolve


@dataclass
class _Model:
    """The program and its variables: `blocks` holds (type, x by class) of every VM slot."""

    program: cp_model.CpModel
    makespan: cp_model.IntVar
    cost: cp_model.LinearExprT
    blocks: list[tuple[int, list[cp_model.IntVar]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Compact:
    """Least makespan, then least cost, from the VM-indexed program."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        """Build the program and solve it, first for T, then for the cost at that T.

        Raises `Unsupported` where the program would have more than LARGEST_MODEL task variables.
        """
        if goal is not Goal.MAKESPAN:
            raise Unsupported(f"solver 'compact' does not minimise {goal.value} yet")
        ticks = Ticks.of(instance, "up")
        started = perf_counter()
        slots = [_slots(ticks, t) for t in ticks.types]
        _refuse_if_too_large(ticks, slots)
        model = _build(ticks, slots)
        built = perf_counter() - started

        def on_solution(value: ReadVariable) -> None:
            effort.progress.incumbent(fleet.plan(ticks, _vms(model, value)))

        def on_bound(value: float) -> None:
            if not ticks.rounded:
                effort.progress.bound(ticks.seconds(_whole(value)))

        model.program.minimize(model.makespan)
        found = search(model.program, effort, on_solution=on_solution, on_bound=on_bound)
        stopped = effort.stopped_by or StoppedBy.COMPLETED
        if found.outcome is Outcome.INFEASIBLE and not ticks.rounded:
            return Answer(
                infeasible=True,
                message="the integer program has no solution",
                resolution=ticks.resolution,
                build_seconds=built,
            )
        if not found.has_solution:
            message = "the time limit left no plan" if stopped is StoppedBy.TIME_LIMIT else None
            return Answer(
                stopped_by=stopped, message=message, resolution=ticks.resolution, build_seconds=built
            )
        vms, settled = _vms(model, found.value), found.outcome is Outcome.OPTIMAL
        tiebreak = False
        if settled:
            vms, tiebreak = _cheapest(model, found, vms, effort)
        return Answer(
            plan=fleet.plan(ticks, vms),
            bound=None if ticks.rounded else ticks.seconds(_whole(found.bound)),
            stopped_by=effort.stopped_by or StoppedBy.COMPLETED,
            tiebreak_proven=tiebreak and not ticks.rounded,
            resolution=ticks.resolution,
            build_seconds=built,
        )


def _slots(ticks: Ticks, t: int) -> int:
    """How many VMs of type `t` a plan can have: one a task at most, within the limits and the money."""
    able = [(time, n) for time, n in zip(ticks.times[t], ticks.counts, strict=True) if time is not None]
    if not able:
        return 0
    most = sum(n for _, n in able)
    for limit in (ticks.max_instances[t], ticks.max_vms):
        most = most if limit is None else min(most, limit)
    cheapest = ticks.vm_cost(t, ticks.startup[t] + min(time for time, _ in able))
    return most if ticks.budget is None or not cheapest else min(most, ticks.budget // cheapest)


def _refuse_if_too_large(ticks: Ticks, slots: list[int]) -> None:
    variables = sum(slots) * len(ticks.counts)
    if variables > LARGEST_MODEL:
        raise Unsupported(
            f"solver 'compact' would need {variables:,} task variables ({sum(slots):,} VM slots x "
            f"{len(ticks.counts):,} task classes), at most {LARGEST_MODEL:,} are taken; use 'exact'"
        )


def _build(ticks: Ticks, slots: list[int]) -> _Model:
    program = cp_model.CpModel()
    longest = max(ticks.startup) + sum(
        n * max(column, default=0) for n, column in zip(ticks.counts, _columns(ticks), strict=True)
    )
    horizon = longest if ticks.deadline is None else min(longest, ticks.deadline)
    makespan = program.new_int_var(0, horizon, "T")
    model = _Model(program, makespan, 0)
    costs: list[cp_model.LinearExprT] = []
    rented: list[cp_model.IntVar] = []
    for t, available in enumerate(slots):
        room = horizon - ticks.startup[t]
        most = [_fitting(time, count, room) for time, count in zip(ticks.times[t], ticks.counts, strict=True)]
        previous: cp_model.LinearExprT | None = None
        for slot in range(available):
            content = [program.new_int_var(0, n, f"x[{t},{slot},{c}]") for c, n in enumerate(most)]
            used = program.new_bool_var(f"rented[{t},{slot}]")
            work = sum((time or 0) * n for time, n in zip(ticks.times[t], content, strict=True))
            quanta = program.new_int_var(0, ticks.quanta(horizon), f"h[{t},{slot}]")
            for n, variable in zip(most, content, strict=True):
                if n:
                    program.add(variable <= n * used)
            program.add(ticks.startup[t] * used + work <= makespan)
            program.add(ticks.quantum * quanta >= ticks.startup[t] * used + work)
            program.add(quanta >= ticks.quanta(ticks.startup[t]) * used)
            if previous is not None:
                program.add(previous >= work)
            previous = work
            model.blocks.append((t, content))
            costs.append(ticks.price[t] * quanta + ticks.fee[t] * used)
            rented.append(used)
        limit = ticks.max_instances[t]
        if limit is not None and available > limit:
            program.add(sum(rented[-available:]) <= limit)
    for c, count in enumerate(ticks.counts):
        program.add(sum(content[c] for _, content in model.blocks) == count)
    if ticks.max_vms is not None:
        program.add(sum(rented) <= ticks.max_vms)
    model.cost = sum(costs)
    if ticks.budget is not None:
        program.add(model.cost <= ticks.budget)
    return model


def _fitting(time: int | None, count: int, room: int) -> int:
    """How many of `count` tasks of that time one VM can run within `room` ticks."""
    if time is None or time > room:
        return 0
    return min(count, room // time) if time else count


def _columns(ticks: Ticks) -> list[list[int]]:
    """For each class, its times on the types that run it."""
    return [[row[c] or 0 for row in ticks.times if row[c] is not None] for c in ticks.task_classes]


def _cheapest(
    model: _Model, found: Found, vms: list[LoadedVM], effort: Effort
) -> tuple[list[LoadedVM], bool]:
    """The least-cost plan of that makespan, and whether it is proven to be the least."""
    model.program.add(model.makespan <= found.value(model.makespan))
    model.program.clear_hints()  # type: ignore[no-untyped-call]
    for _, content in model.blocks:
        for variable in content:
            model.program.add_hint(variable, found.value(variable))
    model.program.minimize(model.cost)
    cheapest = search(model.program, effort)
    if not cheapest.has_solution:
        return vms, False
    return _vms(model, cheapest.value), cheapest.outcome is Outcome.OPTIMAL


def _vms(model: _Model, value: ReadVariable) -> list[LoadedVM]:
    vms = (LoadedVM(t, tuple(value(n) for n in content)) for t, content in model.blocks)
    return [vm for vm in vms if any(vm.content)]


def _whole(bound: float) -> int:
    """CP-SAT's bound on a whole objective, handed over as a double, as a whole number not above it."""
    return max(0, round(bound) if abs(bound) < 2**53 else int(bound * (1 - 1e-12)))
