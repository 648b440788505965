"""The aggregated model at a fixed makespan T: numbers of VMs, quanta and tasks by type, and no VM.

For each type t: V VMs, H billed quanta among them, X[c] class-c tasks, W = sum_c p[t,c] X[c] work. With
h_min <= quanta of one VM <= h_max, the least work that H quanta cannot hold is ruled out by three lines,
because h -> min(T, h q) - o is concave with one kink (docs/model-cloud.md, "The aggregated model"):

    W <= q H - o V,   W <= (T' - o) V,   W <= q H - o V - (h_max q - T') (H - (h_max - 1) V)

where T' - o is the largest sum of task times that fits into T - o. Every plan of makespan <= T gives a
solution, so an infeasible model proves that no such plan exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeAlias

from ortools.sat.python import cp_model

from planner.solver import Effort
from solvers.cloud.attainable import LARGEST_BITSET, largest_sum, smallest_sum_above
from solvers.cloud.ticks import Ticks
from solvers.cpsat import Found, Outcome, objective_reach, search, whole_bound

Fleet: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Capacity:
    """What one VM of a type can do by T: `reach` = T' in ticks, and the fewest and most quanta."""

    reach: int
    least_quanta: int
    most_quanta: int


@dataclass(frozen=True, slots=True)
class Mix:
    """A solution of the aggregated model: VMs and quanta by type, and tasks by type and class."""

    vms: Fleet
    quanta: tuple[int, ...]
    tasks: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Relaxed:
    """Outcome of the aggregated model; `least_cost` is proven (coins) where money was minimised."""

    outcome: Outcome
    mix: Mix | None = None
    least_cost: int | None = None
    build_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class _Block:
    """The variables of one type: V, H, and X by class."""

    vms: cp_model.IntVar
    quanta: cp_model.IntVar
    tasks: dict[int, cp_model.IntVar]


def capacity(ticks: Ticks, t: int, makespan: int) -> Capacity | None:
    """What a VM of type `t` can do by `makespan`; None where it cannot run a single task by then."""
    if ticks.max_instances[t] == 0:
        return None
    room = makespan - ticks.startup[t]
    times = [
        (time, n)
        for time, n in zip(ticks.times[t], ticks.counts, strict=True)
        if time is not None and time <= room
    ]
    if not times:
        return None
    reach = ticks.startup[t] + largest_sum(times, room)
    least = ticks.quanta(ticks.startup[t] + min(time for time, _ in times))
    return Capacity(reach, least, ticks.quanta(reach))


def relax(
    ticks: Ticks,
    makespan: int,
    effort: Effort,
    *,
    budget: int | None,
    cuts: Sequence[Fleet] = (),
    minimise_cost: bool = False,
    merged: bool = False,
    work: float | None = None,
) -> Relaxed:
    """Solve the aggregated model at `makespan` within `budget` coins.

    `cuts` are fleets known to be too small: some type must have more VMs. `merged` allows one VM a type at
    most, which loses nothing where no deadline binds (docs/model-cloud.md, "Least budget").
    """
    started = perf_counter()
    model = cp_model.CpModel()
    blocks: dict[int, _Block] = {}
    for t in ticks.types:
        able = capacity(ticks, t, makespan)
        if able is not None:
            most = 1 if merged else _most_vms(ticks, t, able, budget)
            blocks[t] = _add_type(model, ticks, t, able, most)
    for c, count in enumerate(ticks.counts):
        runners = [block.tasks[c] for block in blocks.values() if c in block.tasks]
        if not runners:
            return Relaxed(Outcome.INFEASIBLE)
        model.add(sum(runners) == count)
    if ticks.max_vms is not None:
        model.add(sum(block.vms for block in blocks.values()) <= ticks.max_vms)
    for number, cut in enumerate(cuts):
        _add_cut(model, blocks, cut, number)
    cost = sum(ticks.price[t] * block.quanta + ticks.fee[t] * block.vms for t, block in blocks.items())
    if budget is not None:
        model.add(cost <= budget)
    if minimise_cost:
        model.minimize(cost)
    built = perf_counter() - started
    found = search(model, effort, work=work)
    if not found.has_solution:
        return Relaxed(found.outcome, None, None, built)
    proven = whole_bound(found.bound, objective_reach(model)) if minimise_cost else None
    return Relaxed(found.outcome, _mix(ticks, blocks, found), proven, built)


def _mix(ticks: Ticks, blocks: dict[int, _Block], found: Found) -> Mix:
    """The solution, types that can do nothing by T included."""
    none = (0,) * len(ticks.counts)
    return Mix(
        tuple(found.value(blocks[t].vms) if t in blocks else 0 for t in ticks.types),
        tuple(found.value(blocks[t].quanta) if t in blocks else 0 for t in ticks.types),
        tuple(
            tuple(found.value(own[c]) if c in (own := blocks[t].tasks) else 0 for c in ticks.task_classes)
            if t in blocks
            else none
            for t in ticks.types
        ),
    )


def largest_fleet(ticks: Ticks, makespan: int, budget: int | None) -> Fleet:
    """For each type, a number of VMs that no plan by `makespan` within `budget` exceeds."""
    able = {t: capacity(ticks, t, makespan) for t in ticks.types}
    return tuple(0 if found is None else _most_vms(ticks, t, found, budget) for t, found in able.items())


def next_makespan(ticks: Ticks, makespan: int) -> int:
    """A makespan above this one, and no larger than the next that any plan can have.

    A makespan is a start-up time plus an attainable sum of task times on that type.
    """
    candidates = []
    for t in ticks.types:
        items = [(time, n) for time, n in zip(ticks.times[t], ticks.counts, strict=True) if time is not None]
        room = makespan - ticks.startup[t]
        if not items or ticks.max_instances[t] == 0:
            continue
        if (max(room, 0) + max(time for time, _ in items)) * len(items) > LARGEST_BITSET:
            return makespan + 1
        above = smallest_sum_above(items, max(room, 0))
        if above is not None:
            candidates.append(ticks.startup[t] + above)
    return max(makespan + 1, min(candidates, default=makespan + 1))


def _most_vms(ticks: Ticks, t: int, able: Capacity, budget: int | None) -> int:
    """No plan rents more VMs of type `t` than this: tasks, limits and money."""
    most = sum(n for time, n in zip(ticks.times[t], ticks.counts, strict=True) if time is not None)
    # The classes may be units of tasks (units.py); a VM runs a whole task at least.
    for limit in (ticks.max_instances[t], ticks.max_vms, ticks.instance.task_count):
        most = most if limit is None else min(most, limit)
    cheapest = able.least_quanta * ticks.price[t] + ticks.fee[t]
    return most if budget is None or not cheapest else min(most, budget // cheapest)


def _add_type(model: cp_model.CpModel, ticks: Ticks, t: int, able: Capacity, most: int) -> _Block:
    """Variables and rules of one type with at most `most` VMs."""
    startup, quantum = ticks.startup[t], ticks.quantum
    room = able.reach - startup
    vms = model.new_int_var(0, most, f"V{t}")
    billed = model.new_int_var(0, most * able.most_quanta, f"H{t}")
    own = {c: time for c, time in enumerate(ticks.times[t]) if time is not None and time <= room}
    tasks = {c: model.new_int_var(0, ticks.counts[c], f"X{t},{c}") for c in own}
    for c, time in own.items():
        fit = min(ticks.counts[c], room // time) if time else ticks.counts[c]
        model.add(tasks[c] <= fit * vms)
    model.add(vms <= sum(tasks.values()))
    done = sum(time * tasks[c] for c, time in own.items())
    low, high = able.least_quanta, able.most_quanta
    model.add(done <= room * vms)
    model.add(billed >= low * vms)
    model.add(billed <= high * vms)
    model.add(done <= quantum * billed - startup * vms)
    if high > low:
        lost = high * quantum - able.reach
        model.add(done <= quantum * billed - startup * vms - lost * (billed - (high - 1) * vms))
    return _Block(vms, billed, tasks)


def _add_cut(model: cp_model.CpModel, blocks: dict[int, _Block], fleet: Fleet, number: int) -> None:
    """Some type must have more VMs than `fleet` has."""
    more = []
    for t, block in blocks.items():
        exceeds = model.new_bool_var(f"more{number},{t}")
        model.add(block.vms >= fleet[t] + 1).only_enforce_if(exceeds)
        more.append(exceeds)
    model.add_bool_or(more)
