"""`planner/cloud-plan/1`: which VMs to rent, and what each one runs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from planner.files.wire.base import Count, Entries, Name, Names, Noted, Positive, fault

FORMAT = "planner/cloud-plan/1"


class PlannedTasksWire(Noted):
    """Tasks of one application and size on one VM: how many (`count`), or which (`ids`)."""

    application: Name = Field(description="Name of the application.")
    size: Positive = Field(description="Size of each of these tasks, as in the instance.")
    count: Count = Field(None, description="How many tasks.")  # type: ignore[assignment]
    ids: Names = Field(None, description="Which tasks, where the instance names them.")  # type: ignore[assignment]

    @model_validator(mode="after")
    def _one_of_two(self) -> PlannedTasksWire:
        given = {"count", "ids"} & self.model_fields_set
        if len(given) != 1:
            raise fault("needs a count or ids" if not given else "has both count and ids; give one of them")
        return self

    def domain(self) -> PlannedTasks:
        """The tasks as the domain has them."""
        ids = self.ids or ()
        return PlannedTasks(self.application, self.size, len(ids) or self.count, ids, self.notes())


class PlannedVMWire(Noted):
    """One VM, or `count` identical ones, each of which runs all of `tasks`."""

    type: Name = Field(description="Name of the instance type.")
    count: Count = Field(1, description="How many identical VMs this stands for; 1 where tasks have ids.")
    tasks: Annotated[list[PlannedTasksWire], Entries] = Field(description="What each VM runs.", min_length=1)

    def domain(self) -> PlannedVM:
        """The VM as the domain has it."""
        return PlannedVM(self.type, tuple(tasks.domain() for tasks in self.tasks), self.count, self.notes())


class PlanWire(Noted):
    """A plan for a cloud instance."""

    format: Literal["planner/cloud-plan/1"] = Field(description="Name and version of this format.")
    instance: Name = Field(description="Name of the instance the plan is for.")
    vms: Annotated[list[PlannedVMWire], Entries] = Field(description="The VMs to rent.", min_length=1)

    def domain(self) -> CloudPlan:
        """The plan as the domain has it."""
        return CloudPlan(self.instance, tuple(vm.domain() for vm in self.vms), self.notes())
