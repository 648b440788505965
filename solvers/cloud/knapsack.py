"""The most valuable content of one VM for every load at once: a bounded knapsack over ticks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from solvers.cloud.fleet import Content

Values: TypeAlias = npt.NDArray[Any]  # float64 for pricing, int64 where the answer must be exact


@dataclass(frozen=True, slots=True)
class _Bundle:
    """`size` tasks of one class, taken together or not at all; bundles of 1, 2, 4, … make up any number."""

    index: int
    size: int
    load: int


class Knapsack:
    """Tasks for a VM: `counts[c]` of `times[c]` ticks each (None: it cannot run them), into `room` ticks.

    With a `step` of several ticks, loads are counted in steps and task times rounded: with `fits` up, so that
    every content named fits; else down, so that no content is worth more than is said.
    """

    def __init__(
        self,
        times: Sequence[int | None],
        counts: Sequence[int],
        room: int,
        step: int = 1,
        *,
        fits: bool = True,
    ) -> None:
        self.room, self.classes, self.step = room // step, len(counts), step
        self._bundles: list[_Bundle] = []
        for index, (ticks, count) in enumerate(zip(times, counts, strict=True)):
            if ticks is None or ticks > room:
                continue
            time = -(-ticks // step) if fits else ticks // step
            left, size = min(count, room // ticks) if ticks else count, 1
            while left > 0:
                taken = min(size, left)
                self._bundles.append(_Bundle(index, taken, taken * time))
                left -= taken
                size *= 2

    @property
    def bundles(self) -> int:
        """How many passes over the loads one table takes."""
        return len(self._bundles)

    def table(self, worth: Values) -> Table:
        """The best total worth for every load, where one class-c task is worth `worth[c]`."""
        best = np.zeros(self.room + 1, dtype=worth.dtype)
        taken = np.zeros((len(self._bundles), self.room + 1), dtype=np.bool_)
        for number, bundle in enumerate(self._bundles):
            value = worth[bundle.index] * bundle.size
            if value <= 0 or bundle.load > self.room:
                continue
            with_it = best[: self.room + 1 - bundle.load] + value
            better = with_it > best[bundle.load :]
            taken[number, bundle.load :] = better
            best[bundle.load :][better] = with_it[better]
        return Table(self, best, taken)

    def content_at(self, taken: npt.NDArray[np.bool_], load: int) -> Content:
        """Read the content of a table back, from the last bundle to the first."""
        content = [0] * self.classes
        for number in range(len(self._bundles) - 1, -1, -1):
            if taken[number, load]:
                bundle = self._bundles[number]
                content[bundle.index] += bundle.size
                load -= bundle.load
        return tuple(content)


@dataclass(frozen=True, slots=True)
class Table:
    """The answers of one knapsack for one set of worths: `best[r]` is the most that `r` steps can hold."""

    knapsack: Knapsack
    best: Values
    taken: npt.NDArray[np.bool_]

    def content(self, load: int) -> Content:
        """A content of at most `load` steps that is worth `best[load]`."""
        return self.knapsack.content_at(self.taken, load)
