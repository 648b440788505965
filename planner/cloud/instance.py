"""What a cloud planning instance is: applications, instance types, billing and limits.

The model is that of Thai, Varghese and Barker, "Budget Constrained Execution of Multiple Bag-of-Tasks
Applications on the Cloud" (IEEE CLOUD 2015), section III, with billing, fees and limits added
(docs/model-cloud.md). Times are seconds, money is in the instance's own currency; both are exact
fractions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from planner.notes import NO_NOTES, Notes

HOUR = Fraction(3600)


@dataclass(frozen=True, slots=True)
class TaskGroup:
    """`count` tasks of one `size` (in units of the application's own choosing).

    `ids` names the tasks one by one and then has `count` entries; empty: the tasks are anonymous.
    """

    size: Fraction
    count: int
    ids: tuple[str, ...] = ()
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True)
class Application:
    """A bag of independent tasks of the same kind (the paper's A_i)."""

    name: str
    tasks: tuple[TaskGroup, ...]
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True)
class InstanceType:
    """A kind of machine one can rent (the paper's it).

    `price` is money per hour, `fee` money once per rented VM. `seconds_per_unit` is the row of the
    performance matrix P: one entry per application, in the instance's order; None: cannot run it.
    `startup` (seconds) replaces the instance's own where it is not None.
    """

    name: str
    price: Fraction
    seconds_per_unit: tuple[Fraction | None, ...]
    fee: Fraction = Fraction(0)
    startup: Fraction | None = None
    max_instances: int | None = None
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True)
class Billing:
    """How rented time is charged: `billed(e) = quantum * ceil(max(e, minimum) / quantum)`, in seconds."""

    quantum: Fraction = HOUR
    minimum: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class CloudInstance:
    """One planning problem.

    `budget`, `deadline` and `max_vms` bind whenever they are not None, whatever the goal. `startup` is
    the overhead o in seconds, paid for and not usable by tasks. `sha256` is that of the bytes of the file
    it was read from, None where it was made in memory.
    """

    name: str
    applications: tuple[Application, ...]
    instance_types: tuple[InstanceType, ...]
    budget: Fraction | None = None
    deadline: Fraction | None = None
    startup: Fraction = Fraction(0)
    billing: Billing = Billing()
    max_vms: int | None = None
    notes: Notes = field(default=NO_NOTES, compare=False)
    sha256: str | None = field(default=None, compare=False)

    def startup_of(self, instance_type: InstanceType) -> Fraction:
        """Seconds of overhead on a VM of this type."""
        return self.startup if instance_type.startup is None else instance_type.startup

    @property
    def task_count(self) -> int:
        """How many tasks there are over all applications."""
        return sum(group.count for application in self.applications for group in application.tasks)


def classes(instance: CloudInstance) -> Iterator[tuple[int, Fraction, int]]:
    """Yield (application index, size, tasks) once for each class of equal tasks, by application and size.

    Tasks of one application and size are alike, whichever entries of the file they come from.
    """
    for index, application in enumerate(instance.applications):
        totals: dict[Fraction, int] = {}
        for group in application.tasks:
            totals[group.size] = totals.get(group.size, 0) + group.count
        for size in sorted(totals):
            yield index, size, totals[size]
