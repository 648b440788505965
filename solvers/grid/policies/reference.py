"""REFERENCE: the per-step optimum as a policy, for what the others might have done with all knowledge.

In every step the jobs of all schedulers are placed together, optimally for that step alone, by the true
queues. That is no optimum over time: a step knows nothing of those to come.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from planner.goal import Goal
from planner.grid.policy import (
    Floats,
    Forgetful,
    Ints,
    Knowledge,
    Moment,
    Placement,
    Session,
    Setting,
    Traffic,
    needed,
)
from planner.grid.step import GridStep, Job, Resource
from planner.solver import Effort, TimeLimit
from solvers.grid.kernels.flow import least_flow
from solvers.grid.policies.one_step import OneStep
from solvers.grid.policies.options import one_of, within


@dataclass(frozen=True)
class Reference(OneStep):
    """`objective`: what is optimal in each step, flow, makespan or load.

    `step_limit`: seconds for each step's integer program (makespan, load); the best plan found by then is
    taken. Flow has an exact algorithm and needs none.
    """

    sees: ClassVar[Knowledge] = Knowledge.QUEUES

    objective: Literal["flow", "makespan", "load"] = "flow"
    step_limit: float = 1.0

    def __post_init__(self) -> None:
        one_of("objective", self.objective, ("flow", "makespan", "load"))
        within("step_limit", self.step_limit, 0.001, 1e6)

    def open(self, setting: Setting) -> Session:  # noqa: ARG002 - the protocol's
        """A session for one run."""
        return _Flow() if self.objective == "flow" else _Program(Goal(self.objective), self.step_limit)

    def messages(self, traffic: Traffic) -> int:
        """One scheduler asks every resource, 2·|R|, and plans for all others with jobs, 2 for each."""
        return 2 * traffic.resources + 2 * max(0, traffic.busy - 1) if traffic.jobs else 0


def least_flow_of(work: Floats, capacity: Floats, length: Floats) -> float:
    """The least total completion time of jobs of those lengths, given work and capacities."""
    return least_flow(work, capacity, length, length.size)[2]


class _Flow(Forgetful):
    def place(self, moment: Moment) -> Placement:
        capacity = needed(moment.capacity)
        if not capacity.any():
            return Placement(_anywhere(moment, capacity.size))
        resource, turn, _ = least_flow(needed(moment.work), capacity, moment.length, moment.length.size)
        return Placement(resource, np.argsort(turn, kind="stable").astype(np.int64))


class _Program(Forgetful):
    """Each step as a `GridStep` for the solver of that goal; resources without capacity take no part."""

    def __init__(self, goal: Goal, seconds: float) -> None:
        from solvers.grid.load import Load
        from solvers.grid.makespan import Makespan

        self._goal, self._seconds = goal, seconds
        self._solver = Makespan() if goal is Goal.MAKESPAN else Load()

    def place(self, moment: Moment) -> Placement:
        capacity, work = needed(moment.capacity), needed(moment.work)
        up = np.flatnonzero(capacity > 0)
        if not up.size:
            return Placement(_anywhere(moment, capacity.size))
        step = GridStep(
            "step",
            tuple(
                Resource(str(i), Fraction(float(capacity[i])), Fraction(float(work[i]))) for i in up.tolist()
            ),
            tuple(Job(str(j), Fraction(length)) for j, length in enumerate(moment.length.tolist())),
        )
        answer = self._solver.solve(step, self._goal, Effort(TimeLimit(self._seconds)))
        assert answer.plan is not None, "a step without a limit on jobs has a plan"
        resource = np.empty(moment.length.size, dtype=np.int64)
        turn = np.empty(moment.length.size, dtype=np.int64)
        for assignment in answer.plan.assignments:
            job = int(assignment.job)
            resource[job], turn[job] = int(assignment.resource), assignment.position
        return Placement(resource, np.argsort(turn, kind="stable").astype(np.int64))


def _anywhere(moment: Moment, resources: int) -> Ints:
    """With no capacity anywhere all places are alike."""
    chosen: Ints = (moment.luck * resources).astype(np.int64)
    return chosen
