"""What the resources of a drawn system offer over its steps, capacity events included."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.grid.policy import Floats, Ints
from planner.grid.queues import ROUNDING
from planner.grid.system import CapacityChange, Crash
from planner.grid.workload import Workload

SLACK = 1 + 2 * ROUNDING
"""A simulation finishes a job with up to ROUNDING of a step's service left; the rest is for rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Arrays (spans,): from step `since` to before `until` the resource offers `capacity` a step.

    Sorted by resource, then time; the spans of a resource cover all steps.
    """

    resource: Ints
    since: Ints
    until: Ints
    capacity: Floats

    def of(self, resource: int) -> list[tuple[int, int, float]]:
        """(since, until, capacity) of each span of a resource."""
        low, high = np.searchsorted(self.resource, [resource, resource + 1])
        columns = (self.since[low:high], self.until[low:high], self.capacity[low:high])
        return list(zip(*(column.tolist() for column in columns), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Offered:
    """Arrays (resources,): loads divide by `initial`, no step serves more work than `ceiling`, above 0."""

    steps: int
    initial: Floats
    ceiling: Floats
    spans: Spans

    def within(self, edges: Ints) -> Floats:
        """Work each resource offers between consecutive edges (rising steps): an array (resources, gaps)."""
        spans = self.spans
        shared = np.minimum(spans.until[:, None], edges[1:]) - np.maximum(spans.since[:, None], edges[:-1])
        work = np.zeros((self.initial.size, edges.size - 1))
        np.add.at(work, spans.resource, np.maximum(shared, 0) * spans.capacity[:, None])
        return work

    def each_step(self) -> Floats:
        """Work all resources together offer in each step."""
        changes = np.zeros(self.steps + 1)
        np.add.at(changes, self.spans.since, self.spans.capacity)
        np.add.at(changes, self.spans.until, -self.spans.capacity)
        return np.maximum(np.cumsum(changes)[:-1], 0.0)


def offered(workload: Workload) -> Offered:
    """What that workload's resources offer, with the slack that simulations take."""
    levels = [{0: initial} for initial in workload.capacity.tolist()]
    for event in workload.events:
        if isinstance(event, CapacityChange) and event.step < workload.steps:
            levels[event.resource][event.step] = event.capacity
    rows = [
        (resource, since, until, capacity)
        for resource, level in enumerate(levels)
        for (since, capacity), until in zip(level.items(), [*level, workload.steps][1:], strict=True)
    ]
    resource, since, until, capacity = map(np.array, zip(*rows, strict=True))
    ceiling = np.zeros(workload.capacity.size)
    np.maximum.at(ceiling, resource, capacity)
    # Anything no less than every capacity is a ceiling; a resource that never serves has its initial one.
    ceiling = np.where(ceiling > 0, ceiling, workload.capacity)
    spans = Spans(resource, since, until, capacity * SLACK)
    return Offered(workload.steps, workload.capacity, ceiling * SLACK, spans)


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
