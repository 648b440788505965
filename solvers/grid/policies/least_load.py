"""LLS, least load selection (Moradi 2016, section IV): every job goes to the resource of least load.

Jobs of all schedulers are taken in arrival order, each sees the queues as the ones before it left them; the
load is work left / initial capacity, the one that ALoR is made of. Ties at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from planner.grid.compiled import kernel
from planner.grid.policy import (
    Floats,
    Forgetful,
    Ints,
    Knowledge,
    Moment,
    Placement,
    Setting,
    Traffic,
    needed,
)
from solvers.grid.policies.one_step import OneStep
from solvers.grid.policies.tournament import change, tournament, winner


@dataclass(frozen=True)
class LeastLoad(OneStep):
    """Asks every resource for every job: a question and an answer each, 2·|R| messages a job."""

    sees: ClassVar[Knowledge] = Knowledge.QUEUES

    def open(self, setting: Setting) -> _Session:
        """A session for one run."""
        return _Session(needed(setting.capacity))

    def messages(self, traffic: Traffic) -> int:
        """2·|R| a job."""
        return 2 * traffic.resources * traffic.jobs


class _Session(Forgetful):
    def __init__(self, capacity: Floats) -> None:
        self._capacity = capacity

    def place(self, moment: Moment) -> Placement:
        load = needed(moment.work) / self._capacity
        return Placement(_place(load, self._capacity, moment.length, moment.luck))


@kernel
def _place(load: Floats, capacity: Floats, length: Floats, luck: Floats) -> Ints:
    chosen = np.empty(length.size, dtype=np.int64)
    least, ties = tournament(load)
    for job in range(length.size):
        i = winner(least, ties, luck[job])
        load[i] += length[job] / capacity[i]
        change(least, ties, i, load[i])
        chosen[job] = i
    return chosen
