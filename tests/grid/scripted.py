"""Policies in plain Python: one that does as it is told, one that spoils its arrays, and somebody's LLS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from planner.grid.policy import Forgetful, Knowledge, Moment, Outcome, Placement, Session, Setting, Traffic

Rule = Callable[[Moment], Placement]


@dataclass(frozen=True)
class Scripted:
    """Places jobs by `rule`."""

    rule: Rule
    sees: Knowledge = Knowledge.QUEUES

    def open(self, setting: Setting) -> Session:  # noqa: ARG002 - the protocol's
        return _Scripted(self.rule)

    def messages(self, traffic: Traffic) -> int:  # noqa: ARG002 - the protocol's
        return 0


class _Scripted(Forgetful):
    def __init__(self, rule: Rule) -> None:
        self._rule = rule

    def place(self, moment: Moment) -> Placement:
        return self._rule(moment)


def to(*resources: int) -> Rule:
    """The jobs of each step to these resources in turn."""
    return lambda moment: Placement(np.resize(np.array(resources, dtype=np.int64), moment.length.size))


@dataclass(frozen=True)
class TheirLLS:
    """LLS with a for loop: each job to the least load; `luck` picks among those of equal load.

    `first`: the first of them instead.
    """

    first: bool = False
    sees: Knowledge = Knowledge.QUEUES

    def open(self, setting: Setting) -> _TheirSession:
        return _TheirSession(self.first, setting)

    def messages(self, traffic: Traffic) -> int:
        return 2 * traffic.resources * traffic.jobs


class _TheirSession:
    def __init__(self, first: bool, setting: Setting) -> None:
        assert setting.capacity is not None
        self._first, self._capacity = first, setting.capacity.tolist()

    def place(self, moment: Moment) -> Placement:
        assert moment.work is not None
        load = [work / capacity for work, capacity in zip(moment.work.tolist(), self._capacity, strict=True)]
        chosen = []
        for length, luck in zip(moment.length.tolist(), moment.luck.tolist(), strict=True):
            least = min(load)
            ties = [index for index, value in enumerate(load) if value == least]
            where = ties[0] if self._first else ties[int(luck * len(ties))]
            load[where] += length / self._capacity[where]
            chosen.append(where)
        return Placement(np.array(chosen, dtype=np.int64))

    def learn(self, outcome: Outcome) -> None:
        pass

    def take_over(self, crashed: int, successor: int, learner: bool) -> int:  # noqa: ARG002 - the protocol's
        return 0


class Vandal:
    """Does as the policy inside does, then writes nonsense into every array it got or gave."""

    def __init__(self, policy: object) -> None:
        self._policy = policy

    @property
    def sees(self) -> Knowledge:
        return self._policy.sees  # type: ignore[attr-defined, no-any-return]

    def open(self, setting: Setting) -> Session:
        own = None if setting.capacity is None else setting.capacity.copy()
        session = self._policy.open(Setting(setting.schedulers, setting.resources, setting.seed, own))  # type: ignore[attr-defined]
        spoil(setting.capacity)
        return _Vandal(session)

    def messages(self, traffic: Traffic) -> int:
        return self._policy.messages(traffic)  # type: ignore[attr-defined, no-any-return]


class _Vandal:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._given: list[Placement] = []

    def place(self, moment: Moment) -> Placement:
        for before in self._given:
            spoil(before.resource, before.order)
        placement = self._session.place(moment)
        spoil(moment.scheduler, moment.length, moment.luck, moment.living, moment.work, moment.capacity)
        self._given.append(placement)
        return placement

    def learn(self, outcome: Outcome) -> None:
        for before in self._given:
            spoil(before.resource, before.order)
        self._session.learn(outcome)
        spoil(outcome.scheduler, outcome.resource, outcome.length)
        spoil(outcome.submitted, outcome.started, outcome.completed)

    def take_over(self, crashed: int, successor: int, learner: bool) -> int:
        return self._session.take_over(crashed, successor, learner)


def spoil(*arrays: np.ndarray | None) -> None:
    """Fill each with zeros; read-only ones cannot be."""
    for array in arrays:
        if array is not None and array.flags.writeable:
            array[...] = 0
