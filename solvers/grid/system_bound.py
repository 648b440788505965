"""A certified bound on the mean ALoR of any policy that binds each job on arrival (docs/model-grid.md)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from planner.grid.bounds import LoadBound
from planner.grid.policy import Floats
from planner.grid.queues import ROUNDING
from planner.grid.workload import Workload
from solvers.grid import prices
from solvers.grid.kernels.slots import sums_of_least
from solvers.grid.offered import Offered, deserted, offered

METHOD = "priced slots"
BLOCK = 1024
ERROR = 1e-12
"""Given up, as a share of all that is added and taken away: BLOCK additions and fewer than 100 other
operations on doubles go into each number, each off by 2^-53 at most, and block sums are added exactly."""


@dataclass(frozen=True, slots=True)
class SystemBound:
    """The Lagrangian of the linear program in which jobs share the slots of the resources freely."""

    def lower(self, workload: Workload) -> LoadBound:
        """The bound; there is none where jobs are rejected or the numbers are beyond doubles."""
        nobody = deserted(workload)
        if workload.first[nobody] < workload.length.size:
            return LoadBound(
                None, METHOD, f"from step {nobody} on no scheduler is left: jobs that arrive are rejected"
            )
        resources = offered(workload)
        jobs = released(workload, resources)
        if jobs.length.size == 0:
            return LoadBound(0.0, METHOD)
        total = lagrangian(jobs, resources, prices.steady(jobs.length, workload.steps, resources))
        if not math.isfinite(total):
            return LoadBound(None, METHOD, "lengths, capacities and steps are too large for doubles")
        return LoadBound(max(0.0, total / workload.steps / workload.capacity.size), METHOD)


@dataclass(frozen=True, slots=True, eq=False)
class Released:
    """Arrays (jobs,): work, and in how many records the job can count, that of its arrival included."""

    length: Floats
    records: Floats


def released(workload: Workload, resources: Offered) -> Released:
    """The jobs that count, alike ones side by side.

    Those so short that a simulation may finish any number of them in no time are left out: without them the
    load is no greater.
    """
    arrivals = np.repeat(np.arange(workload.steps), np.diff(workload.first))
    records = (workload.steps - arrivals).astype(np.float64)
    counts = workload.length > 2 * ROUNDING * resources.ceiling.max()
    length, records = workload.length[counts], records[counts]
    order = np.lexsort((length, np.floor(np.log2(records))))
    return Released(length[order], records[order])


def lagrangian(jobs: Released, resources: Offered, price: Floats) -> float:
    """A lower bound on the loads of all records added up, from any prices (resources,) of at least 0.

    `price` is in load for a unit of work. NaN or infinite where doubles do not suffice.
    """
    rows = np.stack(
        [resources.ceiling, resources.ceiling / resources.initial, price * resources.initial], axis=1
    )
    ceiling, factor, scaled = np.ascontiguousarray(np.unique(rows, axis=0).T)
    blocks = np.append(np.arange(0, jobs.length.size, BLOCK), jobs.length.size)
    gained = math.fsum(sums_of_least(jobs.length, jobs.records, ceiling, factor, scaled, blocks))
    paid = math.fsum(price * resources.total)
    return gained - paid - ERROR * (gained + paid)
