"""What a plan for a grid step is: a resource for each job, and its turn among the new jobs there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from planner.grid.step import GridStep
from planner.notes import NO_NOTES, Notes


@dataclass(frozen=True, slots=True)
class Assignment:
    """`job` goes to `resource`, as the `position`-th of its new jobs (1 is served first)."""

    job: str
    resource: str
    position: int
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True)
class GridPlan:
    """Assignments for the step of that name; None where a plan file does not name it."""

    instance: str | None
    assignments: tuple[Assignment, ...]
    notes: Notes = field(default=NO_NOTES, compare=False)

    @property
    def used(self) -> int:
        """How many resources get a job."""
        return len({assignment.resource for assignment in self.assignments})


def plan_of(step: GridStep, queues: Sequence[Sequence[int]]) -> GridPlan:
    """The plan in which resource i serves the new jobs `queues[i]` (indices of jobs) in that order."""
    placed: dict[int, Assignment] = {}
    for resource, queue in zip(step.resources, queues, strict=True):
        for turn, job in enumerate(queue, start=1):
            placed[job] = Assignment(step.jobs[job].name, resource.name, turn)
    return GridPlan(step.name, tuple(placed[job] for job in sorted(placed)))
