"""A policy watched at work: what it was given, what it did, and what it was told."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field

from planner.grid.metrics import Metrics
from planner.grid.policy import (
    Knowledge,
    Moment,
    Outcome,
    Placement,
    Policy,
    Session,
    Setting,
    Traffic,
)
from planner.grid.simulation import run
from planner.grid.workload import Workload


@dataclass(eq=False)
class Watched:
    """Passes everything on to `policy`, and keeps it; `after` is called when the policy has learnt a step."""

    policy: Policy
    after: Callable[[Session, Outcome], None] | None = None
    settings: list[Setting] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    moments: dict[int, Moment] = field(default_factory=dict)
    placements: dict[int, Placement] = field(default_factory=dict)
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    takeovers: list[tuple[int, int, bool]] = field(default_factory=list)
    traffic: list[Traffic] = field(default_factory=list)

    @property
    def sees(self) -> Knowledge:
        return self.policy.sees

    def open(self, setting: Setting) -> Session:
        self.settings.append(setting)
        self.sessions.append(self.policy.open(setting))
        return _Session(self)

    def messages(self, traffic: Traffic) -> int:
        self.traffic.append(traffic)
        return self.policy.messages(traffic)

    def order(self, step: int) -> list[int]:
        """The jobs of the step, counted from 0, in the order in which they entered."""
        placement = self.placements[step]
        return list(range(placement.resource.size)) if placement.order is None else placement.order.tolist()


class _Session:
    def __init__(self, watched: Watched) -> None:
        self._watched, self._inner = watched, watched.sessions[-1]

    def place(self, moment: Moment) -> Placement:
        self._watched.moments[moment.step] = deepcopy(moment)
        placement = self._inner.place(moment)
        order = None if placement.order is None else placement.order.copy()
        self._watched.placements[moment.step] = Placement(placement.resource.copy(), order)
        return placement

    def learn(self, outcome: Outcome) -> None:
        assert outcome.step not in self._watched.outcomes, "told once a step"
        self._watched.outcomes[outcome.step] = outcome
        self._inner.learn(outcome)
        if self._watched.after is not None:
            self._watched.after(self._inner, outcome)

    def take_over(self, crashed: int, successor: int, learner: bool) -> int:
        self._watched.takeovers.append((crashed, successor, learner))
        return self._inner.take_over(crashed, successor, learner)


def watch(
    world: Workload, policy: Policy, after: Callable[[Session, Outcome], None] | None = None
) -> tuple[Metrics, Watched]:
    """Run the policy, watched."""
    watched = Watched(policy, after)
    return run(world, policy=watched), watched
