"""Run a solver so that Ctrl-C and the time limit hold, even while it is inside native code.

A native library keeps Python's signal handler waiting until it returns, so the solver runs in a thread of
its own and the caller's thread only waits. Whoever must stop is asked to first (`Effort.stop`, or the limit
it can see itself) and is left behind when it does not; what it reported until then is kept by the caller.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from planner.result import StoppedBy
from planner.solver import Effort

T = TypeVar("T")

GRACE = 1.0
"""Seconds a solver gets to return by itself after it should have stopped."""

_LOOK = 0.2
"""Seconds between two looks at the clock; also how long Ctrl-C may wait where waiting blocks signals."""

_left_behind: list[threading.Thread] = []


class LeftBehindError(Exception):
    """The solver did not return when it had to; `stopped_by` says which limit it ignored."""

    def __init__(self, stopped_by: StoppedBy) -> None:
        """`stopped_by` is what it should have stopped for."""
        self.stopped_by = stopped_by
        super().__init__(stopped_by.value)


class Interruptible(Generic[T]):
    """One call of `work` in a thread; `interrupted` tells whether Ctrl-C came while it ran."""

    def __init__(self, work: Callable[[], T], effort: Effort) -> None:
        """`effort` is what `work` was given, too."""
        self._work, self._effort = work, effort
        self._done = threading.Event()
        self._value: list[T] = []
        self._error: BaseException | None = None
        self.interrupted = False

    def run(self) -> T:
        """What `work` returns or raises. Raises `LeftBehindError` where it does not stop when it must."""
        thread = threading.Thread(target=self._body, name="solver", daemon=True)
        thread.start()
        try:
            returned = self._wait(self._effort.limit.remaining + GRACE)
        except KeyboardInterrupt:
            self.interrupted = True
            self._effort.stop.set()
            returned = self._wait_after_interrupt()
        if not returned:
            self._effort.stop.set()
            _left_behind.append(thread)
            raise LeftBehindError(StoppedBy.INTERRUPTED if self.interrupted else StoppedBy.TIME_LIMIT)
        if self._error is not None:
            raise self._error
        return self._value[0]

    def _body(self) -> None:
        try:
            self._value.append(self._work())
        except BaseException as error:  # handed to the waiting thread, KeyboardInterrupt and SystemExit too
            self._error = error
        finally:
            self._done.set()

    def _wait(self, seconds: float) -> bool:
        end = time.perf_counter() + seconds
        while not self._done.wait(min(_LOOK, max(0.0, end - time.perf_counter()))):
            if time.perf_counter() >= end:
                return False
        return True

    def _wait_after_interrupt(self) -> bool:
        try:
            return self._wait(GRACE)
        except KeyboardInterrupt:  # a second Ctrl-C: now
            return False


def any_left_behind() -> bool:
    """Whether a solver that was left behind still runs; the process must then end without waiting for it."""
    return any(thread.is_alive() for thread in _left_behind)
