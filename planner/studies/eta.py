"""How long the rest of a study takes, from the cells that are done."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from planner.studies.task import Task

_SEVERAL = 3


@dataclass
class _Mean:
    """Cells and their seconds."""

    count: int = 0
    seconds: float = 0.0
    largest: float = 0.0

    def add(self, seconds: float) -> None:
        self.count += 1
        self.seconds += seconds
        self.largest = max(self.largest, seconds)

    @property
    def usual(self) -> float:
        """The mean; of several without the largest, as a worker's first cell also loads its libraries."""
        if self.count < _SEVERAL:
            return self.seconds / self.count
        return (self.seconds - self.largest) / (self.count - 1)


@dataclass
class Estimate:
    """Remaining wall time: what cells like those left took so far, and how many run at once.

    A cell is taken to need what others of its solver on its instance needed, else others of its solver, else
    any; so a study whose long cells come last is not called done early.
    """

    tasks: Iterable[Task]
    _left: Counter[tuple[str, str]] = field(default_factory=Counter)
    _exact: dict[tuple[str, str], _Mean] = field(default_factory=lambda: defaultdict(_Mean))
    _solver: dict[str, _Mean] = field(default_factory=lambda: defaultdict(_Mean))
    _all: _Mean = field(default_factory=_Mean)
    _started: float | None = None

    def __post_init__(self) -> None:
        for task in self.tasks:
            self._left[_group(task)] += 1

    def done(self, task: Task, seconds: float | None) -> None:
        """That cell is done; `seconds` None: without being run here."""
        group = _group(task)
        self._left[group] -= 1
        if seconds is None:
            return
        if self._started is None:  # not before the first cell began: worker processes take a while to start
            self._started = time.perf_counter() - seconds
        for mean in (self._exact[group], self._solver[group[1]], self._all):
            mean.add(seconds)

    def remaining(self) -> float | None:
        """Seconds that are left; None: nothing is known yet."""
        if self._started is None or not self._all.seconds:
            return None
        at_once = self._all.seconds / max(time.perf_counter() - self._started, 1e-9)
        return sum(count * self._mean(group) for group, count in self._left.items() if count) / at_once

    def _mean(self, group: tuple[str, str]) -> float:
        for mean in (self._exact.get(group), self._solver.get(group[1]), self._all):
            if mean is not None and mean.count:
                return mean.usual
        return 0.0


def _group(task: Task) -> tuple[str, str]:
    return task.sha256, f"{task.solver} {sorted(task.options.items())} {task.goal}"
