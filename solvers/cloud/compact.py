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

from dataclasses import dataclass, field, replace
from fractions import Fraction
from time import perf_counter

from ortools.sat.python import cp_model

from planner.cloud.instance import CloudInstance
from planner.errors import Unsupported
from planner.goal import Goal
from planner.result import StoppedBy
from planner.solver import Answer, Effort
from solvers.cloud import fleet
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.pipeline.find import Heuristic
from solvers.cloud.size import who_can
from solvers.cloud.ticks import Ticks
from solvers.cpsat import Found, Outcome, ReadVariable, objective_reach, search, whole_bound

LARGEST_MODEL = 400_000  # task variables; some 250 bytes each in Python and in CP-SAT, before presolve


@dataclass(frozen=True, slots=True)
class _Block:
    """The variables of one VM slot."""

    kind: int
    content: list[cp_model.IntVar]
    rented: cp_model.IntVar
    quanta: cp_model.IntVar


@dataclass
class _Model:
    """The program and its variables."""

    program: cp_model.CpModel
    makespan: cp_model.IntVar
    cost: cp_model.LinearExprT
    blocks: list[_Block] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Compact:
    """Least makespan or cost, then the other, from the VM-indexed program."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        """Build the program and solve it, first for the goal, then for the other one at that value.

        Raises `Unsupported` where the program would have more than LARGEST_MODEL task variables.
        """
        ticks = Ticks.of(instance, "up")
        started = perf_counter()
        slots = [_slots(ticks, t) for t in ticks.types]
        _refuse_if_too_large(ticks, slots)
        model = _build(ticks, slots)
        answer = Answer(resolution=ticks.resolution, build_seconds=perf_counter() - started)
        first, unit = _objective(model, ticks, goal)
        message = _start_from_heuristic(model, ticks, effort)

        def on_solution(value: ReadVariable) -> None:
            effort.progress.incumbent(fleet.plan(ticks, _vms(model, value)))

        def on_bound(value: float) -> None:
            proven = whole_bound(value, reach)
            if not ticks.rounded and proven is not None:
                effort.progress.bound(max(0, proven) * unit)

        model.program.minimize(first)
        reach = objective_reach(model.program)
        found = search(model.program, effort, on_solution=on_solution, on_bound=on_bound)
        stopped = _stopped_by(effort, settled=found.outcome in (Outcome.OPTIMAL, Outcome.INFEASIBLE))
        if found.outcome is Outcome.INFEASIBLE and not ticks.rounded:
            return replace(answer, infeasible=True, stopped_by=stopped)
        if not found.has_solution:
            return replace(answer, stopped_by=stopped, message=message or "no plan was found")
        proven = whole_bound(found.bound, reach)
        vms, tiebreak = _vms(model, found.value), False
        if found.outcome is Outcome.OPTIMAL:
            second, _ = _objective(model, ticks, Goal.COST if goal is Goal.MAKESPAN else Goal.MAKESPAN)
            vms, tiebreak = _best_among_equals(model, first, second, found, effort)
        return replace(
            answer,
            plan=fleet.plan(ticks, vms),
            bound=None if ticks.rounded or proven is None else max(0, proven) * unit,
            stopped_by=_stopped_by(effort, settled=tiebreak),
            message=message,
            tiebreak_proven=tiebreak and not ticks.rounded,
        )


def _stopped_by(effort: Effort, *, settled: bool) -> StoppedBy:
    """Why it ended: CP-SAT stops a moment before the limit, so what is not settled was stopped by it."""
    unsettled = StoppedBy.COMPLETED if effort.limit.seconds is None else StoppedBy.TIME_LIMIT
    return effort.stopped_by or (StoppedBy.COMPLETED if settled else unsettled)


def _objective(model: _Model, ticks: Ticks, goal: Goal) -> tuple[cp_model.LinearExprT, Fraction]:
    """What the program minimises for that goal, and its unit in seconds or money."""
    if goal is Goal.MAKESPAN:
        return model.makespan, ticks.seconds_per_tick
    return model.cost, ticks.money_per_coin


def _start_from_heuristic(model: _Model, ticks: Ticks, effort: Effort) -> str | None:
    """Hint the given plan or the heuristic's, every variable of it, and say so; None where there is none."""
    plan = effort.start or Heuristic().solve(ticks.instance, Goal.MAKESPAN, effort).plan
    if plan is None:
        return None
    vms = sorted(fleet.loaded(ticks, plan), key=lambda vm: -ticks.execution(*vm))
    waiting = {t: [vm for vm in vms if vm.kind == t] for t in ticks.types}
    for block in model.blocks:
        queue = waiting[block.kind]
        content = queue.pop(0).content if queue else (0,) * len(ticks.counts)
        rented = any(content)
        for variable, n in zip(block.content, content, strict=True):
            model.program.add_hint(variable, n)
        model.program.add_hint(block.rented, rented)
        execution = ticks.execution(block.kind, content)
        model.program.add_hint(block.quanta, ticks.quanta(execution) if rented else 0)
    makespan = fleet.makespan(ticks, vms)
    if any(waiting.values()):
        return "the start was rejected: it rents more VMs than the program has slots"
    model.program.add_hint(model.makespan, makespan)
    return (
        f"started from a plan of {float(ticks.seconds(makespan)):.10g} s "
        f"and cost {float(ticks.money(fleet.cost(ticks, vms))):.10g}"
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
            f"{len(ticks.counts):,} task classes), at most {LARGEST_MODEL:,} are taken; {who_can(ticks)}"
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
            model.blocks.append(_Block(t, content, used, quanta))
            costs.append(ticks.price[t] * quanta + ticks.fee[t] * used)
            rented.append(used)
        limit = ticks.max_instances[t]
        if limit is not None and available > limit:
            program.add(sum(rented[-available:]) <= limit)
    for c, count in enumerate(ticks.counts):
        program.add(sum(block.content[c] for block in model.blocks) == count)
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


def _best_among_equals(
    model: _Model, first: cp_model.LinearExprT, second: cp_model.LinearExprT, found: Found, effort: Effort
) -> tuple[list[LoadedVM], bool]:
    """The plan that is best in the other goal at the least value of the first, and whether that is proven."""
    model.program.add(first <= round(found.objective))
    model.program.clear_hints()  # type: ignore[no-untyped-call]
    for block in model.blocks:
        for variable in (*block.content, block.rented, block.quanta):
            model.program.add_hint(variable, found.value(variable))
    model.program.minimize(second)
    better = search(model.program, effort)
    if not better.has_solution:
        return _vms(model, found.value), False
    return _vms(model, better.value), better.outcome is Outcome.OPTIMAL


def _vms(model: _Model, value: ReadVariable) -> list[LoadedVM]:
    vms = (LoadedVM(block.kind, tuple(value(n) for n in block.content)) for block in model.blocks)
    return [vm for vm in vms if any(vm.content)]
