"""The contract of a certified bound on what any policy can reach on a drawn system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from planner.grid.workload import Workload


@dataclass(frozen=True, slots=True)
class LoadBound:
    """No policy has a mean ALoR below `mean_alor` on that workload.

    Policies may be clairvoyant and serve in any order, but bind each job to one resource in the step of its
    arrival. `method` is how the bound was sought, None where it was not; `reason` says why there is none
    where `mean_alor` is None.
    """

    mean_alor: float | None
    method: str | None
    reason: str | None = None


class SystemBound(Protocol):
    """What finds such a bound."""

    def lower(self, workload: Workload) -> LoadBound:
        """The bound on this workload, which belongs to its seed."""
