"""Which files are meant by the paths a person gives."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from planner.errors import Fault, InputError
from planner.files import formats

_DIGITS = re.compile(r"([0-9]+)")
_FORMAT = re.compile(rb'"format"\s*:\s*"(planner/[^"]*)"')

Skipped = Callable[[Path, str], None]
"""Is told each file that is skipped, and its format."""


def find_instances(paths: Iterable[str | Path], skipped: Skipped | None = None) -> list[Path]:
    """The instance files that `paths` name, in the order given, each once; "-" stands for stdin.

    Instances are what solvers take: cloud instances and grid steps. A folder gives its `*.json`, subfolders
    included and hidden ones left out, sorted so that b40 < b45 < b100. Those whose `format` is another of
    this project's, as plans, results and grid systems, are left out and told to `skipped`; a file named by
    itself never is. A pattern that no file is called by is expanded likewise. Raises `InputError` that names
    every path that does not exist and every folder without instances.
    """
    return _found(paths, _only(formats.INSTANCES, skipped), "instances")


def find_systems(paths: Iterable[str | Path], skipped: Skipped | None = None) -> list[Path]:
    """As `find_instances`, for grid systems, which are simulated."""
    return _found(paths, _only((formats.SYSTEM,), skipped), "systems")


def find_problems(paths: Iterable[str | Path], skipped: Skipped | None = None) -> list[Path]:
    """As `find_instances`, for all that a study runs on: instances and grid systems."""
    return _found(paths, _only((*formats.INSTANCES, formats.SYSTEM), skipped), "instances or systems")


def find_files(paths: Iterable[str | Path]) -> list[Path]:
    """As `find_instances`, with all `*.json` of the folders, whatever they hold."""
    return _found(paths, lambda _: True, "files")


def trace_file(path: str | Path) -> Path | None:
    """The file of jobs that the grid system in the file `path` names; None where there is none."""
    from planner.files.text import LARGEST_FILE, load  # not needed where nothing may be lost

    try:
        with Path(path).open("rb") as file:
            if b'"file"' not in file.read(LARGEST_FILE):
                return None
        tree = load(path).tree
    except (OSError, ValueError, InputError):
        return None
    jobs = tree.get("jobs") if isinstance(tree, dict) else None
    name = jobs.get("file") if isinstance(jobs, dict) else None
    return Path(path).parent / name if isinstance(name, str) and "\0" not in name else None


def natural(text: str | Path) -> tuple[tuple[int, int, str], ...]:
    """A sorting key under which numbers inside names count as numbers."""
    parts = _DIGITS.split(str(text))
    return tuple((1, int(part), part) if index % 2 else (0, 0, part) for index, part in enumerate(parts))


def _only(sought: tuple[str, ...], skipped: Skipped | None) -> Callable[[Path], bool]:
    """A test of files for these formats; what is clearly of another one is told to `skipped`."""

    def wanted(path: Path) -> bool:
        other = _other_format(path, sought)
        if other is not None and skipped is not None:
            skipped(path, other)
        return other is None

    return wanted


def _found(paths: Iterable[str | Path], wanted: Callable[[Path], bool], what: str) -> list[Path]:
    found: dict[str, Path] = {}
    faults: list[Fault] = []
    given = [str(path) for path in paths]
    for text in given:
        for path in _expand(text, wanted, what, faults):
            found.setdefault(text if text == "-" else os.path.realpath(path), path)
    if faults:
        raise InputError("", faults)
    return list(found.values())


def _other_format(path: Path, sought: tuple[str, ...]) -> str | None:
    """The file's format where it is clearly another of this project's than those sought, of any version.

    What is not such a file, or cannot be read, is left for its reader to judge.
    """
    from planner.files.text import LARGEST_FILE, load  # not needed where no folder is searched

    try:
        with path.open("rb") as file:
            given = _FORMAT.findall(file.read(LARGEST_FILE))
        if not given or all(name.decode("utf-8", "replace") in sought for name in given):
            return None
        tree = load(path).tree
    except (OSError, ValueError, InputError):
        return None
    if not isinstance(tree, dict):
        return None
    name = tree.get("format")
    if not isinstance(name, str) or not name.startswith("planner/"):
        return None
    if any(name.startswith(one.rstrip("0123456789")) for one in sought):
        return None
    meant = name not in formats.ALL and formats.guess(tree) in sought
    return None if meant else name


def _expand(text: str, wanted: Callable[[Path], bool], what: str, faults: list[Fault]) -> list[Path]:
    path = Path(text)
    if text == "-":
        return [path]
    if os.path.isdir(text):  # noqa: PTH112 - Path.is_dir raises on text that no path can be
        before = len(faults)
        files = [file for file in _in_folder(path, faults) if wanted(file)]
        if not files and len(faults) == before:
            faults.append(Fault(text, f"the folder holds no {what} (*.json)"))
        return files
    if os.path.exists(text):  # noqa: PTH110
        return [path]
    matches = sorted(glob.glob(text), key=natural) if glob.has_magic(text) else []  # noqa: PTH207
    if not matches:
        faults.append(Fault(text, "there is no such file or folder"))
    return [file for match in matches for file in _expand(match, wanted, what, faults)]


def _in_folder(folder: Path, faults: list[Fault]) -> list[Path]:
    def refused(error: OSError) -> None:
        faults.append(Fault(str(error.filename), f"cannot be read: {os.strerror(error.errno or 0)}"))

    files: list[Path] = []
    for place, folders, names in os.walk(folder, onerror=refused):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [Path(place, name) for name in names if name.endswith(".json") and not name.startswith(".")]
    return sorted(files, key=natural)
