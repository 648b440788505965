"""The same grid in SimPy, as its documentation builds such models: a process a job, a `Resource` a machine.

LLS with ties broken by index. No events, no metrics but ALoR.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import simpy

from planner.grid.workload import Workload


def alor_series(world: Workload) -> np.ndarray:
    """ALoR step by step."""
    environment = simpy.Environment()
    machines = [simpy.Resource(environment, capacity=1) for _ in world.capacity]
    free_at = np.zeros(world.capacity.size)
    series = np.empty(world.steps)
    capacity, lengths = world.capacity.tolist(), world.length.tolist()

    def job(where: int, length: float) -> Iterator[Any]:
        with machines[where].request() as turn:
            yield turn
            yield environment.timeout(length / capacity[where])

    def grid() -> Iterator[Any]:
        for step in range(world.steps):
            for k in range(world.first[step], world.first[step + 1]):
                where = int(np.maximum(free_at - step, 0.0).argmin())
                free_at[where] = max(free_at[where], step) + lengths[k] / capacity[where]
                environment.process(job(where, lengths[k]))
            series[step] = np.maximum(free_at - step, 0.0).mean()
            yield environment.timeout(1)

    environment.process(grid())
    environment.run(until=world.steps)
    return series
