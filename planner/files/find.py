"""Which files are meant by the paths a person gives."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from pathlib import Path

from planner.errors import Fault, InputError

_DIGITS = re.compile(r"([0-9]+)")


def find_instances(paths: Iterable[str | Path]) -> list[Path]:
    """The files that `paths` name, in the order given, each once; "-" stands for stdin.

    A folder gives its `*.json`, subfolders included and hidden ones left out, sorted so that b40 < b45 <
    b100. A pattern that no file is called by is expanded likewise. Raises `InputError` that names every path
    that does not exist and every folder without instances.
    """
    found: dict[str, Path] = {}
    faults: list[Fault] = []
    given = [str(path) for path in paths]
    for text in given:
        for path in _expand(text, faults):
            found.setdefault(text if text == "-" else os.path.realpath(path), path)
    if faults:
        raise InputError("", faults)
    return list(found.values())


def natural(text: str | Path) -> tuple[tuple[int, int, str], ...]:
    """A sorting key under which numbers inside names count as numbers."""
    parts = _DIGITS.split(str(text))
    return tuple((1, int(part), part) if index % 2 else (0, 0, part) for index, part in enumerate(parts))


def _expand(text: str, faults: list[Fault]) -> list[Path]:
    path = Path(text)
    if text == "-":
        return [path]
    if os.path.isdir(text):  # noqa: PTH112 - Path.is_dir raises on text that no path can be
        before = len(faults)
        files = _in_folder(path, faults)
        if not files and len(faults) == before:
            faults.append(Fault(text, "the folder holds no instances (*.json)"))
        return files
    if os.path.exists(text):  # noqa: PTH110
        return [path]
    matches = sorted(glob.glob(text), key=natural) if glob.has_magic(text) else []  # noqa: PTH207
    if not matches:
        faults.append(Fault(text, "there is no such file or folder"))
    return [file for match in matches for file in _expand(match, faults)]


def _in_folder(folder: Path, faults: list[Fault]) -> list[Path]:
    def refused(error: OSError) -> None:
        faults.append(Fault(str(error.filename), f"cannot be read: {os.strerror(error.errno or 0)}"))

    files: list[Path] = []
    for place, folders, names in os.walk(folder, onerror=refused):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [Path(place, name) for name in names if name.endswith(".json") and not name.startswith(".")]
    return sorted(files, key=natural)
