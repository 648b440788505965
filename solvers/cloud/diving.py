"""Round the linear program over contents: rent what it says in whole VMs, and pack what is left anew.

The program's solution has at most one fractional column for each of its rows, so few VMs are left open
however large the fleet is, and those few are what the complete models are good at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import floor

from solvers.cloud import fleet
from solvers.cloud.contents import Contents
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.ticks import Ticks

KEPT = (1.0, 0.9, 0.7)  # shares of the program's whole VMs that are kept, from greedy to careful


def dive(
    ticks: Ticks, budget: int | None, contents: Contents, pack: Callable[[Ticks], list[LoadedVM] | None]
) -> list[LoadedVM] | None:
    """A plan of whole columns and of what `pack` makes of the rest, within `budget`; None: none was met."""
    for kept in KEPT:
        whole = [
            vm
            for column, share in zip(contents.columns, contents.shares, strict=True)
            for vm in [LoadedVM(column.kind, column.content)] * floor(share * kept + 1e-6)
        ]
        vms = _completed(ticks, budget, whole, pack)
        if vms is not None:
            return vms
    return None


def _completed(
    ticks: Ticks, budget: int | None, whole: list[LoadedVM], pack: Callable[[Ticks], list[LoadedVM] | None]
) -> list[LoadedVM] | None:
    left = [n - sum(vm.content[c] for vm in whole) for c, n in enumerate(ticks.counts)]
    if min(left) < 0:
        whole, left = _without_surplus(ticks, whole)
    spare = None if budget is None else budget - fleet.cost(ticks, whole)
    if spare is not None and spare < 0:
        return None
    classes = [c for c, n in enumerate(left) if n]
    if not classes:
        return whole
    rented = [sum(vm.kind == t for vm in whole) for t in ticks.types]
    rest = replace(
        ticks,
        labels=tuple(ticks.labels[c] for c in classes),
        counts=tuple(left[c] for c in classes),
        times=tuple(tuple(row[c] for c in classes) for row in ticks.times),
        max_instances=tuple(
            None if m is None else m - n for m, n in zip(ticks.max_instances, rented, strict=True)
        ),
        max_vms=None if ticks.max_vms is None else ticks.max_vms - len(whole),
        budget=spare,
    )
    if rest.max_vms == 0:
        return None
    packed = pack(rest)
    if packed is None:
        return None
    return whole + [LoadedVM(vm.kind, _widened(vm.content, classes, len(ticks.counts))) for vm in packed]


def _without_surplus(ticks: Ticks, vms: list[LoadedVM]) -> tuple[list[LoadedVM], list[int]]:
    """The VMs without tasks that are covered already, and the tasks that none of them runs."""
    left = list(ticks.counts)
    trimmed = []
    for vm in vms:
        content = tuple(min(n, left[c]) for c, n in enumerate(vm.content))
        left = [a - b for a, b in zip(left, content, strict=True)]
        if any(content):
            trimmed.append(LoadedVM(vm.kind, content))
    return trimmed, left


def _widened(content: Sequence[int], classes: Sequence[int], width: int) -> tuple[int, ...]:
    wide = [0] * width
    for c, n in zip(classes, content, strict=True):
        wide[c] = n
    return tuple(wide)
