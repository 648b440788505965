"""Time and memory of one call, each in a process of its own so that calls do not share anything."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Measured:
    """What a call returned, its wall seconds, and the peak memory of its process in MB, imports included."""

    value: Any
    seconds: float
    megabytes: float


def measured(
    call: Callable[..., Any], *arguments: Any, imports: Callable[[], None] | None = None
) -> Measured:
    """Run `call(*arguments)` in a fresh process; the seconds do not include its start and `imports`."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(theirs, call, arguments, imports or call_imports))
    process.start()
    theirs.close()
    try:
        found: Measured = ours.recv()
    except EOFError:
        raise RuntimeError(f"{call.__name__} ended without an answer") from None
    process.join()
    return found


def _run(
    connection: Connection,
    call: Callable[..., Any],
    arguments: tuple[Any, ...],
    imports: Callable[[], None],
) -> None:
    imports()
    started = time.perf_counter()
    value = call(*arguments)
    seconds = time.perf_counter() - started
    peak = _peak_kilobytes() / 1024
    connection.send(Measured(value, seconds, peak))


def _peak_kilobytes() -> int:
    """The most memory this process has had, in KiB; what Linux says of its parent does not count."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text(encoding="ascii").splitlines())
        return int(lines["VmHWM"].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def call_imports() -> None:
    """Load what every call on cloud instances needs, so that no call pays for it."""
    import pulp  # noqa: F401
    from ortools.linear_solver import pywraplp  # noqa: F401
    from ortools.sat.python import cp_model  # noqa: F401

    import solvers.cloud.exact
    import solvers.cloud.rounding  # noqa: F401
