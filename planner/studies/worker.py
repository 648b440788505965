"""The process that runs cells: lists of tasks come in, an outcome a cell goes out, until the other end goes.

Started by `planner.studies.hand` with the number of its end of the connection, and the id of who started it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import queue
import signal
import sys
import threading
import warnings
from multiprocessing.connection import Connection
from typing import NoReturn

from planner.stopping import any_left_behind
from planner.studies.performing import perform
from planner.studies.task import READY, RETIRED, Task

RETIRE_AT = 0.5
"""The share of the memory limit at which a worker makes room for a fresh one before a further cell."""

_SIGKILL = getattr(signal, "SIGKILL", signal.SIGTERM)


def main() -> None:
    """Run what comes until nobody is there any more."""
    connection, client = Connection(int(sys.argv[1])), int(sys.argv[2])
    _die_with(client)
    faulthandler.enable()  # to stderr, which the other end reads when this process has ended
    warnings.simplefilter("ignore")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    tasks: queue.Queue[Task] = queue.Queue()
    threading.Thread(target=_receive, args=(connection, tasks), daemon=True).start()
    connection.send(READY)
    while True:
        task = tasks.get()
        connection.send(perform(task))
        if any_left_behind() or _too_large(task.memory_limit):
            connection.send(RETIRED)
            _end()


def _receive(connection: Connection, tasks: queue.Queue[Task]) -> None:
    """Take in tasks; the end of the connection is the end of the client, and so of this process."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            for task in connection.recv():
                tasks.put(task)
    _end()


def _end() -> NoReturn:
    with contextlib.suppress(OSError):
        os.killpg(0, _SIGKILL)
    os._exit(0)


def _too_large(limit: float | None) -> bool:
    if limit is None:
        return False
    import psutil

    return bool(psutil.Process().memory_info().rss > RETIRE_AT * limit * 2**20)


def _die_with(client: int) -> None:
    """Have the system end this process with its client, and choose it first where memory runs out.

    A thread sees the end of the connection, too, but not while native code holds the interpreter.
    """
    if sys.platform != "linux":
        return
    import ctypes

    set_death_signal = 1
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(set_death_signal, int(_SIGKILL), 0, 0, 0)
    if os.getppid() != client:
        _end()
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:  # noqa: PTH123
        file.write("500")


if __name__ == "__main__":
    main()
