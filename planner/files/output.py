"""Write a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from planner.errors import Fault, InputError


def write_text(path: str | Path, text: str) -> None:
    """Replace the file's content by `text` (UTF-8) in one step; readers see the old or the new, never half.

    Symbolic links are followed; devices and pipes are written to directly. Raises `InputError` where the
    folder is missing or not writable, the disk is full, or `path` is a folder.
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            str(path), [Fault("", "cannot be written: half of a surrogate pair in a text")]
        ) from error
    write_bytes(path, data)


def write_bytes(path: str | Path, data: bytes) -> None:
    """As `write_text`, for what is not text."""
    target = Path(os.path.realpath(path))
    try:
        if target.is_dir():
            raise InputError(str(path), [Fault("", "is a folder; a file's name is needed here")])
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        elif not target.parent.is_dir():
            raise InputError(str(path), [Fault("", f"cannot be written: there is no folder {target.parent}")])
        else:
            _replace(target, data)
    except (OSError, ValueError) as error:
        detail = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        raise InputError(str(path), [Fault("", f"cannot be written: {detail}")]) from error


def _replace(target: Path, data: bytes) -> None:
    mode = target.stat().st_mode & 0o7777 if target.exists() else None
    # In the same folder, because a rename is only atomic within one file system.
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    # Not tempfile's: those are private to the user, and the finished file would be too.
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable where the system can; elsewhere the content already is."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
