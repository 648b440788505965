"""What a study is: what to run on what, before any instance is read."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from planner.goal import Goal
from planner.notes import NO_NOTES, Notes
from planner.report.names import solver_label
from planner.settings import MAX_SEED


@dataclass(frozen=True, slots=True)
class Choice:
    """One solver or policy with its options, and `place`, where in the study's file it stands."""

    name: str
    options: Mapping[str, object] = field(default_factory=dict)
    place: str = field(default="", compare=False)

    @property
    def label(self) -> str:
        """As one would write it: `name`, or `name:option=value;…`."""
        return solver_label(self.name, self.options)


@dataclass(frozen=True, slots=True)
class Study:
    """Solvers on instances and policies on systems; everything listed is crossed with everything.

    `instances` are paths and patterns, relative to `folder`. `goals` empty: each solver's own. `seeds` None:
    1, for a system its own. `time_limit` (seconds) and `memory_limit` (MB of a worker process) are for each
    cell, `threads` for each solver; `workers` cells run at once, None: as many as cores allow. `reference`,
    `series` and `bound` are those of `planner.simulate`. `source` is the file, for messages.
    """

    name: str
    instances: tuple[str, ...]
    solvers: tuple[Choice, ...] = ()
    policies: tuple[Choice, ...] = ()
    goals: tuple[Goal, ...] = ()
    seeds: tuple[int, ...] | None = None
    repetitions: int = 1
    time_limit: float | None = None
    memory_limit: float | None = None
    threads: int = 1
    workers: int | None = None
    reference: bool = False
    series: bool = False
    bound: bool = True
    folder: Path = Path()
    source: str = "study"
    notes: Notes = field(default=NO_NOTES, compare=False)


def seed_of(seed: int, repetition: int) -> int:
    """The seed of a repetition, counted from 1: the first has the seed itself, the others derived ones.

    It depends on nothing else, so all solvers and policies of a repetition share it, and more repetitions
    leave those there were as they are.
    """
    if repetition == 1:
        return seed
    digest = hashlib.sha256(f"planner/study/1 seed {seed} repetition {repetition}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % (MAX_SEED + 1)
