"""Ten thousand cells: all there, and memory flat, in the client and in its workers."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest

import planner as api
from planner.studies.task import Outcome, Task
from tests.studies.conftest import write_study

SEEDS = 5_000


@pytest.mark.slow
def test_memory_is_flat(folder: Path) -> None:
    me = psutil.Process(os.getpid())
    seen: list[tuple[float, float]] = []

    def look(_: Task, outcome: Outcome | None) -> None:
        assert outcome is not None
        done[0] += 1
        if done[0] % 1_000 == 0:
            workers = [
                child.memory_info().rss
                for child in me.children()
                if "planner.studies.worker" in child.cmdline()
            ]
            seen.append((me.memory_info().rss / 2**20, max(workers) / 2**20))

    done = [0]
    result = api.study(
        write_study(folder / "s.toml", solvers=["mi", "mp"], seeds=f"1-{SEEDS}"), on_done=look, workers=2
    )
    assert (result.counts.done, result.counts.pending) == (2 * SEEDS, 0)
    for early, late in zip(seen[1], seen[-1], strict=True):
        assert late < early + 15, seen
