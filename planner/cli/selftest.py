"""Run a solver on an instance whose optimum is known by hand, to see that it works on this machine."""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction

from planner.cloud.instance import Application, CloudInstance, InstanceType, TaskGroup
from planner.errors import PlannerError
from planner.goal import Goal
from planner.grid.step import GridStep, Job, Resource
from planner.kinds import CLOUD, GRID_STEP, Instance
from planner.result import Status
from planner.run import solve
from solvers.catalog import Entry

LIMIT = 60.0
"""Seconds; a test takes a fraction of one, and more only where something is stuck."""

OPTIMUM = Fraction(50)

INSTANCE = CloudInstance(
    name="self-test",
    applications=(Application("A1", (TaskGroup(Fraction(1), 10),)),),
    instance_types=(
        InstanceType("it1", Fraction(2), (Fraction(8),)),
        InstanceType("it2", Fraction(1), (Fraction(10),)),
    ),
    budget=Fraction(2),
)
"""The paper's example (section IV-G): one it1 needs 80 s, two it2 need 50 s, each for 2 money."""

STEP = GridStep(
    name="self-test",
    resources=(
        Resource("r1", Fraction(2), utility=Fraction(2)),
        Resource("r2", Fraction(1), utility=Fraction(1)),
    ),
    jobs=(Job("j1", Fraction(4)), Job("j2", Fraction(2))),
)
"""The long job on the fast resource and the short one on the slow one: both end after 2 steps.

The utilities are for the policies that decide by them.
"""

INSTANCES: dict[str, Instance] = {CLOUD.name: INSTANCE, GRID_STEP.name: STEP}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a self-test ended; `message` says what was wrong and `exit_code` what that is for the command."""

    passed: bool
    seconds: float
    message: str
    exit_code: int = 0


def self_test(entry: Entry) -> Outcome:
    """Solve the kind's instance; who claims to prove optima must prove this one, in the goal it minimises."""
    started = time.perf_counter()
    goal = Goal(entry.goals[0])
    try:
        entry.solver_class()  # a solver that cannot be imported is told as that
        result = solve(INSTANCES[entry.kind], entry.name, goal=goal, time_limit=LIMIT)
    except PlannerError as error:
        return Outcome(False, time.perf_counter() - started, str(error), error.exit_code)
    except Exception as error:  # an import of a third party's module may raise anything
        text = f"cannot be imported: {type(error).__name__}: {error}"
        return Outcome(False, time.perf_counter() - started, text, 1)
    seconds = time.perf_counter() - started
    if entry.proves == "optimum" and result.status is not Status.OPTIMAL:
        text = f"claims to prove optima, but ended {result.status.value} ({result.message or 'no message'})"
        return Outcome(False, seconds, text, 1)
    if result.plan is None:
        return Outcome(False, seconds, f"found no plan ({result.message or 'no message'})", 1)
    return Outcome(True, seconds, result.status.value)
