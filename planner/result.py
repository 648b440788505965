"""What came of one solver on one instance: status, plan, bound and gap, each defined once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Generic

from typing_extensions import TypeVar

from planner.cloud.plan import CloudPlan
from planner.goal import Goal
from planner.grid.plan import GridPlan

PlanT = TypeVar("PlanT", bound=CloudPlan | GridPlan, default=CloudPlan)


class Status(StrEnum):
    """What is known about the instance after the run."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"
    UNSUPPORTED = "unsupported"
    FAILED = "failed"


class StoppedBy(StrEnum):
    """Why the run ended; says nothing about what it found."""

    COMPLETED = "completed"
    TIME_LIMIT = "time_limit"
    INTERRUPTED = "interrupted"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Seconds:
    """Wall time of a run: all of it, and its parts (`build` is the part of `solve` spent on models)."""

    total: float = 0.0
    build: float = 0.0
    solve: float = 0.0
    check: float = 0.0


@dataclass(frozen=True, slots=True)
class Resolution:
    """The tick in which a solver counted time; `rounded`: some time was not a whole number of ticks."""

    seconds_per_tick: Fraction
    rounded: bool


@dataclass(frozen=True, slots=True)
class Result(Generic[PlanT]):
    """The outcome of one solver on one instance.

    `objective`, `makespan` (seconds; steps on the grid), `cost` (money), `flow` and `load` are the checker's,
    never a solver's; `bound` is a certified lower bound on the optimum of `goal`. What does not exist, as
    the cost of a grid plan or the flow of a cloud plan, is None.
    """

    instance: str
    kind: str
    solver: str
    goal: Goal
    status: Status
    stopped_by: StoppedBy
    seed: int
    options: Mapping[str, object] = field(default_factory=dict)
    instance_sha256: str | None = None
    bound: Fraction | None = None
    tiebreak_proven: bool | None = None
    makespan: Fraction | None = None
    cost: Fraction | None = None
    seconds: Seconds = Seconds()
    resolution: Resolution | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    message: str | None = None
    plan: PlanT | None = None
    flow: Fraction | None = None
    load: Fraction | None = None

    @property
    def objective(self) -> Fraction | None:
        """The value of the goal that the checker found in the plan."""
        return self.value(self.goal)

    def value(self, goal: Goal) -> Fraction | None:
        """The value of that goal that the checker found in the plan."""
        value: Fraction | None = getattr(self, goal.value)
        return value

    @property
    def gap(self) -> Fraction | None:
        """How far the plan may be from the optimum, as a share of the plan's objective."""
        return gap(self.objective, self.bound)

    def _repr_html_(self) -> str:
        from planner.report.tables import as_html

        return as_html([self])


def gap(objective: Fraction | None, bound: Fraction | None) -> Fraction | None:
    """`(objective - bound) / objective`; 0 where the objective is 0; None where either is missing."""
    if objective is None or bound is None:
        return None
    return (objective - bound) / objective if objective else Fraction(0)
