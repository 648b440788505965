"""What gets cells done: the contract of engines with `planner.studies.running`, and which there are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from planner.errors import UsageError
from planner.report.conversion import environment
from planner.settings import MAX_WORKERS
from planner.studies.task import Outcome, Task

LOCAL, DASK = "local", "dask"
ENGINES = (LOCAL, DASK)


class Engine(Protocol):
    """Takes tasks and gives an outcome for each, in any order."""

    def room(self) -> int:
        """How many more tasks it should be given now, so that no worker waits."""

    def submit(self, tasks: Sequence[Task]) -> None:
        """Take these tasks."""

    def poll(self, seconds: float) -> list[tuple[Task, Outcome]]:
        """What has come since the last call, waiting at most that long for the first."""

    def close(self) -> None:
        """End everything, whatever still runs."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where cells run: the engine's name, of the local one how many at once, of dask the scheduler's address.

    `workers` None is as many as cores allow. Raises `UsageError` for settings that do not go together.
    """

    engine: str = LOCAL
    workers: int | None = None
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise UsageError(f"unknown engine {self.engine!r}; there are: {', '.join(ENGINES)}")
        if self.workers is not None and not 1 <= self.workers <= MAX_WORKERS:
            raise UsageError(f"the number of workers must be from 1 to {MAX_WORKERS}, not {self.workers}")
        if self.engine == DASK and self.scheduler is None:
            raise UsageError("the engine dask needs the address of a scheduler, as in tcp://host:8786")
        if self.engine != DASK and self.scheduler is not None:
            raise UsageError("a scheduler goes with the engine dask only")


@contextmanager
def engine_of(where: Where, tasks: Sequence[Task]) -> Iterator[Engine]:
    """The engine for these tasks, closed in any case. Raises what the engine raises when it starts."""
    engine: Engine
    if where.scheduler is not None:
        from planner.studies.engine_dask import DaskEngine

        engine = DaskEngine(where.scheduler)
    else:
        from planner.studies.engine_local import LocalEngine

        threads = max((task.threads for task in tasks), default=1)
        engine = LocalEngine(where.workers or max(1, cores() // threads), threads)
    try:
        yield engine
    finally:
        engine.close()


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def environment_of(tasks: Sequence[Task]) -> dict[str, str]:
    """What results of these tasks depend on beside themselves: machine, Python, versions of packages."""
    packages = {name: version for task in tasks for name, version in task.versions.items()}
    return environment() | {"cores": str(cores())} | dict(sorted(packages.items()))
