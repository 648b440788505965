"""`planner/cloud/1`: a cloud planning instance."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from planner.cloud.instance import Application, Billing, CloudInstance, InstanceType, TaskGroup
from planner.files.wire.base import (
    COUNT_OR_IDS,
    AtLeast0,
    AtLeast0OrNull,
    CountIfGiven,
    Entries,
    LimitFrom0,
    LimitFrom1,
    Name,
    NamesIfGiven,
    Noted,
    Positive,
    PositiveOrNull,
)


class TaskGroupWire(Noted):
    """Tasks of one size: how many (`count`), or which (`ids`); exactly one of the two."""

    model_config = COUNT_OR_IDS

    size: Positive = Field(description="Size of each task, in units of the application's own choosing.")
    count: CountIfGiven = Field(default=None, description="How many tasks of this size there are.")
    ids: NamesIfGiven = Field(default=None, description="The tasks' own names, one for each task.")

    def domain(self) -> TaskGroup:
        """The group as the domain has it."""
        ids = self.ids or ()
        return TaskGroup(self.size, len(ids) or self.count or 0, ids, self.notes())


class ApplicationWire(Noted):
    """A bag of independent tasks of the same kind."""

    name: Name = Field(description="Name of the application; no other one may have it.")
    tasks: Annotated[list[TaskGroupWire], Entries] = Field(
        description="The tasks, grouped by size.", min_length=1
    )

    def domain(self) -> Application:
        """The application as the domain has it."""
        return Application(self.name, tuple(group.domain() for group in self.tasks), self.notes())


class InstanceTypeWire(Noted):
    """A kind of machine one can rent."""

    name: Name = Field(description="Name of the type; no other one may have it.")
    price: AtLeast0 = Field(description="Money per hour; 0 for a machine one owns.")
    fee: AtLeast0 = Field(
        default=Fraction(0), description="Money once for each rented VM.", json_schema_extra={"default": 0}
    )
    startup: AtLeast0OrNull = Field(
        default=None,
        description="Seconds before the first task, paid for; replaces the instance's. null: the instance's.",
    )
    max_instances: LimitFrom0 = Field(
        default=None, description="Most VMs of this type in a plan; null: no limit."
    )
    seconds_per_unit: dict[str, PositiveOrNull] = Field(
        description="For each application, by name: seconds for one unit of size; null: cannot run it."
    )

    def domain(self, applications: list[str]) -> InstanceType:
        """The type as the domain has it, its speeds in the order of `applications`."""
        return InstanceType(
            name=self.name,
            price=self.price,
            seconds_per_unit=tuple(self.seconds_per_unit[name] for name in applications),
            fee=self.fee,
            startup=self.startup,
            max_instances=self.max_instances,
            notes=self.notes(),
        )


class BillingWire(Noted):
    """How rented time is charged: rounded up to a whole number of quanta, after applying the minimum."""

    quantum: Positive = Field(
        default=Fraction(3600),
        description="Seconds in one billed unit of time.",
        json_schema_extra={"default": 3600},
    )
    minimum: AtLeast0 = Field(
        default=Fraction(0),
        description="Least seconds charged for each VM.",
        json_schema_extra={"default": 0},
    )


class CloudWire(Noted):
    """A cloud planning instance: bag-of-tasks applications, instance types, budget and limits."""

    format: Literal["planner/cloud/1"] = Field(description="Name and version of this format.")
    name: Name = Field(description="Name of the instance.")
    budget: AtLeast0OrNull = Field(default=None, description="Most money a plan may cost; null: no limit.")
    deadline: AtLeast0OrNull = Field(default=None, description="Most seconds any VM may run; null: no limit.")
    startup: AtLeast0 = Field(
        default=Fraction(0),
        description="Seconds from renting a VM to its first task (the overhead o), paid for.",
        json_schema_extra={"default": 0},
    )
    billing: BillingWire = Field(
        default_factory=BillingWire,
        description="How rented time is charged.",
        json_schema_extra={"default": {"quantum": 3600, "minimum": 0}},
    )
    max_vms: LimitFrom1 = Field(
        default=None, description="Most VMs in a plan, over all types; null: no limit."
    )
    applications: Annotated[list[ApplicationWire], Entries] = Field(
        description="The applications, at least one.", min_length=1
    )
    instance_types: Annotated[list[InstanceTypeWire], Entries] = Field(
        description="The instance types, at least one.", min_length=1
    )

    def domain(self, sha256: str | None) -> CloudInstance:
        """The instance as the domain has it; `sha256` is that of the file's bytes."""
        names = [application.name for application in self.applications]
        return CloudInstance(
            name=self.name,
            applications=tuple(application.domain() for application in self.applications),
            instance_types=tuple(instance_type.domain(names) for instance_type in self.instance_types),
            budget=self.budget,
            deadline=self.deadline,
            startup=self.startup,
            billing=Billing(self.billing.quantum, self.billing.minimum),
            max_vms=self.max_vms,
            notes=self.notes(),
            sha256=sha256,
        )
