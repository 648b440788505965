"""`planner/cloud-plan/1`: which VMs to rent, and what each one runs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from planner.files.wire.base import (
    COUNT_OR_IDS,
    AnyList,
    Count,
    CountIfGiven,
    Name,
    NamesIfGiven,
    Noted,
    Positive,
)


class PlannedTasksWire(Noted):
    """Tasks of one application and size on one VM: how many (`count`), or which (`ids`)."""

    model_config = COUNT_OR_IDS

    application: Name = Field(description="Name of the application.")
    size: Positive = Field(description="Size of each of these tasks, as in the instance.")
    count: CountIfGiven = Field(default=None, description="How many tasks.")
    ids: NamesIfGiven = Field(default=None, description="Which tasks, where the instance names them.")

    def domain(self) -> PlannedTasks:
        """The tasks as the domain has them."""
        ids = self.ids or ()
        return PlannedTasks(self.application, self.size, len(ids) or self.count or 0, ids, self.notes())


class PlannedVMWire(Noted):
    """One VM, or `count` identical ones, each of which runs all of `tasks`."""

    type: Name = Field(description="Name of the instance type.")
    count: Count = Field(
        default=1, description="How many identical VMs this stands for; 1 where tasks have ids."
    )
    tasks: Annotated[list[PlannedTasksWire], AnyList] = Field(description="What each VM runs.")

    def domain(self) -> PlannedVM:
        """The VM as the domain has it."""
        return PlannedVM(self.type, tuple(tasks.domain() for tasks in self.tasks), self.count, self.notes())


class PlanWire(Noted):
    """A plan for a cloud instance."""

    format: Literal["planner/cloud-plan/1"] = Field(description="Name and version of this format.")
    instance: Name = Field(description="Name of the instance the plan is for.")
    vms: Annotated[list[PlannedVMWire], AnyList] = Field(description="The VMs to rent.")

    def domain(self) -> CloudPlan:
        """The plan as the domain has it."""
        return CloudPlan(self.instance, tuple(vm.domain() for vm in self.vms), self.notes())
