"""What a study runs on: the instances and systems that its patterns mean, each read once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from planner import files
from planner.cloud.instance import CloudInstance
from planner.errors import InputError
from planner.grid.step import GridStep
from planner.kinds import Instance, kind_of
from planner.report.conversion import facts_of

if TYPE_CHECKING:
    from planner.grid.system import GridSystem

GRID = "grid"
"""The kind of systems, which policies run on; the others are those of `planner.kinds`."""

Skipped = Callable[[Path, str], None]


@dataclass(frozen=True, slots=True)
class Problem:
    """One instance or system as a study needs it: where it is, what it is, and what is in it.

    `sha256` is that of the file's bytes, `trace_sha256` that of the jobs' own file, where there is one, and
    `trace` its name, relative to the folder of the first. `seed` is a system's own. `facts` are numbers that
    a report may plot against.
    """

    path: Path
    name: str
    kind: str
    sha256: str
    trace: str | None = None
    trace_sha256: str | None = None
    seed: int | None = None
    facts: Mapping[str, float | None] = field(default_factory=dict, compare=False)

    @property
    def content(self) -> str:
        """What is the same for two problems of the same content, however they are called."""
        return self.sha256 if self.trace_sha256 is None else f"{self.sha256}+{self.trace_sha256}"


def find_problems(
    patterns: Iterable[str], folder: Path, source: str, skipped: Skipped | None = None
) -> list[Problem]:
    """What the patterns mean, relative to `folder`, in their order and each file once.

    `skipped` is told each file of a folder that is no instance or system. Raises one `InputError` with the
    faults of all patterns and files.
    """
    errors: list[InputError] = []
    paths: dict[str, Path] = {}
    for index, pattern in enumerate(patterns):
        try:
            for path in files.find_problems([os.path.join(folder, pattern)], skipped):  # noqa: PTH118 - keeps "./-"
                paths.setdefault(os.path.realpath(path), path)
        except InputError as error:
            errors.append(InputError(source, [fault.of(f"instances[{index}]") for fault in error.faults]))
    found: list[Problem] = []
    for path in paths.values():
        try:
            found.append(problem_of(files.read(path), path))
        except InputError as error:
            errors.append(error)
    if errors:
        raise InputError.joined(errors)
    return found


def problem_of(thing: Instance | GridSystem, path: Path) -> Problem:
    """The instance or system in that file as a study needs it."""
    assert thing.sha256 is not None, "it was read from a file"
    facts = facts_of(thing)
    if isinstance(thing, CloudInstance | GridStep):
        return Problem(path, thing.name, kind_of(thing).name, thing.sha256, facts=facts)
    trace = _trace_name(thing, path)
    return Problem(path, thing.name, GRID, thing.sha256, trace, thing.trace_sha256, thing.seed, facts)


def _trace_name(system: GridSystem, path: Path) -> str | None:
    """The file of the system's jobs, which only the text of the system's own file names."""
    if system.trace_sha256 is None:
        return None
    from planner.files.text import load

    tree = load(path).tree
    assert isinstance(tree, dict)
    return str(tree["jobs"]["file"])
