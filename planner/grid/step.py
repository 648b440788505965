"""What a grid step is: a snapshot of shared FIFO resources, and the jobs to place on them now.

The model is that of Moradi, "A centralized reinforcement learning method for multi-agent job scheduling in
Grid" (2016), section III, with one step's allocation taken as a problem of its own (docs/model-grid.md).
Lengths and backlogs are units of work, capacities units of work a step, times are steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from planner.notes import NO_NOTES, Notes


@dataclass(frozen=True, slots=True)
class Resource:
    """A machine that serves one job at a time, first in, first out.

    `backlog` is the work queued or in service; `utility` what schedulers have learnt about the resource,
    None where nothing is known.
    """

    name: str
    capacity: Fraction
    backlog: Fraction = Fraction(0)
    utility: Fraction | None = None
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work to place; `scheduler` names who places it, None where that is not told."""

    name: str
    length: Fraction
    scheduler: str | None = None
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True)
class GridStep:
    """One step's allocation problem.

    `max_jobs_per_resource` limits the new jobs on each resource; None: no limit. `sha256` is that of the
    bytes of the file it was read from, None where it was made in memory.
    """

    name: str
    resources: tuple[Resource, ...]
    jobs: tuple[Job, ...]
    max_jobs_per_resource: int | None = None
    notes: Notes = field(default=NO_NOTES, compare=False)
    sha256: str | None = field(default=None, compare=False)

    @property
    def places(self) -> int | None:
        """How many new jobs fit in all; None: no limit."""
        limit = self.max_jobs_per_resource
        return None if limit is None else limit * len(self.resources)
