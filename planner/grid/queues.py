"""The queues of a run: jobs wait at resources in linked lists and are served first in, first out.

A job is an index into arrays; `NOBODY` ends a list. Work left at a resource is kept beside its list, and
set to 0 exactly where the list is empty, so that rounding errors do not live longer than a busy period.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.grid.compiled import kernel
from planner.grid.policy import Floats, Ints

NOBODY = -1
ROUNDING = 1e-9
"""A job with no more than this share of a step's service left is finished: the grid's tolerance."""


@dataclass(frozen=True, slots=True, eq=False)
class Queues:
    """Work in steps and jobs at resources: arrays that the kernels below change.

    `first`, `last` (resources,) are the ends of each list, `after` (jobs,) links it; `left` (resources,) is
    the work left of the job in service, `work` (resources,) of all of them. `resource` (jobs,) is where each
    job was placed, `started` and `completed` (jobs,) its times in steps, NaN until then.
    """

    first: Ints
    last: Ints
    after: Ints
    left: Floats
    work: Floats
    resource: Ints
    started: Floats
    completed: Floats

    @classmethod
    def empty(cls, resources: int, jobs: int) -> Queues:
        """No jobs anywhere."""
        return cls(
            np.full(resources, NOBODY, dtype=np.int64),
            np.full(resources, NOBODY, dtype=np.int64),
            np.full(jobs, NOBODY, dtype=np.int64),
            np.zeros(resources),
            np.zeros(resources),
            np.full(jobs, NOBODY, dtype=np.int64),
            np.full(jobs, np.nan),
            np.full(jobs, np.nan),
        )


def enter(queues: Queues, jobs: Ints, resource: Ints, length: Floats) -> None:
    """Put `jobs` into the queues of `resource`, in this order; `length` is that of all jobs of the run."""
    _enter(
        queues.first, queues.last, queues.after, queues.left, queues.work, queues.resource,
        jobs, resource, length,
    )  # fmt: skip


def serve(queues: Queues, step: int, capacity: Floats, length: Floats, finished: Ints) -> int:
    """Let every resource work for a step; write who is finished to `finished` and return how many are."""
    count: int = _serve(
        queues.first, queues.last, queues.after, queues.left, queues.work, queues.started, queues.completed,
        step, capacity, length, finished,
    )  # fmt: skip
    return count


@kernel
def _enter(
    first: Ints,
    last: Ints,
    after: Ints,
    left: Floats,
    work: Floats,
    placed: Ints,
    jobs: Ints,
    resource: Ints,
    length: Floats,
) -> None:
    for row in range(jobs.size):
        job, i = jobs[row], resource[row]
        placed[job] = i
        if first[i] == NOBODY:
            first[i] = job
            left[i] = length[job]
            work[i] = length[job]
        else:
            after[last[i]] = job
            work[i] += length[job]
        last[i] = job


@kernel
def _serve(
    first: Ints,
    last: Ints,
    after: Ints,
    left: Floats,
    work: Floats,
    started: Floats,
    completed: Floats,
    step: int,
    capacity: Floats,
    length: Floats,
    finished: Ints,
) -> int:
    count = 0
    for i in range(first.size):
        if first[i] == NOBODY or capacity[i] <= 0.0:
            continue
        used = 0.0
        while first[i] != NOBODY:
            job = first[i]
            if np.isnan(started[job]):
                started[job] = step + used / capacity[i]
            room = max(0.0, capacity[i] - used)
            if left[i] > room + ROUNDING * capacity[i]:
                left[i] -= room
                work[i] -= room
                break
            used += left[i]
            work[i] -= left[i]
            completed[job] = step + min(used / capacity[i], 1.0)
            finished[count] = job
            count += 1
            first[i] = after[job]
            if first[i] == NOBODY:
                last[i] = NOBODY
                left[i] = 0.0
                work[i] = 0.0
            else:
                left[i] = length[first[i]]
    return count
