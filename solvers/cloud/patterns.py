"""The whole problem at a fixed T over maximal VM contents, where these are few.

A pattern is a type, a number h of billed quanta, and a content that fits into min(T, h q) - o and to which no
task can be added. Every VM of every plan is part of some pattern of its type and quanta, so covering all
tasks with patterns, within budget and limits, decides whether a plan exists; surplus tasks are taken out
again. The linear relaxation of this model is far tighter than the aggregated one where a VM holds few tasks
(Gilmore and Gomory 1961, "A linear programming approach to the cutting-stock problem").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from ortools.sat.python import cp_model

from planner.solver import Effort
from solvers.cloud.fleet import Content, LoadedVM
from solvers.cloud.relaxation import capacity
from solvers.cloud.slots import Packed
from solvers.cloud.ticks import Ticks
from solvers.cpsat import Outcome, search

MOST_PATTERNS = 20_000
MOST_STEPS = 400_000  # of the enumeration, which may walk long without finding a pattern
LARGEST_BILL = 2**61  # coins over all patterns


@dataclass(frozen=True, slots=True)
class Pattern:
    """A maximal content of a VM of type `kind` that bills `quanta`."""

    kind: int
    quanta: int
    content: Content


def enumerate_patterns(ticks: Ticks, makespan: int) -> list[Pattern] | None:
    """All maximal patterns, or None where there are too many to be of use."""
    steps = [MOST_STEPS]
    found: list[Pattern] = []
    for t in ticks.types:
        able = capacity(ticks, t, makespan)
        if able is None:
            continue
        least = able.least_quanta if ticks.price[t] else able.most_quanta
        for quanta in range(least, able.most_quanta + 1):
            room = min(makespan, quanta * ticks.quantum) - ticks.startup[t]
            times = [time if time is not None and time <= room else None for time in ticks.times[t]]
            for content in _maximal(times, ticks.counts, room, steps):
                found.append(Pattern(t, quanta, content))
                if len(found) > MOST_PATTERNS:
                    return None
            if steps[0] <= 0:
                return None
    return found


def _maximal(
    times: list[int | None], counts: tuple[int, ...], room: int, steps: list[int]
) -> Iterator[Content]:
    """Contents within `room` to which no further task can be added; `steps[0]` is used up on the way."""
    order = sorted((c for c, time in enumerate(times) if time), key=lambda c: -(times[c] or 0))
    content = [0] * len(times)

    def extend(position: int, left: int, smallest_kept_out: int) -> Iterator[Content]:
        steps[0] -= 1
        if steps[0] <= 0:
            return
        if position == len(order):
            if left < smallest_kept_out:
                yield tuple(content)
            return
        c = order[position]
        time = times[c] or 0
        most = min(counts[c], left // time)
        for n in range(most, -1, -1):
            kept_out = min(smallest_kept_out, time) if n < counts[c] else smallest_kept_out
            # What the remaining classes can still fill decides early whether this branch can be maximal.
            rest = left - n * time
            if rest - tail[position + 1] >= kept_out:
                break
            content[c] = n
            yield from extend(position + 1, rest, kept_out)
        content[c] = 0

    tail = [0] * (len(order) + 1)
    for position in range(len(order) - 1, -1, -1):
        tail[position] = tail[position + 1] + counts[order[position]] * (times[order[position]] or 0)
    yield from extend(0, room, room + 1)


def cover(
    ticks: Ticks, patterns: list[Pattern], effort: Effort, budget: int | None, work: float | None
) -> Packed:
    """A plan made of `patterns` within budget and limits, or a proof that there is none.

    Unknown also where bills would sum to more than CP-SAT takes.
    """
    started = perf_counter()
    tasks = sum(ticks.counts)
    most = min(tasks, ticks.max_vms or tasks)
    costs = [p.quanta * ticks.price[p.kind] + ticks.fee[p.kind] for p in patterns]
    if most * sum(costs) > LARGEST_BILL:
        return Packed(Outcome.UNKNOWN)
    model = cp_model.CpModel()
    used = [model.new_int_var(0, most, f"y{i}") for i in range(len(patterns))]
    for c, count in enumerate(ticks.counts):
        model.add(sum(p.content[c] * y for p, y in zip(patterns, used, strict=True) if p.content[c]) >= count)
    for t, limit in enumerate(ticks.max_instances):
        if limit is not None:
            model.add(sum(y for p, y in zip(patterns, used, strict=True) if p.kind == t) <= limit)
    if ticks.max_vms is not None:
        model.add(sum(used) <= ticks.max_vms)
    if budget is not None:
        model.add(cp_model.LinearExpr.weighted_sum(used, costs) <= budget)
    built = perf_counter() - started
    found = search(model, effort, work=work)
    if not found.has_solution:
        return Packed(found.outcome, None, built)
    vms = [
        vm
        for p, y in zip(patterns, used, strict=True)
        for vm in [LoadedVM(p.kind, p.content)] * found.value(y)
    ]
    return Packed(found.outcome, _without_surplus(ticks, vms), built)


def _without_surplus(ticks: Ticks, vms: list[LoadedVM]) -> list[LoadedVM]:
    """Take tasks that are covered more than once out of the longest VMs that hold them."""
    contents = [list(vm.content) for vm in vms]
    for c, count in enumerate(ticks.counts):
        surplus = sum(content[c] for content in contents) - count
        while surplus > 0:
            holders = [i for i, content in enumerate(contents) if content[c]]
            longest = max(holders, key=lambda i: ticks.execution(vms[i].kind, contents[i]))
            contents[longest][c] -= 1
            surplus -= 1
    return [LoadedVM(vm.kind, tuple(n)) for vm, n in zip(vms, contents, strict=True) if any(n)]
