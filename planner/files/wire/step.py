"""`planner/grid-step/1`: resources with what is queued there, and jobs to place on them now."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from planner.files.wire.base import (
    AnyList,
    AtLeast0,
    Entries,
    LimitFrom1,
    Name,
    NameOrNull,
    Noted,
    NumberOrNull,
    Positive,
)
from planner.grid.step import GridStep, Job, Resource


class ResourceWire(Noted):
    """A machine that serves one job at a time, first in, first out."""

    name: Name = Field(description="Name of the resource; no other one may have it.")
    capacity: Positive = Field(description="Units of work it does in a step.")
    backlog: AtLeast0 = Field(
        default=Fraction(0),
        description="Units of work queued or in service.",
        json_schema_extra={"default": 0},
    )
    utility: NumberOrNull = Field(
        default=None, description="What schedulers have learnt about it, for clds and osl; null: nothing."
    )

    def domain(self) -> Resource:
        """The resource as the domain has it."""
        return Resource(self.name, self.capacity, self.backlog, self.utility, self.notes())


class JobWire(Noted):
    """A piece of work to place."""

    name: Name = Field(description="Name of the job; no other one may have it.")
    length: Positive = Field(description="Units of work.")
    scheduler: NameOrNull = Field(default=None, description="Who places it; null: not told.")

    def domain(self) -> Job:
        """The job as the domain has it."""
        return Job(self.name, self.length, self.scheduler, self.notes())


class StepWire(Noted):
    """A snapshot of a grid: which resource should get which new job, and in which order?"""

    format: Literal["planner/grid-step/1"] = Field(description="Name and version of this format.")
    name: Name = Field(description="Name of the step.")
    max_jobs_per_resource: LimitFrom1 = Field(
        default=None, description="Most new jobs on each resource; null: no limit."
    )
    resources: Annotated[list[ResourceWire], Entries] = Field(
        description="The resources, at least one.", min_length=1
    )
    jobs: Annotated[list[JobWire], AnyList] = Field(description="The new jobs; there may be none.")

    def domain(self, sha256: str | None) -> GridStep:
        """The step as the domain has it; `sha256` is that of the file's bytes."""
        return GridStep(
            name=self.name,
            resources=tuple(resource.domain() for resource in self.resources),
            jobs=tuple(job.domain() for job in self.jobs),
            max_jobs_per_resource=self.max_jobs_per_resource,
            notes=self.notes(),
            sha256=sha256,
        )
