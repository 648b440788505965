"""How fast a study runs its cells, with how much memory, and how good its estimate of the time left is."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

import planner
from planner.studies.eta import Estimate
from planner.studies.task import Outcome, Task

ROOT = Path(__file__).parents[2] / "instances"
HEAD = (
    "| study | cells | seconds | cells/s | client MB at 20 %, 100 % | worker MB | ETA off by |\n"
    "|---|---|---|---|---|---|---|"
)

CHEAP = {
    "format": "planner/study/1",
    "name": "cheap",
    "instances": [str(ROOT / "cloud" / "tiny" / "*.json"), str(ROOT / "grid" / "tiny" / "step-*.json")],
    "solvers": ["mi", "mp", "lls", "mct", "rs"],
}
MIXED = {
    "format": "planner/study/1",
    "name": "mixed",
    "instances": [str(ROOT / "cloud" / "thai2015-160" / "*.json"), str(ROOT / "grid" / "small-*.json")],
    "solvers": ["exact", "heuristic", "mi", "mp"],
    "policies": ["clds", "lls", "rs", "dmms", "dealt"],
}


def rates() -> Iterator[str]:
    """Ten thousand cheap cells, and few of very different lengths, a table row each."""
    yield HEAD
    yield _row(CHEAP | {"seeds": "1-189"})
    yield _row(MIXED | {"seeds": "1-6"})


def _row(study: dict[str, object]) -> str:
    watch = _Watch()
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        result = planner.study(study, Path(folder, "store.sqlite"), on_start=watch.start, on_done=watch.done)
        seconds = time.perf_counter() - started
    cells = result.counts.done
    early, late = (f"{value:.0f}" for value in (watch.early, watch.client[-1]))
    return (
        f"| {study['name']} | {cells:,} | {seconds:.1f} | {cells / seconds:.0f} | {early}, {late} "
        f"| {max(watch.workers):.0f} | {100 * watch.worst_error():.0f} % |"
    )


class _Watch:
    """Memory and estimates while a study runs."""

    def __init__(self) -> None:
        self.client: list[float] = []
        self.workers: list[float] = []
        self.early = 0.0
        self._estimates: list[tuple[float, float]] = []
        self._total = self._done = 0

    def start(self, tasks: object) -> None:
        assert isinstance(tasks, tuple)
        self._total = len(tasks)
        self._estimate = Estimate(tasks)

    def done(self, task: Task, outcome: Outcome | None) -> None:
        self._estimate.done(task, None if outcome is None else outcome.seconds)
        self._done += 1
        if self._done % max(1, self._total // 50) == 0:
            me = psutil.Process(os.getpid())
            self.client.append(me.memory_info().rss / 2**20)
            self.workers += [child.memory_info().rss / 2**20 for child in me.children()]
            if len(self.client) == 10:
                self.early = self.client[-1]
            left = self._estimate.remaining()
            if left is not None and 2 * self._done >= self._total:
                self._estimates.append((time.perf_counter(), left))
        self._ended = time.perf_counter()

    def worst_error(self) -> float:
        """Of the estimates from halfway to 90 % on, as a share of the true rest."""
        kept = self._estimates[: max(1, len(self._estimates) * 4 // 5)]
        return max(abs(left - (self._ended - at)) / (self._ended - at) for at, left in kept)
