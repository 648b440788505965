"""The policies again, slowly, written from their descriptions: plain lists, every sum formed anew."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from planner.grid.policy import Moment, Outcome, Setting


class Rule(Protocol):
    """Where the jobs of a step go and in which order they enter, and what is learnt."""

    def place(self, moment: Moment) -> tuple[list[int], list[int]]: ...

    def learn(self, outcome: Outcome) -> None: ...

    def take_over(self, crashed: int, successor: int) -> None: ...


class Plain:
    """A rule that learns nothing."""

    def learn(self, outcome: Outcome) -> None:
        pass

    def take_over(self, crashed: int, successor: int) -> None:
        pass


def by_luck(values: Sequence[float], luck: float, *, least: bool = True) -> int:
    """Where the least (greatest) is; of several, the one that the luck falls on."""
    best = min(values) if least else max(values)
    ties = [i for i, value in enumerate(values) if value == best]
    return ties[int(luck * len(ties))]


def ends(work: Sequence[float], capacity: Sequence[float], length: float) -> list[float]:
    """When a job of that length would end at each resource; never where there is no capacity."""
    return [(w + length) / c if c > 0 else math.inf for w, c in zip(work, capacity, strict=True)]


class SlowRandom(Plain):
    """Uniform: the luck, cut into as many equal parts as there are resources."""

    def __init__(self, setting: Setting) -> None:
        self.resources = setting.resources

    def place(self, moment: Moment) -> tuple[list[int], list[int]]:
        chosen = [math.floor(luck * self.resources) for luck in moment.luck.tolist()]
        return chosen, list(range(len(chosen)))


class SlowLLS(Plain):
    """Each job to the least load by initial capacity, on top of those before it."""

    def __init__(self, setting: Setting) -> None:
        assert setting.capacity is not None
        self.capacity = setting.capacity.tolist()

    def place(self, moment: Moment) -> tuple[list[int], list[int]]:
        assert moment.work is not None
        work, chosen = moment.work.tolist(), []
        for length, luck in zip(moment.length.tolist(), moment.luck.tolist(), strict=True):
            loads = [w / c for w, c in zip(work, self.capacity, strict=True)]
            chosen.append(by_luck(loads, luck))
            work[chosen[-1]] += length
        return chosen, list(range(len(chosen)))


class SlowMCT(Plain):
    """Each job to its earliest completion by present capacity, on top of those before it."""

    def __init__(self, setting: Setting) -> None:
        pass

    def place(self, moment: Moment) -> tuple[list[int], list[int]]:
        assert moment.work is not None
        assert moment.capacity is not None
        work, chosen = moment.work.tolist(), []
        for length, luck in zip(moment.length.tolist(), moment.luck.tolist(), strict=True):
            chosen.append(by_luck(ends(work, moment.capacity.tolist(), length), luck))
            work[chosen[-1]] += length
        return chosen, list(range(len(chosen)))


@dataclass
class Unfinished:
    """A job on its way: who placed it, where, and its length."""

    scheduler: int
    resource: int
    length: float


@dataclass
class Remembering:
    """What all learners keep: the unfinished jobs, each by itself."""

    setting: Setting
    unfinished: list[Unfinished] = field(default_factory=list)

    def placed(self, moment: Moment, chosen: Sequence[int]) -> None:
        rows = zip(moment.scheduler.tolist(), chosen, moment.length.tolist(), strict=True)
        self.unfinished += [Unfinished(*row) for row in rows]

    def finished(self, outcome: Outcome) -> None:
        rows = zip(
            outcome.scheduler.tolist(), outcome.resource.tolist(), outcome.length.tolist(), strict=True
        )
        for row in rows:
            self.unfinished.remove(Unfinished(*row))

    def take_over(self, crashed: int, successor: int) -> None:
        for job in self.unfinished:
            if job.scheduler == crashed:
                job.scheduler = successor


class SlowMinMin(Remembering):
    """Min-min by its definition: of all pairs of job and resource that which ends first, and again."""

    def place(self, moment: Moment) -> tuple[list[int], list[int]]:
        chosen, order = [-1] * moment.length.size, []
        for scheduler in sorted(set(moment.scheduler.tolist())):
            ready, capacity = self._sees(moment, scheduler)
            left = [job for job, who in enumerate(moment.scheduler.tolist()) if who == scheduler]
            while left:
                rows = {job: ends(ready, capacity, float(moment.length[job])) for job in left}
                first = min(left, key=lambda job: (min(rows[job]), moment.length[job]))
                where = by_luck(rows[first], float(moment.luck[first]))
                ready[where] += float(moment.length[first])
                chosen[first] = where
                order.append(first)
                left.remove(first)
        self.placed(moment, chosen)
        return chosen, order

    def _sees(self, _: Moment, scheduler: int) -> tuple[list[float], list[float]]:
        assert self.setting.capacity is not None
        own = [0.0] * self.setting.resources
        for job in self.unfinished:
            if job.scheduler == scheduler:
                own[job.resource] += job.length
        return own, self.setting.capacity.tolist()

    def learn(self, outcome: Outcome) -> None:
        self.finished(outcome)


class SlowMinMinGlobal(Plain):
    """The same with true queues of the step's start."""

    def __init__(self, setting: Setting) -> None:
        self.rule = SlowMinMin(setting)
        self.rule._sees = lambda moment, _: (moment.work.tolist(), moment.capacity.tolist())  # type: ignore

    def place(self, moment: Moment) -> tuple[list[int], list[int]]:
        return self.rule.place(moment)


@dataclass
class SlowCLDS(Remembering):
    """U <- (1 - a) U + a sum(rewards), or U + a sum; a finished job rewards, each other one costs 1/size."""

    alpha: float = 0.1
    additive: bool = False
    from_service: bool = False
    proportional: bool = False
    penalty: float = 1.0
    utility: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.utility = [0.0] * self.setting.resources

    def place(self, moment: Moment) -> tuple[list[int], list[int]]:
        chosen = [self._choose(luck) for luck in moment.luck.tolist()]
        self.placed(moment, chosen)
        return chosen, list(range(len(chosen)))

    def _choose(self, luck: float) -> int:
        above = [value - min(self.utility) for value in self.utility]
        if not self.proportional or sum(above) <= 0:
            return by_luck(self.utility, luck, least=False)
        mark = luck * sum(above)
        for place, share in enumerate(above):
            if mark < share:
                return place
            mark -= share
        raise AssertionError("luck is below 1")

    def learn(self, outcome: Outcome) -> None:
        self.finished(outcome)
        rewards = self.rewards(outcome, None)
        for i, reward in enumerate(rewards):
            kept = self.utility[i] if self.additive else (1 - self.alpha) * self.utility[i]
            self.utility[i] = kept + self.alpha * reward

    def rewards(self, outcome: Outcome, scheduler: int | None) -> list[float]:
        """The sum of the step's rewards of each resource, of one scheduler's jobs or of all."""
        total = [0.0] * self.setting.resources
        since = outcome.started if self.from_service else outcome.submitted
        for k in range(outcome.length.size):
            if scheduler in (None, int(outcome.scheduler[k])):
                took = float(outcome.completed[k] - since[k])
                total[outcome.resource[k]] += float(outcome.length[k]) / took
        for job in self.unfinished:
            if scheduler in (None, job.scheduler):
                total[job.resource] -= self.penalty / job.length
        return total


@dataclass
class SlowOSL(Remembering):
    """Around the ring of tables: learn of one's own jobs, then mix in the table of the one before."""

    alpha: float = 0.1
    share: float = 0.5
    tables: list[list[float]] = field(default_factory=list)
    ring: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tables = [[0.0] * self.setting.resources for _ in range(self.setting.schedulers)]
        self.ring = list(range(self.setting.schedulers))

    def place(self, moment: Moment) -> tuple[list[int], list[int]]:
        rows = zip(moment.scheduler.tolist(), moment.luck.tolist(), strict=True)
        chosen = [by_luck(self.tables[who], luck, least=False) for who, luck in rows]
        self.placed(moment, chosen)
        return chosen, list(range(len(chosen)))

    def learn(self, outcome: Outcome) -> None:
        self.finished(outcome)
        for turn, who in enumerate(self.ring):
            mine = self.tables[who]
            rewards = SlowCLDS(self.setting, self.unfinished).rewards(outcome, who)
            mine[:] = [(1 - self.alpha) * u + self.alpha * r for u, r in zip(mine, rewards, strict=True)]
            before = self.ring[turn - 1]
            if before != who:
                theirs = self.tables[before]
                mine[:] = [
                    (1 - self.share) * own + self.share * other
                    for own, other in zip(mine, theirs, strict=True)
                ]

    def take_over(self, crashed: int, successor: int) -> None:
        super().take_over(crashed, successor)
        self.ring.remove(crashed)
