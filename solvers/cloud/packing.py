"""Pack tasks into a given fleet, constructively.

The aggregated model says how many VMs of each type to rent, for how many quanta, and how many tasks of each
class each type runs; here every VM gets its own tasks. First the sizes of each application are spread
evenly over the types that run it (the work of no type changes), so that every type has small tasks to fill
gaps with. Then VM by VM: an even share of each class, a little of it handed back, then the rest of the VM
filled to the last attainable tick with a subset sum chosen near the even share, so that what remains stays a
good mix for the VMs that follow. Fast, and it finds most packings that exist; where it finds none, nothing is
proven.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from planner.solver import Effort
from solvers.cloud.attainable import LARGEST_BITSET, with_items
from solvers.cloud.fleet import MOST_VMS, LoadedVM
from solvers.cloud.relaxation import Mix
from solvers.cloud.ticks import Ticks

MOST_HANDED_BACK = 3
GOLDEN, SILVER = 0.6180339887, 0.4142135624  # steps modulo 1 that fill the interval evenly
EXACT_TASKS, MIN_EXACT = 8, 12  # so many tasks and classes, the shortest ones, fill a VM to the tick
TOO_MANY_BITS = 200_000_000_000  # above, it would take minutes
MANY_BITS = 2_000_000_000  # ticks times VMs times classes; above, one attempt has to do
MOST_EXTRA = 12  # tasks of one class a VM may take beyond its base share


def construct(ticks: Ticks, makespan: int, mix: Mix, effort: Effort | None = None) -> list[LoadedVM] | None:
    """VMs that run `mix` by `makespan` within its quanta, or None where the construction stalls or stops."""
    bits = makespan * sum(mix.vms) * len(ticks.counts)
    if bits > TOO_MANY_BITS or sum(mix.vms) > MOST_VMS:
        return None
    for handed_back in range(MOST_HANDED_BACK + 1 if bits <= MANY_BITS else 1):
        packed = _attempt(ticks, makespan, mix, handed_back, effort or Effort())
        if packed is not None:
            return packed
    return None


def spread(ticks: Ticks, makespan: int, coarse: Ticks, mix: Mix) -> Mix:
    """The same work by type and application, each application's sizes in like proportions on every type.

    `mix` solves the aggregated model over `coarse`, whose classes may be the units of units.py.
    """
    tasks = [[0] * len(ticks.counts) for _ in ticks.types]
    for application in sorted({a for a, _ in ticks.labels}):
        own = [c for c in ticks.task_classes if ticks.labels[c][0] == application]
        work = [_work(coarse, t, mix.tasks[t], application) for t in ticks.types]
        units = [Fraction(work[t], ticks.times[t][own[0]] or 1) for t in ticks.types]
        pool = [ticks.counts[c] if c in own else 0 for c in ticks.task_classes]
        remaining = sum(units, Fraction(0))
        # Types that cannot run the longest sizes by then choose first; the last type takes what is left.
        order = sorted(
            (t for t in ticks.types if work[t]), key=lambda t: -max(ticks.times[t][c] or 0 for c in own)
        )
        for t in order[:-1]:
            room = makespan - ticks.startup[t]
            times = [time if time is not None and time <= room else None for time in ticks.times[t]]
            able = [n if time is not None else 0 for n, time in zip(pool, times, strict=True)]
            for c, n in enumerate(_fill(times, able, work[t], float(units[t] / remaining), 1, turn=t)):
                tasks[t][c] += n
                pool[c] -= n
            remaining -= units[t]
        for c in own:
            tasks[order[-1]][c] += pool[c]
    return Mix(mix.vms, mix.quanta, tuple(tuple(row) for row in tasks))


def _work(ticks: Ticks, t: int, tasks: Sequence[int], application: int) -> int:
    """Ticks of work of one application on type `t`."""
    own = (c for c in ticks.task_classes if ticks.labels[c][0] == application and tasks[c])
    return sum(tasks[c] * (ticks.times[t][c] or 0) for c in own)


def _attempt(
    ticks: Ticks, makespan: int, mix: Mix, handed_back: int, effort: Effort
) -> list[LoadedVM] | None:
    packed: list[LoadedVM] = []
    rooms: list[int] = []
    left = [0] * len(ticks.counts)
    caps_of = [_capacities(ticks, t, makespan, mix) for t in ticks.types]
    slack = sum(map(sum, caps_of)) - sum(_load(ticks, t, mix.tasks[t]) for t in ticks.types)
    for t, caps in enumerate(caps_of):
        pool = list(mix.tasks[t])
        for position, cap in enumerate(caps):
            content = _fill(ticks.times[t], pool, cap, 1 / (len(caps) - position), handed_back, position)
            for c, n in enumerate(content):
                pool[c] -= n
            packed.append(LoadedVM(t, tuple(content)))
            rooms.append(cap - _load(ticks, t, content))
            slack -= rooms[-1]
            if slack < 0 or effort.stopped_by:  # what is wasted already leaves too little room for the rest
                return None
        left = [a + b for a, b in zip(left, pool, strict=True)]
    return _place_left(ticks, packed, rooms, left) if any(left) else packed


def _load(ticks: Ticks, t: int, content: Sequence[int]) -> int:
    """Ticks of work of that content on type `t`."""
    return sum(n * (ticks.times[t][c] or 0) for c, n in enumerate(content) if n)


def _capacities(ticks: Ticks, t: int, makespan: int, mix: Mix) -> list[int]:
    """Work each VM of the type may do: an even split of its quanta, none beyond the makespan."""
    count = mix.vms[t]
    if not count:
        return []
    each, more = divmod(mix.quanta[t], count)
    startup = ticks.startup[t]
    if not ticks.price[t]:
        return [makespan - startup] * count
    return [min(makespan, (each + (i < more)) * ticks.quantum) - startup for i in range(count)]


def _fill(
    times: Sequence[int | None], pool: Sequence[int], cap: int, share: float, handed_back: int, turn: int
) -> list[int]:
    """Tasks for one that should have about this share of `pool`: as much work as possible, at most `cap`.

    Where the share of a class is a fraction of a task, the `turn` decides who takes one: turns spread the
    tasks of each class evenly, and those of different classes over different turns.
    """
    base = [max(0, int(n * share + 1e-9) - handed_back) for n in pool]
    room = cap - sum(n * (time or 0) for n, time in zip(base, times, strict=True))
    while room < 0:
        # The even share of a pool that is too large for the VMs: hand back the class with the most work.
        heaviest = max(range(len(base)), key=lambda c: base[c] * (times[c] or 0))
        base[heaviest] -= 1
        room += times[heaviest] or 0
    extras = [
        min(n - b, MOST_EXTRA + handed_back) if time else 0
        for n, b, time in zip(pool, base, times, strict=True)
    ]
    due = [n * share - b for n, b in zip(pool, base, strict=True)]
    order = sorted((c for c, n in enumerate(extras) if n), key=lambda c: -(times[c] or 0))
    expected = sum(due[c] * (times[c] or 0) for c in order)
    exact_from = _tail(order, due, EXACT_TASKS * (1 + handed_back))
    for c in order[:exact_from]:
        time = times[c] or 0
        expected -= due[c] * time
        taken = min(max(0, _fair(room, expected, time, turn, c)), extras[c], room // time)
        base[c] += taken
        room -= taken * time
    if room > LARGEST_BITSET:
        return base
    tail = order[exact_from:]
    reachable = [1]
    for c in reversed(tail):
        reachable.append(with_items(reachable[-1], times[c] or 0, extras[c], room))
    reachable.reverse()
    target = reachable[0].bit_length() - 1
    for position, c in enumerate(tail):
        time = times[c] or 0
        expected -= due[c] * time
        fair = _fair(target, expected, time, turn, c)
        taken = _nearest(fair, extras[c], time, target, reachable[position + 1])
        base[c] += taken
        target -= taken * time
    return base


def _tail(order: Sequence[int], due: Sequence[float], tasks: int) -> int:
    """Where the shortest classes begin that are due this many tasks together; at least MIN_EXACT classes."""
    position, total = len(order), 0.0
    while position > 0 and (total < tasks or len(order) - position < MIN_EXACT):
        position -= 1
        total += max(0.0, due[order[position]])
    return position


def _fair(target: int, expected: float, time: int, turn: int, c: int) -> int:
    """Tasks of class c that leave `expected` of `target` to the classes after it, rounded by the turn."""
    return floor((target - expected) / time + (GOLDEN * turn + SILVER * c) % 1)


def _nearest(fair: int, most: int, time: int, target: int, reachable: int) -> int:
    """The number of items, nearest to `fair`, after which the rest of `target` is still reachable."""
    for n in sorted(range(min(most, target // time) + 1), key=lambda n: abs(n - fair)):
        if reachable >> (target - n * time) & 1:
            return n
    raise AssertionError("the target was attainable")


def _place_left(
    ticks: Ticks, packed: list[LoadedVM], rooms: list[int], left: list[int]
) -> list[LoadedVM] | None:
    """Put left-over tasks, hardest first, wherever they fit most tightly; None where one fits nowhere."""
    contents = [list(vm.content) for vm in packed]
    hardest = sorted(
        (c for c, n in enumerate(left) if n), key=lambda c: -max(row[c] or 0 for row in ticks.times)
    )
    for c in hardest:
        for _ in range(left[c]):
            fits = [
                (rooms[i] - time, i)
                for i, vm in enumerate(packed)
                if (time := ticks.times[vm.kind][c]) is not None and time <= rooms[i]
            ]
            if not fits:
                return None
            room, i = min(fits)
            rooms[i] = room
            contents[i][c] += 1
    return [LoadedVM(vm.kind, tuple(content)) for vm, content in zip(packed, contents, strict=True)]
