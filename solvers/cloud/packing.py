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

from solvers.cloud.attainable import LARGEST_BITSET, with_items
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.relaxation import Mix
from solvers.cloud.ticks import Ticks

MOST_HANDED_BACK = 3
MOST_EXTRA = 12  # tasks of one class a VM may take beyond its base share


def construct(ticks: Ticks, makespan: int, mix: Mix) -> list[LoadedVM] | None:
    """VMs that run `mix` by `makespan` within its quanta, or None where the construction stalls."""
    for handed_back in range(MOST_HANDED_BACK + 1):
        packed = _attempt(ticks, makespan, mix, handed_back)
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
            for c, n in enumerate(_fill(times, able, work[t], float(units[t] / remaining), 1)):
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


def _attempt(ticks: Ticks, makespan: int, mix: Mix, handed_back: int) -> list[LoadedVM] | None:
    packed: list[LoadedVM] = []
    rooms: list[int] = []
    left = [0] * len(ticks.counts)
    for t in ticks.types:
        caps = _capacities(ticks, t, makespan, mix)
        pool = list(mix.tasks[t])
        for position, cap in enumerate(caps):
            content = _fill(ticks.times[t], pool, cap, 1 / (len(caps) - position), handed_back)
            for c, n in enumerate(content):
                pool[c] -= n
            packed.append(LoadedVM(t, tuple(content)))
            rooms.append(cap - sum(n * (ticks.times[t][c] or 0) for c, n in enumerate(content) if n))
        left = [a + b for a, b in zip(left, pool, strict=True)]
    return _place_left(ticks, packed, rooms, left) if any(left) else packed


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
    times: Sequence[int | None], pool: Sequence[int], cap: int, share: float, handed_back: int
) -> list[int]:
    """Tasks for one that should have about this share of `pool`: as much work as possible, at most `cap`."""
    base = [max(0, int(n * share + 1e-9) - handed_back) for n in pool]
    room = cap - sum(n * (time or 0) for n, time in zip(base, times, strict=True))
    while room < 0:
        # The even share of a pool that is too large for the VMs: hand back the class with the most work.
        heaviest = max(range(len(base)), key=lambda c: base[c] * (times[c] or 0))
        base[heaviest] -= 1
        room += times[heaviest] or 0
    if room > LARGEST_BITSET:
        return base
    extras = [
        min(n - b, MOST_EXTRA + handed_back) if time else 0
        for n, b, time in zip(pool, base, times, strict=True)
    ]
    order = sorted((c for c, n in enumerate(extras) if n), key=lambda c: -(times[c] or 0))
    reachable = [1]
    for c in reversed(order):
        reachable.append(with_items(reachable[-1], times[c] or 0, extras[c], room))
    reachable.reverse()
    target = reachable[0].bit_length() - 1
    for position, c in enumerate(order):
        time = times[c] or 0
        fair = round(pool[c] * share) - base[c]
        taken = _nearest(fair, extras[c], time, target, reachable[position + 1])
        base[c] += taken
        target -= taken * time
    return base


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
