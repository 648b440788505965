"""What is needed and what the types offer, as arrays, for one way to cut the tasks into items.

An item is what contents of VMs are counted in: a unit of an application's size (few rows whatever the
sizes) or a task of one class (right where a VM holds only a few tasks).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from solvers.cloud.ticks import Ticks
from solvers.cloud.units import in_units

Floats: TypeAlias = npt.NDArray[np.float64]


class Column(NamedTuple):
    """A VM of type `kind` that runs `units[i]` of each item."""

    kind: int
    units: tuple[int, ...]


@dataclass(frozen=True)
class Market:
    """The instance in items; `parts[i]` are the classes of item i: (class, items a task), largest first.

    `times[t, i]` are ticks an item takes, infinite where type t cannot run it; `longest[t, i]` the ticks of
    the longest task of the item's classes; `coarse` has the same times in whole numbers.
    """

    ticks: Ticks
    coarse: Ticks
    parts: tuple[tuple[tuple[int, int], ...], ...]
    times: Floats
    longest: Floats
    startup: Floats
    price: Floats
    fee: Floats

    @classmethod
    def of_units(cls, ticks: Ticks) -> Market:
        """Items are the largest units that divide all sizes of an application."""
        coarse = in_units(ticks)
        parts = []
        for application, unit in coarse.labels:
            own = [c for c in ticks.task_classes if ticks.labels[c][0] == application]
            sizes = [(c, int(ticks.labels[c][1] / unit)) for c in own]
            parts.append(tuple(sorted(sizes, key=lambda part: -part[1])))
        return cls._of(ticks, coarse, tuple(parts))

    @classmethod
    def of_classes(cls, ticks: Ticks) -> Market:
        """Items are the tasks themselves."""
        return cls._of(ticks, ticks, tuple(((c, 1),) for c in ticks.task_classes))

    @classmethod
    def _of(cls, ticks: Ticks, coarse: Ticks, parts: tuple[tuple[tuple[int, int], ...], ...]) -> Market:
        times = _array(coarse.times)
        usable = np.array([limit != 0 for limit in ticks.max_instances])
        times[~usable] = np.inf
        most = np.array([own[0][1] for own in parts], dtype=np.float64)
        return cls(
            ticks=ticks,
            coarse=coarse,
            parts=parts,
            times=times,
            longest=times * most,
            startup=np.array([float(time) for time in ticks.startup]),
            price=np.array([float(price) for price in ticks.price]),
            fee=np.array([float(fee) for fee in ticks.fee]),
        )

    @property
    def demand(self) -> tuple[int, ...]:
        """How many of each item there are."""
        return self.coarse.counts

    def fits(self, makespan: int) -> npt.NDArray[np.bool_]:
        """Which types can run every task of which items by `makespan` (types x items)."""
        fits: npt.NDArray[np.bool_] = self.longest <= (makespan - self.startup)[:, None]
        return fits

    def work(self, column: Column) -> int:
        """Ticks of work, without the start-up."""
        row = self.coarse.times[column.kind]
        return sum(n * (row[i] or 0) for i, n in enumerate(column.units) if n)

    def cost(self, column: Column) -> int:
        """What one such VM costs, in coins."""
        return self.ticks.vm_cost(column.kind, self.ticks.startup[column.kind] + self.work(column))

    def quanta_choices(self, makespan: int) -> list[Floats]:
        """By type, the two numbers of quanta at which a VM may do most for its money by `makespan`."""
        ticks = self.ticks
        fewest = np.array([float(ticks.quanta(time)) for time in ticks.startup])
        near = {makespan // ticks.quantum, -(-makespan // ticks.quantum)}
        return [np.maximum(fewest, float(quanta)) for quanta in sorted(near)]


def _array(rows: tuple[tuple[int | None, ...], ...]) -> Floats:
    return np.array([[np.inf if time is None else float(time) for time in row] for row in rows])
