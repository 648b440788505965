"""What a cloud plan is: which VMs to rent, and which tasks each one runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from planner.notes import NO_NOTES, Notes


@dataclass(frozen=True, slots=True)
class PlannedTasks:
    """`count` tasks of one application and size on one VM; `ids` names them where the instance does."""

    application: str
    size: Fraction
    count: int
    ids: tuple[str, ...] = ()
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True)
class PlannedVM:
    """`count` identical VMs of one type, each of which runs all of `tasks`."""

    type: str
    tasks: tuple[PlannedTasks, ...]
    count: int = 1
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True)
class CloudPlan:
    """An execution plan for the instance of that name."""

    instance: str
    vms: tuple[PlannedVM, ...]
    notes: Notes = field(default=NO_NOTES, compare=False)

    @property
    def fleet(self) -> dict[str, int]:
        """VMs rented by type name, in the plan's order; types without VMs are absent."""
        fleet: Counter[str] = Counter()
        for vm in self.vms:
            fleet[vm.type] += vm.count
        return dict(fleet)
