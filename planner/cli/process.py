"""What the command line does as a process: signals, and an end that neither hangs nor complains."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import NoReturn


def run_process() -> NoReturn:
    """Run the command in `sys.argv` and exit with its code."""
    # SIGTERM, too, is answered with the best plan so far. Both are set, because a process that a script put
    # into the background has been told to ignore SIGINT and could not be asked for its plan.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        from planner.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    _flush()
    stopping = sys.modules.get("planner.stopping")
    if stopping is not None and stopping.any_left_behind():
        # A solver stuck in native code must not keep the process, nor crash while Python is taken down.
        os._exit(code)
    sys.exit(code)


def _flush() -> None:
    """Flush what click printed itself (help); a reader that has gone is no reason for a complaint at exit."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None:
            continue
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
