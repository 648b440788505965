"""One worker process as its client sees it: what it is at, how long, its memory, and its last words."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence

import psutil

from planner.studies.task import RETIRED, Outcome, Task, failed

GRACE = 10.0
"""Seconds beyond its time limit after which a cell's process is killed: solvers keep the limit themselves,
and a first cell also loads its libraries."""

_LAST_WORDS = 8_000  # bytes of a dead worker's stderr
_MEGABYTE = 2**20
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class Hand:
    """A worker process in a process group of its own, started when made.

    `given` are the cells it has, the first being run. `ready`: it has started. `retired`: it ended by itself
    between two cells, to make room for a fresh one. `ended`: it is gone; `last_words` is then the end of what
    it said on stderr.
    """

    def __init__(self, threads: int) -> None:
        """`threads` is what its numeric libraries may use."""
        self.connection, theirs = multiprocessing.Pipe()
        self.given: deque[Task] = deque()
        self.ready = self.retired = self.ended = False
        self.last_words = ""
        self._since = time.perf_counter()
        self._errors = tempfile.TemporaryFile(prefix="planner-worker-")  # noqa: SIM115 - as long as the hand
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)  # noqa: PTH109
        self._process = subprocess.Popen(
            [sys.executable, "-m", "planner.studies.worker", str(theirs.fileno()), str(os.getpid())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=[theirs.fileno()],
            env={**os.environ, **dict.fromkeys(_THREADS, str(threads)), "PYTHONPATH": paths},
            start_new_session=True,
        )
        theirs.close()

    def give(self, tasks: Sequence[Task]) -> None:
        """More cells, to be run one after another."""
        if not self.given:
            self._since = time.perf_counter()
        self.given.extend(tasks)
        with contextlib.suppress(OSError):  # it has just died; its next outcome will be that
            self.connection.send(list(tasks))

    def received(self) -> list[tuple[Task, Outcome]]:
        """The cells it is done with, without waiting; `ended` tells whether it will say no more."""
        found: list[tuple[Task, Outcome]] = []
        try:
            while self.connection.poll():
                message = self.connection.recv()
                self._since = time.perf_counter()
                if isinstance(message, Outcome):
                    found.append((self.given.popleft(), message))
                else:
                    self.ready, self.retired = True, message == RETIRED
        except (EOFError, OSError):
            self.ended = True
        return found

    @property
    def seconds(self) -> float:
        """How long it has been at its cell."""
        return time.perf_counter() - self._since

    def offence(self) -> str | None:
        """Which limit its cell has broken, in words; None: none."""
        if not (self.ready and self.given):
            return None
        task = self.given[0]
        if task.time_limit is not None and self.seconds > task.time_limit + GRACE:
            return f"killed {GRACE:g} s after the time limit of {task.time_limit:g} s, as it did not stop"
        if task.memory_limit is not None:
            used = self._megabytes()
            if used > task.memory_limit:
                return f"killed with {used:.0f} MB in use; the memory limit is {task.memory_limit:g} MB"
        return None

    def kill(self) -> None:
        """End the process and all that is in its group."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        self.connection.close()
        self.ended = True
        with self._errors as errors:
            errors.seek(0, os.SEEK_END)
            errors.seek(max(0, errors.tell() - _LAST_WORDS))
            self.last_words = errors.read().decode("utf-8", "replace").strip()

    def buried(self, why: str | None = None) -> tuple[Task, Outcome]:
        """The cell it died of, or was killed for, and that it failed; call `kill` first."""
        task = self.given.popleft()
        cause = why or _cause(self._process.returncode)
        return task, failed(task, cause, self.last_words or None, self.seconds)

    def _megabytes(self) -> float:
        """Memory of the process and its children."""
        total = 0
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self._process.pid)
            for one in (process, *process.children(recursive=True)):
                with contextlib.suppress(psutil.Error):
                    total += one.memory_info().rss
        return total / _MEGABYTE


def _cause(code: int) -> str:
    """Why a process ended that should not have, from its exit code."""
    if code >= 0:
        return f"the solver ended its process with exit code {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    hint = "; most likely the system ran out of memory" if name == "SIGKILL" else ""
    return f"the process was ended by {name}{hint}"
