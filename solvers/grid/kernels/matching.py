"""Match jobs to positions whose cost for a job of length p is `offset + slope·p`: an exact dynamic programme.

Whatever positions are used, it is best to give the steepest to the shortest job: for u >= v and p <= q,
u·p + v·q <= u·q + v·p. So with positions by falling slope and jobs by rising length, the matching never
crosses, and all that is open is which positions stay empty. `best[e]` is the least cost of the jobs so far
when e positions before the last used one (or more) were left out; a job j that leaves out e takes position
j + e. That is n rows of (positions - n + 1) entries; one bit an entry remembers the choice.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from planner.grid.compiled import kernel

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


@kernel
def matched(offsets: Floats, slopes: Floats, lengths: Floats) -> tuple[Indices, float]:
    """The position of each job in a cheapest matching, and its cost.

    `slopes` fall (or stay), `lengths` rise (or stay); there must be at least as many positions as jobs.
    The cost is summed job by job in floats: where no offset is negative, it exceeds the exact cost of the
    best matching of these very numbers by a factor of at most (1 + 2^-53)^(n + 2).
    """
    jobs = lengths.size
    spare = offsets.size - jobs
    width = spare // 8 + 1
    taken = np.zeros((jobs, width), dtype=np.uint8)
    best = np.zeros(spare + 1)
    for job in range(jobs):
        length = lengths[job]
        row = taken[job]
        cheapest = np.inf
        for empty in range(spare + 1):
            cost = best[empty] + (offsets[job + empty] + slopes[job + empty] * length)
            if cost < cheapest:
                cheapest = cost
                row[empty >> 3] |= np.uint8(1 << (empty & 7))
            best[empty] = cheapest
    position = np.empty(jobs, dtype=np.int64)
    empty = spare
    for job in range(jobs - 1, -1, -1):
        while not taken[job, empty >> 3] & (1 << (empty & 7)):
            empty -= 1
        position[job] = job + empty
    return position, best[spare]
