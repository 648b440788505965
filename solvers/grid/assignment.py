"""Least flow as a minimum-cost flow of jobs to positions in OR-Tools: the reference formulation.

Independent of the dynamic programme in positional.py on purpose, so that the two can check each other. Jobs
of equal length form a class; a position (i, k) is the k-th place from last among the new jobs of resource i
and costs a job of length p (L_i + k·p)/C_i (docs/model-grid.md, section 3). Each class gets arcs to its n
cheapest positions only, n the number of all jobs: of these, the other jobs leave one free, so that a class
never needs a dearer one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from math import ceil, lcm
from time import perf_counter

import numpy as np
from ortools.graph.python import min_cost_flow

from planner.errors import Unsupported
from planner.goal import Goal
from planner.grid.plan import GridPlan, plan_of
from planner.grid.step import GridStep
from planner.result import Resolution
from planner.solver import Answer, Effort
from solvers.grid.places import too_few

LARGEST_MODEL = 5_000_000  # arcs; some 150 bytes each in Python and in OR-Tools
FINEST = 2**80  # ticks in the largest cost: finer than any difference that a result shows
LARGEST_SUM = 2**60  # OR-Tools multiplies costs by the number of nodes, in 64 bits

Position = tuple[int, int]


@dataclass
class _Arcs:
    """The arcs from classes to positions, in the order in which they were found."""

    classes: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)
    names: dict[Position, int] = field(default_factory=dict)

    def add(self, number: int, cost: int, position: Position) -> None:
        self.classes.append(number)
        self.positions.append(self.names.setdefault(position, len(self.names)))
        self.costs.append(cost)


@dataclass(frozen=True, slots=True)
class Assignment:
    """Plans for the least flow, whatever goal is asked for; its bound speaks of the flow."""

    def solve(self, step: GridStep, goal: Goal, effort: Effort[GridPlan]) -> Answer[GridPlan]:
        """The optimal plan; where costs are rounded, they are rounded down, and so is the bound.

        Raises `Unsupported` where the model would have more than LARGEST_MODEL arcs.
        """
        reason = too_few(step)
        if reason is not None:
            return Answer(infeasible=True, message=reason)
        if not step.jobs:
            return Answer(GridPlan(step.name, ()), Fraction(0) if goal is Goal.FLOW else None)
        started = perf_counter()
        members: dict[Fraction, list[int]] = {}
        for number, job in enumerate(step.jobs):
            members.setdefault(job.length, []).append(number)
        _refuse_if_too_large(step, len(members))
        costs = _Costs.of(step)
        arcs = _Arcs()
        for number, length in enumerate(members):
            if effort.stopped_by:
                return Answer(stopped_by=effort.stopped_by, message="stopped while the model was built")
            for cost, position in islice(costs.rising(length), len(step.jobs)):
                arcs.add(number, cost, position)
        nodes = len(members) + len(arcs.names) + 1
        coarser = max(1, ceil(Fraction(max(arcs.costs) * nodes, LARGEST_SUM)))
        classes = list(members.values())
        network = _network(arcs, [len(jobs) for jobs in classes], coarser)
        built = perf_counter() - started
        status = network.solve()
        if status != network.OPTIMAL:
            raise RuntimeError(f"OR-Tools' min-cost flow ended with {status.name}")
        tick = costs.tick * coarser
        return Answer(
            plan_of(step, _queues(step, arcs, classes, network)),
            network.optimal_cost() * tick if goal is Goal.FLOW else None,
            resolution=Resolution(tick, costs.rounded or coarser > 1),
            build_seconds=built,
        )


def _refuse_if_too_large(step: GridStep, classes: int) -> None:
    arcs = classes * len(step.jobs)
    if arcs > LARGEST_MODEL:
        raise Unsupported(
            f"solver 'assignment' would need {arcs:,} arcs ({classes:,} different lengths x "
            f"{len(step.jobs):,} positions), at most {LARGEST_MODEL:,} are taken; 'positional' takes more"
        )


@dataclass(frozen=True, slots=True)
class _Costs:
    """Costs of positions in whole ticks, rounded down where not all of them are whole.

    Work is counted in `unit`; a unit takes `numerator/denominator` ticks on each resource.
    """

    tick: Fraction
    rounded: bool
    unit: Fraction
    backlogs: Sequence[int]
    speeds: Sequence[tuple[int, int]]
    most: int

    @classmethod
    def of(cls, step: GridStep) -> _Costs:
        """The tick in which every cost is whole, or one that has FINEST in the largest cost."""
        resources = step.resources
        amounts = [*(resource.backlog for resource in resources), *(job.length for job in step.jobs)]
        unit = Fraction(1, lcm(*(amount.denominator for amount in amounts)))
        each = [unit / resource.capacity for resource in resources]
        largest = _largest(step)
        denominator = 1
        for time in each:
            denominator = lcm(denominator, time.denominator)
            if largest * denominator > FINEST:
                break
        rounded = largest * denominator > FINEST
        tick = largest / FINEST if rounded else Fraction(1, denominator)
        return cls(
            tick,
            rounded,
            unit,
            [int(resource.backlog / unit) for resource in resources],
            [(time / tick).as_integer_ratio() for time in each],
            step.max_jobs_per_resource or len(step.jobs),
        )

    def rising(self, length: Fraction) -> Iterator[tuple[int, Position]]:
        """Positions and what they cost a job of that length, cheapest first."""
        own = int(length / self.unit)
        heap = [
            ((backlog + own) * numerator // denominator, resource, 1)
            for resource, (backlog, (numerator, denominator)) in enumerate(
                zip(self.backlogs, self.speeds, strict=True)
            )
        ]
        heapq.heapify(heap)
        while heap:
            cost, resource, place = heap[0]
            yield cost, (resource, place)
            if place == self.most:
                heapq.heappop(heap)
            else:
                numerator, denominator = self.speeds[resource]
                work = self.backlogs[resource] + (place + 1) * own
                heapq.heapreplace(heap, (work * numerator // denominator, resource, place + 1))


def _largest(step: GridStep) -> Fraction:
    """No job needs a position that costs more: there are enough on the few resources soonest full."""
    limit = step.max_jobs_per_resource or len(step.jobs)
    longest = limit * max(job.length for job in step.jobs)
    full = sorted((resource.backlog + longest) / resource.capacity for resource in step.resources)
    return full[-(-len(step.jobs) // limit) - 1]


def _network(arcs: _Arcs, supplies: Sequence[int], coarser: int) -> min_cost_flow.SimpleMinCostFlow:
    """Classes, then positions, then one sink that every position sends at most one job to."""
    classes, positions, jobs = len(supplies), len(arcs.names), sum(supplies)
    sink = classes + positions
    network = min_cost_flow.SimpleMinCostFlow()
    network.add_arcs_with_capacity_and_unit_cost(
        np.array(arcs.classes),
        classes + np.array(arcs.positions),
        np.ones(len(arcs.costs), dtype=np.int64),
        np.array([cost // coarser for cost in arcs.costs], dtype=np.int64),
    )
    network.add_arcs_with_capacity_and_unit_cost(
        np.arange(classes, sink),
        np.full(positions, sink),
        np.ones(positions, dtype=np.int64),
        np.zeros(positions, dtype=np.int64),
    )
    network.set_nodes_supplies(np.arange(classes), np.array(supplies, dtype=np.int64))
    network.set_nodes_supplies(np.array([sink]), np.array([-jobs]))
    return network


def _queues(
    step: GridStep,
    arcs: _Arcs,
    classes: Sequence[Sequence[int]],
    network: min_cost_flow.SimpleMinCostFlow,
) -> list[list[int]]:
    """For each resource its new jobs, those farthest from last first."""
    used = np.flatnonzero(network.flows(np.arange(len(arcs.costs))))
    names = list(arcs.names)
    waiting = [iter(jobs) for jobs in classes]
    placed: list[list[tuple[int, int]]] = [[] for _ in step.resources]
    for arc in used.tolist():
        resource, place = names[arcs.positions[arc]]
        placed[resource].append((place, next(waiting[arcs.classes[arc]])))
    return [[job for _, job in sorted(queue, reverse=True)] for queue in placed]
