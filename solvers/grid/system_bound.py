"""A certified bound on the mean ALoR of any policy that binds each job on arrival (docs/model-grid.md)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from planner.grid.bounds import LoadBound
from planner.grid.policy import Floats, Ints
from planner.grid.queues import ROUNDING
from planner.grid.workload import Workload
from solvers.grid.kernels.slots import lower_to_cheapest
from solvers.grid.offered import Offered, deserted, offered
from solvers.grid.price_paths import price_path, rounded
from solvers.grid.prices import BURSTS, CHANGING, STEADY, Prices, prices

METHOD = "priced slots"
BLOCK = 256
"""Jobs that are compared with resources together."""
PERIODS = 16
"""Jobs are alike only where they arrive in the same one of so many parts of the steps."""
MOST_PRICES = 2_000_000
"""Prices of steps that are in memory at a time."""
SAMPLE = 20_000
"""So many jobs show which prices are best."""


@dataclass(frozen=True, slots=True)
class SystemBound:
    """The Lagrangian of the linear program in which jobs share the slots of the resources freely.

    Its prices are the best of three kinds: steady ones, and coarser ones that change in time.
    """

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
        kinds = [prices(jobs.length, jobs.step, resources, detail) for detail in (STEADY, CHANGING, BURSTS)]
        total = lagrangian(jobs, resources, max(kinds, key=lambda kind: _promise(jobs, resources, kind)))
        if not math.isfinite(total):
            return LoadBound(None, METHOD, "lengths, capacities and steps are too large for doubles")
        return LoadBound(max(0.0, total / workload.steps / workload.capacity.size), METHOD)


@dataclass(frozen=True, slots=True, eq=False)
class Released:
    """Arrays (jobs,): work, and the step of arrival."""

    length: Floats
    step: Ints


def released(workload: Workload, resources: Offered) -> Released:
    """The jobs that count, alike ones side by side.

    Those so short that a simulation may finish any number of them in no time are left out: without them the
    load is no greater.
    """
    step = np.repeat(np.arange(workload.steps), np.diff(workload.first))
    counts = workload.length > 2 * ROUNDING * resources.ceiling.max()
    length, step = workload.length[counts], step[counts]
    order = np.lexsort((length, step * PERIODS // workload.steps))
    return Released(length[order], step[order])


def lagrangian(jobs: Released, resources: Offered, chosen: Prices) -> float:
    """A lower bound on the loads of all records added up, from any prices of at least 0.

    Not finite where doubles do not suffice.
    """
    gained, spent = _gained_and_spent(jobs, resources, chosen)
    # Doubles are off by 2^-53 at most in each of fewer than 100 operations for a job or a span, and an error
    # in a job's number of slots counts up to `steps` times; the sums are exact.
    error = 1e-13 + resources.steps * 2.0**-50
    return gained - spent - error * (gained + spent)


def _promise(jobs: Released, resources: Offered, chosen: Prices) -> float:
    """About what `lagrangian` would find, from a sample of the jobs."""
    every = max(1, jobs.length.size // SAMPLE)
    gained, spent = _gained_and_spent(Released(jobs.length[::every], jobs.step[::every]), resources, chosen)
    return gained * every - spent


def _gained_and_spent(jobs: Released, resources: Offered, chosen: Prices) -> tuple[float, float]:
    """What all jobs cost on their cheapest resources, and what all work offered would cost, in load."""
    chosen = rounded(chosen)
    blocks = np.append(np.arange(0, jobs.length.size, BLOCK), jobs.length.size)
    least = np.full(jobs.length.size, np.inf)
    spent = []
    for part in _parts(resources, chosen):
        prefix = np.zeros((len(part), resources.steps + 1))
        for row, (resource, count) in zip(prefix, part, strict=True):
            np.cumsum(price_path(chosen, resources, resource), out=row[1:])
            spent += [
                count * capacity * (row[until] - row[since]) / resources.initial[resource]
                for since, until, capacity in resources.spans.of(resource)
            ]
        rows = [resource for resource, _ in part]
        ceiling = resources.ceiling[rows]
        factor = ceiling / resources.initial[rows]
        floor = chosen.slot[rows]
        lower_to_cheapest(jobs.length, jobs.step, blocks, ceiling, factor, prefix, chosen.edges, floor, least)
    return math.fsum(least), math.fsum(spent)


def _parts(resources: Offered, chosen: Prices) -> Iterator[list[tuple[int, int]]]:
    """Resources that differ, each with how many are like it, in parts whose prices fit in memory."""
    spans = resources.spans
    starts = np.searchsorted(spans.resource, np.arange(resources.initial.size))
    changes = np.bincount(spans.resource) > 1
    kept = np.where(changes, -1.0 - np.arange(changes.size), spans.capacity[starts])
    rows = np.column_stack([resources.initial, resources.ceiling, kept, chosen.slot])
    _, first, counts = np.unique(rows, axis=0, return_index=True, return_counts=True)
    kinds = list(zip(first.tolist(), counts.tolist(), strict=True))
    size = max(1, MOST_PRICES // resources.steps)
    return (kinds[start : start + size] for start in range(0, len(kinds), size))
