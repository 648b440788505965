"""What the resources of a drawn system offer over its steps, capacity events included."""

from __future__ import annotations

import math
from dataclasses import dataclass

from planner.grid.policy import Floats
from planner.grid.queues import ROUNDING
from planner.grid.system import CapacityChange, Crash
from planner.grid.workload import Workload

SLACK = 1 + 2 * ROUNDING
"""A simulation finishes a job with up to ROUNDING of a step's service left; the rest is for rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Offered:
    """Arrays (resources,) in units of work.

    Loads divide by `initial`, no step serves more than `ceiling` (above 0), all steps no more than `total`.
    """

    initial: Floats
    ceiling: Floats
    total: Floats


def offered(workload: Workload) -> Offered:
    """What that workload's resources offer, with the slack that simulations take."""
    changed: dict[int, dict[int, float]] = {}
    for event in workload.events:
        if isinstance(event, CapacityChange) and event.step < workload.steps:
            initial = {0: float(workload.capacity[event.resource])}
            changed.setdefault(event.resource, initial)[event.step] = event.capacity
    ceiling, total = workload.capacity.copy(), workload.capacity * workload.steps
    for resource, capacities in changed.items():
        steps = [*capacities, workload.steps]
        total[resource] = math.fsum(
            capacity * (until - since)
            for (since, capacity), until in zip(capacities.items(), steps[1:], strict=True)
        )
        # Anything no less than every capacity is a ceiling; one that never serves keeps its initial one.
        ceiling[resource] = max(capacities.values()) or ceiling[resource]
    return Offered(workload.capacity, ceiling * SLACK, total * SLACK)


def deserted(workload: Workload) -> int:
    """The first step in which no scheduler lives; the number of steps where some always does."""
    living = set(range(workload.schedulers))
    learner = 0
    for event in workload.events:
        if isinstance(event, Crash):
            living.discard(learner if event.scheduler is None else event.scheduler)
            if not living:
                return min(event.step, workload.steps)
            after = learner
            learner = min(living, key=lambda scheduler: (scheduler - after) % workload.schedulers)
    return workload.steps
