"""Cells on a dask cluster that is there already; the store stays with this process.

A cell goes to the cluster with the bytes of its files, so that nothing has to be shared but the program. On
the worker it runs in a watched process of its own, as it would here: a crash or a limit ends that process,
not the dask worker.
"""

from __future__ import annotations

import queue
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from planner.errors import BackendMissing, PlannerError, UsageError
from planner.files.output import write_bytes
from planner.studies.engine_local import LocalEngine
from planner.studies.performing import difference
from planner.studies.task import Outcome, Task, failed

CONNECT_SECONDS = 10
"""How long the scheduler has to answer."""

_AHEAD = 2
"""Cells on the cluster for each of its threads: one that runs and what is to follow."""

_LEAST_AHEAD = 8
_COUNT_SECONDS = 2.0  # between two looks at how many workers there are
_PATIENCE_SECONDS = 60.0
"""How long a scheduler may be away before the run ends; it comes back under the same address where it can."""


class ClusterLostError(PlannerError):
    """The scheduler has gone; what was done is stored."""


@dataclass(frozen=True, slots=True)
class Files:
    """The bytes of a problem's own file and of the file of its jobs, by their paths below one folder."""

    main: str
    content: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Refused:
    """What a worker answers that gives other results than this process would, or none at all."""

    why: str


class DaskEngine:
    """The cluster of one scheduler."""

    def __init__(self, scheduler: str) -> None:
        """Raises `BackendMissing`, and `UsageError` where nobody answers."""
        if find_spec("distributed") is None:
            raise BackendMissing("the engine dask needs 'distributed': pip install 'gridcloud-planner[dask]'")
        self._address = scheduler
        self._client = _connected(scheduler)
        self._arrived: queue.Queue[Any] = queue.Queue()
        self._tasks: dict[str, tuple[Task, Any]] = {}
        self._threads, self._counted, self._seen = 0, 0.0, time.perf_counter()

    def room(self) -> int:
        """How many more tasks it should be given now."""
        if time.perf_counter() - self._counted > _COUNT_SECONDS:
            self._counted = time.perf_counter()
            self._threads = sum(self._client.nthreads().values()) if self._reachable() else self._threads
        return max(0, max(_LEAST_AHEAD, _AHEAD * self._threads) - len(self._tasks))

    def submit(self, tasks: Sequence[Task]) -> None:
        """Take these tasks."""
        for task in tasks:
            packed = _packed(task.path, task.sha256, task.trace)
            future = self._client.submit(
                perform_packed, task, packed, key=f"{task.key}-{id(self)}", pure=False
            )
            self._tasks[future.key] = (task, future)
            future.add_done_callback(self._arrived.put)

    def poll(self, seconds: float) -> list[tuple[Task, Outcome]]:
        """What has come since the last call.

        Raises `ClusterLostError`, and `UsageError` where a worker has other versions than this process.
        """
        found: list[tuple[Task, Outcome]] = []
        try:
            while True:
                future = self._arrived.get(timeout=0.0 if found else max(seconds, 0.001))
                task, _ = self._tasks.pop(future.key)
                found.append((task, self._outcome(task, future)))
        except queue.Empty:
            self._refuse_absence()
        return found

    def close(self) -> None:
        """Take back what has not run; the cluster stays."""
        futures = [future for _, future in self._tasks.values()]
        self._tasks.clear()
        if futures and self._reachable():
            self._client.cancel(futures, force=True)
        self._client.close(timeout=2)

    def _outcome(self, task: Task, future: Any) -> Outcome:
        if future.status == "finished":
            answer: Outcome | Refused = future.result()
            if isinstance(answer, Refused):
                raise UsageError(answer.why)
            return answer
        if future.status != "error":
            raise ClusterLostError(f"the cluster at {self._address} gave a cell up; run the study again")
        error = future.exception()
        return failed(task, f"it took down the dask workers it ran on: {type(error).__name__}: {error}")

    def _reachable(self) -> bool:
        return bool(self._client.status == "running")

    def _refuse_absence(self) -> None:
        if self._reachable():
            self._seen = time.perf_counter()
        elif time.perf_counter() - self._seen > _PATIENCE_SECONDS or self._client.status == "closed":
            raise ClusterLostError(
                f"the dask scheduler at {self._address} has gone; what was done is stored: run it again"
            )


def perform_packed(task: Task, packed: Files) -> Outcome | Refused:
    """On a dask worker: run the cell in this thread's own watched process.

    Raises nothing: an error that cannot be sent leaves the client waiting for ever.
    """
    from distributed import get_worker

    try:
        differs = difference(task.versions)
        if differs is not None:
            text = f"the dask worker {get_worker().address} has other versions than this process: {differs}"
            return Refused(f"{text}; install the same there, as results depend on them")
        return _performed(replace(task, path=_unpacked(task.sha256, task.trace_sha256, packed)))
    except Exception as error:
        return Refused(f"the dask worker {get_worker().address} cannot run cells: {error!r}")


def _performed(task: Task) -> Outcome:
    engine = getattr(_thread, "engine", None)
    if engine is None:
        engine = _thread.engine = LocalEngine(1, task.threads)
    engine.submit([task])
    found: list[tuple[Task, Outcome]] = []
    while not found:
        found = engine.poll(1.0)
    return found[0][1]


_thread = threading.local()


def _connected(scheduler: str) -> Any:
    from distributed import Client

    try:
        return Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        reason = str(error) or type(error).__name__
        raise UsageError(f"no dask scheduler answers at {scheduler}: {reason}") from error


@lru_cache(8)
def _packed(path: str, sha256: str, trace: str | None) -> Files:  # noqa: ARG001 - the hash is part of the key
    """The files of a problem, with the names they have in its folder."""
    main = Path(path)
    content = {main.name: main.read_bytes()}
    if trace is not None:
        content[trace] = (main.parent / trace).read_bytes()
    return Files(main.name, content)


_folders: dict[Any, tempfile.TemporaryDirectory[str]] = {}
_unpacking = threading.Lock()


def _unpacked(sha256: str, trace_sha256: str | None, packed: Files) -> str:
    """The path of the problem's file here, which is written when it is first needed."""
    with _unpacking:
        key = (sha256, trace_sha256, packed.main)
        if key not in _folders:
            _folders[key] = tempfile.TemporaryDirectory(prefix="planner-study-", ignore_cleanup_errors=True)
            for name, data in packed.content.items():
                target = Path(_folders[key].name, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                write_bytes(target, data)
        return str(Path(_folders[key].name, packed.main))
