"""Who is at which cells: a claim lasts as long as its process, and not by any clock.

A claimer holds a lock on a small file beside the store while it lives. The system takes the lock back when
the process ends in whatever way, so a claimer whose lock can be taken is dead, and its cells are free.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from pathlib import Path
from types import TracebackType

from planner.errors import UsageError


class Claimer:
    """A process that runs cells of a store; a context manager that ends as a claimer when it is left."""

    def __init__(self, store: Path) -> None:
        """Raises `UsageError` where the lock's file cannot be made."""
        self.name = secrets.token_hex(8)
        self._path = _lock_path(store, self.name)
        try:
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        except OSError as error:
            text = f"the store {store} needs a file beside it: {os.strerror(error.errno or 0)}"
            raise UsageError(text) from error
        fcntl.flock(self._handle, fcntl.LOCK_EX)

    def __enter__(self) -> Claimer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Removed first: who comes between the two finds no file, and that says the same as a free lock.
        with contextlib.suppress(OSError):
            self._path.unlink()
        os.close(self._handle)


def is_alive(store: Path, name: str) -> bool:
    """Whether the claimer of that name still lives; the file of a dead one is removed."""
    path = _lock_path(store, name)
    try:
        handle = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    except PermissionError:  # another user's, who alone can tell
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        with contextlib.suppress(OSError):
            path.unlink()
        return False
    finally:
        os.close(handle)


def _lock_path(store: Path, name: str) -> Path:
    return store.with_name(f"{store.name}-claimer-{name}")
