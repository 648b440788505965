"""Level a plan: swap and move jobs of the resource that ends last while that helps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solvers.grid.arrays import Arrays

ROUNDS = 10  # exchanges for each job and resource at most
NOTICEABLE = 1 - 1e-12  # by what share an exchange must shorten the end at least: more than rounding


def levelled(arrays: Arrays, queues: Sequence[Sequence[int]], until: float) -> list[list[int]]:
    """The plan after the best exchanges, one after the other, until it ends by `until` or none helps.

    Of the resource that ends last, a job changes places with a job of another resource or with none, such
    that the later of the two ends is least, and earlier than the end was. So fewer and fewer resources end
    that late, and no exchange is ever undone.
    """
    jobs, resources = arrays.lengths.size, arrays.capacity.size
    owner = np.empty(jobs + resources, dtype=np.intp)  # of all jobs, then of a job of no length everywhere
    owner[jobs:] = np.arange(resources)
    for resource, queue in enumerate(queues):
        owner[list(queue)] = resource
    lengths = np.concatenate([arrays.lengths, np.zeros(resources)])
    counts = np.bincount(owner[:jobs], minlength=resources)
    work = arrays.backlog + np.bincount(owner[:jobs], arrays.lengths, resources)
    for _ in range(ROUNDS * (jobs + resources)):
        worst = int((work / arrays.capacity).argmax())
        end = work[worst] / arrays.capacity[worst]
        mine = np.flatnonzero(owner[:jobs] == worst)
        if end <= until or not mine.size:
            break
        over = lengths[mine][:, None] - lengths[None, :]
        after = np.maximum(
            (work[worst] - over) / arrays.capacity[worst], (work[owner] + over) / arrays.capacity[owner]
        )
        after[:, owner == worst] = np.inf
        after[:, jobs + np.flatnonzero(counts >= arrays.limit)] = np.inf
        row, other = divmod(int(after.argmin()), jobs + resources)
        if not after[row, other] < end * NOTICEABLE:
            break
        job, target = mine[row], owner[other]
        work[worst] -= over[row, other]
        work[target] += over[row, other]
        owner[job] = target
        if other < jobs:
            owner[other] = worst
        else:
            counts[worst] -= 1
            counts[target] += 1
    levelled_queues: list[list[int]] = [[] for _ in queues]
    for job in np.argsort(arrays.lengths, kind="stable").tolist():
        levelled_queues[owner[job]].append(job)
    return levelled_queues
