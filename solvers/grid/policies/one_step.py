"""A policy as a rule for one grid step: what it would do with the step's jobs and no past."""

from __future__ import annotations

from typing import Protocol, cast

import numpy as np

from planner.errors import Unsupported
from planner.goal import Goal
from planner.grid.plan import GridPlan, plan_of
from planner.grid.policy import Floats, Knowledge, Moment, Policy, Session, Setting, seeded
from planner.grid.step import GridStep
from planner.solver import Answer, Effort


class Taught(Protocol):
    """A session of a policy that learns, which can be told what it would know by now."""

    def teach(self, step: GridStep) -> None:
        """Take what the step says as learnt. Raises `Unsupported` where it does not say enough."""


class OneStep:
    """Makes a policy a solver of grid steps (`planner.solver.Solver`), valued in whatever goal is asked.

    Jobs are taken in the file's order; those without a scheduler belong to one of their own. Policies that
    learn are taught by the step: CLDS and OSL by the resources' `utility`, which they need, DEALT by backlogs
    and capacities.
    """

    def solve(self, step: GridStep, goal: Goal, effort: Effort[GridPlan]) -> Answer[GridPlan]:  # noqa: ARG002
        """The plan of the policy. Raises `Unsupported` for limits and missing utilities."""
        if step.max_jobs_per_resource is not None:
            raise Unsupported("policies do not keep max_jobs_per_resource; the solvers of grid steps do")
        policy = cast(Policy, self)
        names = list(dict.fromkeys(job.scheduler for job in step.jobs))
        capacity = np.array([float(resource.capacity) for resource in step.resources])
        queues = policy.sees is Knowledge.QUEUES
        known = queues or policy.sees is Knowledge.CAPACITIES
        session = policy.open(
            Setting(max(1, len(names)), capacity.size, effort.seed, capacity.copy() if known else None)
        )
        if hasattr(session, "teach"):
            cast(Taught, session).teach(step)
        if not step.jobs:
            return Answer(GridPlan(step.name, ()))
        return Answer(plan_of(step, _queues(step, session, names, capacity, queues, effort.seed)))


def utilities(step: GridStep) -> Floats:
    """The resources' utilities. Raises `Unsupported` where one has none."""
    missing = [resource.name for resource in step.resources if resource.utility is None]
    if missing:
        raise Unsupported(
            f"{step.name}: this policy decides by what it has learnt, and resource {missing[0]!r} has no "
            f"utility ({len(missing)} of {len(step.resources)} have none)"
        )
    return np.array([float(resource.utility or 0) for resource in step.resources])


def _queues(
    step: GridStep, session: Session, names: list[str | None], capacity: Floats, queues: bool, seed: int
) -> list[list[int]]:
    """For each resource its new jobs, in the order in which they enter."""
    count = len(step.jobs)
    index = {name: number for number, name in enumerate(names)}
    placement = session.place(
        Moment(
            step=0,
            scheduler=np.array([index[job.scheduler] for job in step.jobs], dtype=np.int64),
            length=np.array([float(job.length) for job in step.jobs]),
            luck=seeded(seed).random(count),
            living=np.ones(len(names), dtype=np.bool_),
            work=np.array([float(resource.backlog) for resource in step.resources]) if queues else None,
            capacity=capacity.copy() if queues else None,
        )
    )
    order = range(count) if placement.order is None else placement.order.tolist()
    placed: list[list[int]] = [[] for _ in step.resources]
    for job in order:
        placed[placement.resource[job]].append(job)
    return placed
