"""The paper's program, equations (2) to (9), in whole numbers: a block of variables for each VM.

    minimise T  or  the cost
    sum over VMs of x[vm,c] = N_c                                        (3), (4)   once
    o_t u_vm + sum_c p[t,c] x[vm,c] <= T                                 (2), (5), (7)   time
    o_t u_vm + sum_c p[t,c] x[vm,c] <= q h_vm,  h_vm >= fewest_t u_vm    (6), with billing   bill, least
    sum of price_t h_vm + fee_t u_vm <= B                                (8), (9)   budget
    x[vm,c] <= most[t,c] u_vm                                            tasks run on rented VMs   only
    rented VMs of a type <= max_instances, all <= max_vms;  T <= deadline

u: rented or not; h: billed quanta; x: tasks of a class; the last words are the rows' names. `fewest` are the
quanta of the shortest possible VM. VMs of a type are rented in order (next) and work no longer than the one
before (order); that only removes symmetry. A rented VM may be empty: that costs and never gains, and plans
leave it out. The program shares the whole numbers (ticks.py) with the other solvers and nothing else, so that
they can check each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from planner.errors import Unsupported
from planner.goal import Goal
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.milp import names
from solvers.cloud.milp.program import Program
from solvers.cloud.size import who_can
from solvers.cloud.ticks import Ticks

LARGEST_COEFFICIENT = 10**9
"""Backends count in doubles and take 1e-7 of a task for none: a hundred ticks, where a task has 1e9."""

MOST_COEFFICIENTS = 500_000
BYTES_EACH = 2_000
"""Memory for one coefficient in PuLP and CBC together, measured (docs/backends.md)."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Variables of one VM of type `kind`: tasks by class (None: it cannot run them), rented, quanta."""

    kind: int
    tasks: tuple[int | None, ...]
    rented: int
    quanta: int


@dataclass(frozen=True)
class Model:
    """The program of an instance; `objective` gives the terms to be minimised."""

    ticks: Ticks
    program: Program
    makespan: int
    slots: list[Slot] = field(default_factory=list)

    def objective(self, goal: Goal) -> dict[int, int]:
        """Coefficient by variable: T in ticks, or the bill in coins."""
        if goal is Goal.MAKESPAN:
            return {self.makespan: 1}
        price, fee = self.ticks.price, self.ticks.fee
        terms = {slot.quanta: price[slot.kind] for slot in self.slots}
        terms |= {slot.rented: fee[slot.kind] for slot in self.slots}
        return {index: n for index, n in terms.items() if n}

    def vms(self, values: list[int]) -> list[LoadedVM]:
        """The VMs with tasks in a solution."""
        contents = (
            LoadedVM(slot.kind, tuple(0 if n is None else values[n] for n in slot.tasks))
            for slot in self.slots
        )
        return [vm for vm in contents if any(vm.content)]


def without(ticks: Ticks, *, budget: bool = False, deadline: bool = False) -> Ticks:
    """The same instance with its budget or deadline taken away."""
    return replace(
        ticks,
        budget=None if budget else ticks.budget,
        deadline=None if deadline else ticks.deadline,
    )


def build(ticks: Ticks) -> Model:
    """The program of the instance. Raises `Unsupported` where it is too large or its numbers are."""
    horizon = _horizon(ticks)
    counts = [_slots(ticks, t, horizon) for t in ticks.types]
    _refuse_if_too_large(ticks, counts)
    program = Program()
    model = Model(ticks, program, program.variable("T", horizon))
    _Builder(model, horizon).all(counts)
    largest = max(program.largest, horizon)
    if largest > LARGEST_COEFFICIENT:
        raise Unsupported(
            f"solver 'milp' would need numbers up to {largest:.3g} (in ticks of "
            f"{float(ticks.seconds_per_tick):.3g} s and coins of {float(ticks.money_per_coin):.3g}); the "
            f"floating point of its backends is good for {LARGEST_COEFFICIENT:.0e}; {who_can(ticks)}"
        )
    return model


class _Builder:
    """Adds variables and rows of an instance to an empty program."""

    def __init__(self, model: Model, horizon: int) -> None:
        self._model, self._horizon = model, horizon
        self._ticks, self._program = model.ticks, model.program
        instance = self._ticks.instance
        self._types = [names.index(item.name, t) for t, item in enumerate(instance.instance_types)]
        self._classes = [
            f"{names.index(instance.applications[a].name, a)},{names.size(size, c)}"
            for c, (a, size) in enumerate(self._ticks.labels)
        ]

    def all(self, counts: list[int]) -> None:
        """Everything, `counts[t]` VMs of type t."""
        for t, available in enumerate(counts):
            before: Slot | None = None
            for number in range(1, available + 1):
                before = self._slot(t, number, before)
        self._once()
        self._limits()

    def _slot(self, t: int, number: int, before: Slot | None) -> Slot:
        ticks, program = self._ticks, self._program
        times, startup = ticks.times[t], ticks.startup[t]
        here = self._types[t], number
        room = self._horizon - startup
        most = [_fitting(time, count, room) for time, count in zip(times, ticks.counts, strict=True)]
        tasks = tuple(
            program.variable(names.name("x", (*here, self._classes[c])), n) if n else None
            for c, n in enumerate(most)
        )
        slot = Slot(
            t,
            tasks,
            program.variable(names.name("u", here), 1),
            program.variable(names.name("h", here), ticks.quanta(self._horizon)),
        )
        self._model.slots.append(slot)
        work = {n: times[c] or 0 for c, n in enumerate(tasks) if n is not None}
        duration = {**work, slot.rented: startup}
        program.row(names.name("time", here), {**duration, self._model.makespan: -1}, "<=", 0)
        program.row(names.name("bill", here), {**duration, slot.quanta: -ticks.quantum}, "<=", 0)
        fewest = ticks.quanta(startup)
        program.row(names.name("least", here), {slot.quanta: 1, slot.rented: -fewest}, ">=", 0)
        for c, n in enumerate(tasks):
            if n is not None:
                program.row(
                    names.name("only", (*here, self._classes[c])), {n: 1, slot.rented: -most[c]}, "<=", 0
                )
        if before is not None:
            longer = {n: times[c] or 0 for c, n in enumerate(before.tasks) if n is not None}
            program.row(names.name("order", here), {**longer, **{n: -p for n, p in work.items()}}, ">=", 0)
            program.row(names.name("next", here), {before.rented: 1, slot.rented: -1}, ">=", 0)
        return slot

    def _once(self) -> None:
        for c, count in enumerate(self._ticks.counts):
            everywhere = {n: 1 for slot in self._model.slots if (n := slot.tasks[c]) is not None}
            self._program.row(names.name("once", (self._classes[c],)), everywhere, "=", count)

    def _limits(self) -> None:
        """Money and numbers of VMs; `_slots` already keeps to max_instances."""
        ticks, model = self._ticks, self._model
        if ticks.max_vms is not None:
            self._program.row("max_vms", {slot.rented: 1 for slot in model.slots}, "<=", ticks.max_vms)
        if ticks.budget is not None:
            self._program.row("budget", model.objective(Goal.COST), "<=", ticks.budget)


def _horizon(ticks: Ticks) -> int:
    """A makespan no sensible plan passes: all tasks in a row, each on its slowest type, or the deadline."""
    columns = zip(*ticks.times, strict=True)
    work = sum(
        count * max((time for time in column if time is not None), default=0)
        for count, column in zip(ticks.counts, columns, strict=True)
    )
    longest = max(ticks.startup) + work
    return longest if ticks.deadline is None else min(longest, ticks.deadline)


def _slots(ticks: Ticks, t: int, horizon: int) -> int:
    """How many VMs of type `t` a plan can have: one a task at most, within the limits and the money."""
    room = horizon - ticks.startup[t]
    able = [
        (time, n)
        for time, n in zip(ticks.times[t], ticks.counts, strict=True)
        if time is not None and time <= room
    ]
    if not able:
        return 0
    most = sum(n for _, n in able)
    for limit in (ticks.max_instances[t], ticks.max_vms):
        most = most if limit is None else min(most, limit)
    cheapest = ticks.vm_cost(t, ticks.startup[t] + min(time for time, _ in able))
    return most if ticks.budget is None or not cheapest else min(most, ticks.budget // cheapest)


def _fitting(time: int | None, count: int, room: int) -> int:
    """How many of `count` tasks of that time one VM can run within `room` ticks."""
    if time is None or time > room:
        return 0
    return min(count, room // time) if time else count


def _refuse_if_too_large(ticks: Ticks, counts: list[int]) -> None:
    able = [sum(time is not None for time in row) for row in ticks.times]
    coefficients = sum(slots * (7 * n + 9) for slots, n in zip(counts, able, strict=True))
    if coefficients > MOST_COEFFICIENTS:
        raise Unsupported(
            f"solver 'milp' would need about {coefficients:,} coefficients ({sum(counts):,} VMs x "
            f"{len(ticks.counts):,} task classes), some {coefficients * BYTES_EACH / 1e9:.1f} GB; at most "
            f"{MOST_COEFFICIENTS:,} are taken; {who_can(ticks)}"
        )
