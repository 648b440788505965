"""`planner/grid-plan/1`: a resource for each job of a step, and its turn there."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from planner.files.wire.base import AnyList, Count, Name, NameIfGiven, Noted
from planner.grid.plan import Assignment, GridPlan


class AssignmentWire(Noted):
    """Where a job goes."""

    job: Name = Field(description="Name of the job.")
    resource: Name = Field(description="Name of the resource.")
    position: Count = Field(description="Its turn among the new jobs there; 1 is served first.")

    def domain(self) -> Assignment:
        """The assignment as the domain has it."""
        return Assignment(self.job, self.resource, self.position, self.notes())


class GridPlanWire(Noted):
    """A plan for a grid step."""

    format: Literal["planner/grid-plan/1"] = Field(description="Name and version of this format.")
    instance: NameIfGiven = Field(default=None, description="Name of the step the plan is for.")
    assignments: Annotated[list[AssignmentWire], AnyList] = Field(description="One for each job.")

    def domain(self) -> GridPlan:
        """The plan as the domain has it."""
        return GridPlan(
            self.instance, tuple(assignment.domain() for assignment in self.assignments), self.notes()
        )
