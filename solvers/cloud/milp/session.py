"""Backends in a process of their own, watched from here: they crash, hang or print, and nothing is left."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from planner.errors import BackendMissing, PlannerError
from planner.solver import Effort, TimeLimit
from solvers.cloud.milp import cbclog
from solvers.cloud.milp.program import Program, Terms

GRACE_SECONDS = 0.5
"""What a backend may take to end when asked to; less than `planner.stopping` gives its caller."""

_POLL_SECONDS = 0.05


class BackendFailed(PlannerError):
    """A backend crashed, or its process ended without an answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a backend said, unchecked; `killed`: it had to be stopped by force and said nothing.

    `sol_status` is PuLP's: 1 optimal, 2 feasible, 0 nothing found, -1 infeasible, -2 unbounded. `bound` is
    the dual bound the backend itself reports; None: not to be had. `out_of_time`: it ran up to its limit.
    """

    backend: str
    sol_status: int = 0
    values: tuple[float | None, ...] = ()
    bound: float | None = None
    killed: bool = False
    out_of_time: bool = False

    @property
    def claims_solution(self) -> bool:
        """Whether the values are said to be a solution."""
        return self.sol_status > 0

    @property
    def claims_infeasible(self) -> bool:
        """Whether it says that there is no solution."""
        return self.sol_status < 0


class Session:
    """One child process for several programs; ends with all its children when the block is left."""

    def __init__(self, backend: str, effort: Effort) -> None:
        self._backend, self._effort = backend, effort

    def __enter__(self) -> Session:
        """Start the child; it imports PuLP while the caller builds the program."""
        self._folder = tempfile.TemporaryDirectory(prefix="planner-milp-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        self._log, self._errors = folder / "log.txt", folder / "errors.txt"
        temporary = dict.fromkeys(("TMPDIR", "TMP", "TEMP"), self._folder.name)
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)  # noqa: PTH109
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "solvers.cloud.milp.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=self._folder.name,
                env={**os.environ, **temporary, "PYTHONPATH": paths},
                start_new_session=True,
            )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read, name="milp-replies", daemon=True)
        self._reader.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Kill the child's whole process group, whatever state it is in."""
        self._signal(
            getattr(signal, "SIGKILL", signal.SIGTERM)
        )  # before wait: a reaped id may be someone else's
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._stdin.close()
        self._reader.join(1)
        self._folder.cleanup()

    def solve(self, program: Program, objective: Terms, limit: TimeLimit | None = None) -> Reply:
        """Minimise `objective`, within `limit` in place of the session's, if given.

        Raises `BackendMissing` and `BackendFailed`.
        """
        effort = self._effort if limit is None else replace(self._effort, limit=limit)
        if effort.stopped_by is not None:
            return Reply(self._backend, killed=True)
        self._log.unlink(missing_ok=True)
        request = {
            "backend": self._backend,
            "variables": [(variable.low, variable.high) for variable in program.variables],
            "rows": [(list(row.terms.items()), row.sense, row.right) for row in program.rows],
            "objective": list(objective.items()),
            "until": None if effort.limit.seconds is None else time.time() + effort.limit.remaining,
            "threads": effort.workers,
            "seed": effort.seed,
            "log": str(self._log),
        }
        with contextlib.suppress(OSError):  # a child that is gone is noticed below
            self._stdin.write(json.dumps(request).encode() + b"\n")
            self._stdin.flush()
        line = self._wait(effort)
        return Reply(self._backend, killed=True) if line is None else self._reply(line)

    @property
    def _stdin(self) -> Any:
        assert self._process.stdin is not None
        return self._process.stdin

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stdout:
            for line in stdout:
                self._lines.put(line)
        self._lines.put(b"")

    def _wait(self, effort: Effort) -> bytes | None:
        """The next reply, empty where the child ended; None where it did not stop when it had to."""
        asked: float | None = None
        while asked is None or time.perf_counter() - asked < GRACE_SECONDS:
            with contextlib.suppress(queue.Empty):
                return self._lines.get(timeout=_POLL_SECONDS)
            if asked is None and effort.stopped_by is not None:
                asked = time.perf_counter()
                self._signal(signal.SIGINT)  # CBC then ends with the best solution it has
        return None

    def _signal(self, number: int) -> None:
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

    def _reply(self, line: bytes) -> Reply:
        try:
            told = json.loads(line)
        except ValueError:
            raise BackendFailed(f"backend {self._backend!r} {self._end()}") from None
        if "missing" in told:
            raise BackendMissing(told["missing"])
        if "error" in told:
            raise BackendFailed(f"backend {self._backend!r} failed: {told['error']}")
        log = self._log.read_text(errors="replace") if self._log.exists() else ""
        own = told["bound"]
        return Reply(
            told["backend"],
            told["sol_status"],
            tuple(told["values"]),
            cbclog.lower_bound(log) if own is None else own,
            out_of_time=told["out_of_time"],
        )

    def _end(self) -> str:
        """How the child ended, with the last thing it said."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.returncode
        said = self._errors.read_text(errors="replace").strip().splitlines()
        how = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with code {code}"
        return f"{how} and no answer" + (f": {said[-1]}" if said else "")
