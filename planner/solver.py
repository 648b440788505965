"""The contract between a solver and whoever runs it.

A solver takes an instance, a goal and an `Effort` and returns an `Answer`. It never marks its own work: it
gives a plan and the bound it can prove, and `planner.run` has the checker judge both.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, Protocol

from typing_extensions import TypeVar

from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.goal import Goal
from planner.grid.plan import GridPlan
from planner.grid.step import GridStep
from planner.result import PlanT, Resolution, StoppedBy

# Bare `Solver`, `Effort` and `Answer` speak of the cloud; grid steps say `Solver[GridStep, GridPlan]`.
InstanceT = TypeVar("InstanceT", bound=CloudInstance | GridStep, contravariant=True, default=CloudInstance)
PlanIn = TypeVar("PlanIn", bound=CloudPlan | GridPlan, contravariant=True, default=CloudPlan)


class TimeLimit:
    """A limit on wall time that starts when it is made, so that it covers everything done under it."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds
        self._started = time.perf_counter()

    @property
    def elapsed(self) -> float:
        """Seconds since the limit was made."""
        return time.perf_counter() - self._started

    @property
    def remaining(self) -> float:
        """Seconds left, at least 0; infinite where there is no limit."""
        return float("inf") if self.seconds is None else max(0.0, self.seconds - self.elapsed)

    @property
    def expired(self) -> bool:
        """Whether no time is left."""
        return self.remaining <= 0


class Progress(Protocol[PlanIn]):
    """Where a solver reports what it has so far; both may be called at any time and often."""

    def incumbent(self, plan: PlanIn) -> None:
        """A plan better than those reported before."""

    def bound(self, value: Fraction) -> None:
        """A proven lower bound on the goal, in its unit."""


class Silent:
    """Progress that nobody listens to."""

    def incumbent(self, plan: object) -> None:
        """Ignore it."""

    def bound(self, value: Fraction) -> None:
        """Ignore it."""


@dataclass(frozen=True, slots=True)
class Effort(Generic[PlanT]):
    """What a solver may spend, how it is told to stop, and a checked plan to start from, if any."""

    limit: TimeLimit = field(default_factory=TimeLimit)
    workers: int = 1
    seed: int = 1
    progress: Progress[PlanT] = field(default_factory=Silent)
    stop: threading.Event = field(default_factory=threading.Event)
    start: PlanT | None = None

    @property
    def stopped_by(self) -> StoppedBy | None:
        """Why the solver must stop now; None: it may go on."""
        if self.stop.is_set():
            return StoppedBy.INTERRUPTED
        return StoppedBy.TIME_LIMIT if self.limit.expired else None


@dataclass(frozen=True, slots=True)
class Answer(Generic[PlanT]):
    """What a solver found and what it can prove.

    `bound` is a proven lower bound on the goal (seconds or money). `infeasible` claims a proof that no plan
    exists; `message` then says why, with numbers. `tiebreak_proven` says that no plan with the same
    objective is better in the other goal.
    """

    plan: PlanT | None = None
    bound: Fraction | None = None
    infeasible: bool = False
    stopped_by: StoppedBy = StoppedBy.COMPLETED
    message: str | None = None
    tiebreak_proven: bool | None = None
    resolution: Resolution | None = None
    build_seconds: float = 0.0


class Solver(Protocol[InstanceT, PlanT]):
    """Anything that plans instances of one kind. Raises `Unsupported` for what it does not handle."""

    def solve(self, instance: InstanceT, goal: Goal, effort: Effort[PlanT]) -> Answer[PlanT]:
        """Find a plan for `instance` that is as good in `goal` as `effort` allows."""


class Bound(Protocol[InstanceT, PlanT]):
    """A certified bound that is cheap enough to go with every solver's result."""

    def lower(self, instance: InstanceT, goal: Goal) -> Fraction:
        """A lower bound on the goal, in its unit, valid for every plan of the instance."""

    def infeasible(self, instance: InstanceT, effort: Effort[PlanT]) -> str | None:
        """Why no plan exists, with numbers, where that can be proven; else None."""


class Exporter(Protocol):
    """Writes an instance as an integer program, for solvers that this project does not know."""

    def write(self, instance: CloudInstance, goal: Goal, form: str) -> str:
        """The program in the file format `form`, as text; raises `Unsupported` where it is too large."""
