"""Does a plan fit into a given fleet by T? Decided completely, one block of variables a VM.

`construct` in packing.py finds most packings; this model finds the others, and proves where there is none,
which is what a cut needs. It is meant for fleets of up to some fifty VMs.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from ortools.sat.python import cp_model

from planner.solver import Effort
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.relaxation import Fleet, capacity
from solvers.cloud.ticks import Ticks
from solvers.cpsat import Outcome, search


@dataclass(frozen=True, slots=True)
class Packed:
    """Outcome of a complete packing model, with its VMs where there is a packing."""

    outcome: Outcome
    vms: list[LoadedVM] | None = None
    build_seconds: float = 0.0


def pack_into(
    ticks: Ticks,
    makespan: int,
    fleet: Fleet,
    effort: Effort,
    budget: int | None,
    work: float | None,
    with_type: int | None = None,
) -> Packed:
    """A plan with at most `fleet` VMs, by `makespan`, for at most `budget` coins, or a proof of none.

    With a `with_type` only plans that rent at least one VM of that type count.
    """
    started = perf_counter()
    model = cp_model.CpModel()
    loads: list[tuple[int, list[cp_model.IntVar]]] = []
    costs: list[cp_model.LinearExprT] = []
    rented: list[cp_model.IntVar] = []
    for t in ticks.types:
        able = capacity(ticks, t, makespan)
        if able is None or not fleet[t]:
            continue
        startup, row = ticks.startup[t], ticks.times[t]
        room = able.reach - startup
        previous: cp_model.LinearExprT | None = None
        for slot in range(fleet[t]):
            content = [
                model.new_int_var(0, _most(time, ticks.counts[c], room), f"x{t},{slot},{c}")
                for c, time in enumerate(row)
            ]
            used = model.new_bool_var(f"u{t},{slot}")
            if t == with_type and not slot:  # the longest one
                model.add(sum(content) >= 1)
            quanta = model.new_int_var(0, able.most_quanta, f"h{t},{slot}")
            done = sum((time or 0) * n for time, n in zip(row, content, strict=True))
            model.add(done <= room * used)
            model.add(done + startup * used <= ticks.quantum * quanta)
            model.add(quanta >= able.least_quanta * used)
            if previous is not None:
                model.add(previous >= done)  # VMs of one type are alike: longest first
            previous = done
            loads.append((t, content))
            costs.append(ticks.price[t] * quanta + ticks.fee[t] * used)
            rented.append(used)
    if with_type is not None and all(t != with_type for t, _ in loads):
        return Packed(Outcome.INFEASIBLE)
    for c, count in enumerate(ticks.counts):
        model.add(sum(content[c] for _, content in loads) == count)
    if budget is not None:
        model.add(sum(costs) <= budget)
    if ticks.max_vms is not None:
        model.add(sum(rented) <= ticks.max_vms)
    built = perf_counter() - started
    found = search(model, effort, work=work)
    if not found.has_solution:
        return Packed(found.outcome, None, built)
    vms = [LoadedVM(t, tuple(found.value(n) for n in content)) for t, content in loads]
    return Packed(found.outcome, [vm for vm in vms if any(vm.content)], built)


def _most(time: int | None, count: int, room: int) -> int:
    """How many tasks of a class one VM can run."""
    if time is None or time > room:
        return 0
    return min(count, room // time) if time else count
