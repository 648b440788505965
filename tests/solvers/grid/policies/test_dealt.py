"""DEALT: the deal against a slow one, price and seats by hand, and what it is for: less load than others."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import planner
import planner.files
from planner.grid.distribution import Uniform
from planner.grid.policy import Moment, Outcome, Placement, Session, Setting, seeded
from planner.grid.simulation import run
from planner.grid.system import Crash
from planner.grid.workload import Stream, draw
from solvers.grid.policies.dealt import Dealt
from tests.grid.systems import drawn
from tests.grid.watching import Watched
from tests.instances import SHIPPED


class SlowDeal(Watched):
    """Deals by hand from the table and the speeds that were sent at the end of the last step."""

    def open(self, setting: Setting) -> Session:
        self.setting, self.jobs, self.slices = setting, 0, []
        self.lengths: list[float] = []
        self.busy: list[int] = []
        self.steps = 0
        super().open(setting)
        return _SlowDeal(self)


class _SlowDeal:
    def __init__(self, owner: SlowDeal) -> None:
        self._owner, self._session = owner, owner.sessions[-1]
        self.learn = self._learn
        self.take_over = self._session.take_over

    def _learn(self, outcome: Outcome) -> None:
        owner, policy = self._owner, self._owner.policy
        assert isinstance(policy, Dealt)
        owner.steps += 1
        self._session.learn(outcome)
        speed = self._session._speed  # type: ignore[attr-defined]
        if speed is None:
            return
        load = self._session._known.load(outcome.step, speed, max(owner.lengths))  # type: ignore[attr-defined]
        prices = priced(speed.tolist(), math.fsum(owner.lengths) / owner.steps, owner.lengths)
        expected = [one + policy.price * price for one, price in zip(load.tolist(), prices, strict=True)]
        assert self._session._table.tolist() == pytest.approx(expected)  # type: ignore[attr-defined]

    def place(self, moment: Moment) -> Placement:
        owner = self._owner
        table = self._session._table.tolist()  # type: ignore[attr-defined]
        speed = self._session._speed  # type: ignore[attr-defined]
        speeds = [1.0] * len(table) if speed is None else speed.tolist()
        expected = _dealt(owner, moment, table, speeds, speed is not None)
        placement = self._session.place(moment)
        assert placement.resource.tolist() == expected
        assert placement.order is None
        owner.lengths += moment.length.tolist()
        owner.busy.append(len(set(moment.scheduler.tolist())))
        owner.jobs += len(expected)
        return placement


def priced(speed: list[float], rate: float, lengths: list[float]) -> list[float]:
    """From the fastest on until the work a step is carried; what is better than the last needed pays."""
    mean = math.fsum(lengths) / len(lengths)

    def worth(c: float) -> float:
        return (mean / c**2 + 1 / c) / 2

    carried, slowest = 0.0, min(speed)
    for c in sorted(speed, reverse=True):
        carried += c
        if carried >= rate:
            slowest = c
            break
    return [c * max(0.0, worth(slowest) - worth(c)) for c in speed]


def _dealt(owner: SlowDeal, moment: Moment, table: list[float], speed: list[float], known: bool) -> list[int]:
    """Ranks by the mean length; every scheduler takes the least of its own ranks for each of its jobs."""
    policy = owner.policy
    assert isinstance(policy, Dealt)
    so_far = owner.lengths or moment.length.tolist()
    mean = math.fsum(so_far) / len(so_far)
    length = moment.length.tolist() if policy.sized else [mean] * moment.length.size
    if not known:
        mean, length = 1.0, [1.0] * len(length)

    def price_of(i: int, p: float, own: float) -> float:
        r = p / speed[i]
        return r * (table[i] + own + (r + 1) / 2)

    ranks = sorted(range(len(table)), key=lambda i: (price_of(i, mean, 0.0), i))
    living = np.flatnonzero(moment.living).tolist()
    busy = sum(owner.busy) / owner.steps if owner.steps else 0.0
    seats = min(len(table), max(1, round(policy.seats * len(living)), math.ceil(busy))) if policy.seats else 1
    owner.slices.append(seats)
    numbers = seeded(owner.setting.seed, Stream.SHARED, moment.step).permutation(len(living)).tolist()
    seat = {who: number % seats for who, number in zip(living, numbers, strict=True)}
    own: dict[tuple[int, int], float] = {}
    chosen = []
    for who, p in zip(moment.scheduler.tolist(), length, strict=True):
        slice_ = ranks[seat[who] :: seats]
        where = min(slice_, key=lambda i: price_of(i, p, own.get((who, i), 0.0)))
        own[who, where] = own.get((who, where), 0.0) + p / speed[where]
        chosen.append(where)
    return chosen


@pytest.mark.parametrize(
    "policy",
    [Dealt(), Dealt(seats=0), Dealt(sized=False), Dealt(seats=1, price=0), Dealt(seats=0.7, price=3)],
)
def test_every_job_goes_where_the_deal_says(policy: Dealt) -> None:
    for seed in range(6):
        events = [Crash(30, 2), Crash(45, None)] if seed % 2 else []
        world = draw(drawn(schedulers=3 + 2 * seed, resources=4 + 3 * seed, steps=80, events=events), seed)
        twin = SlowDeal(policy)
        run(world, twin)
        assert twin.jobs == world.length.size
        if policy.seats == 0:
            assert set(twin.slices) == {1}


def test_there_are_as_many_seats_as_schedulers_that_have_jobs_and_no_more_than_resources() -> None:
    for schedulers, resources, seats in ((5, 20, 5), (12, 4, 4), (12, 20, 12)):
        # Short jobs: about 18 a step with 20 resources, so that nearly every scheduler has some.
        system = drawn(schedulers=schedulers, resources=resources, steps=60, length=Uniform(1, 3))
        twin = SlowDeal(Dealt())
        run(draw(system, 1), twin)
        assert twin.slices[-1] == seats
        assert twin.slices[0] == min(resources, round(0.4 * schedulers))


def test_the_deal_is_another_one_in_each_step_and_fair_in_the_long_run() -> None:
    deals = [seeded(7, Stream.SHARED, step).permutation(5).tolist() for step in range(4000)]
    assert deals[0] != deals[1]
    counts = np.array([[deal[who] for deal in deals].count(seat) for who in range(5) for seat in range(5)])
    assert counts / 4000 == pytest.approx(np.full(25, 0.2), abs=0.03)


def test_the_price_by_hand() -> None:
    session = Dealt().open(Setting(1, 4, 1, None))
    session._speed = np.array([2.0, 10.0, 1.0, 5.0])
    session._work, session._jobs, session._steps = 60.0, 6, 5
    # Mean length 10, 12 a step: 10 and 5 carry that, 5 is the slowest needed. A unit of work costs
    # (10/25 + 1/5)/2 = 0.3 there and (10/100 + 1/10)/2 = 0.1 on the fastest: 10 (0.3 - 0.1) = 2.
    assert session._prices() == pytest.approx([0, 2, 0, 0])
    session._work = 90.0  # 15, 18 a step: 10, 5 and 2 carry no more than 17, so all are needed
    session._jobs = 6
    last, fast = (15 + 1) / 2, (15 / 100 + 1 / 10) / 2
    assert session._prices()[1] == pytest.approx(10 * (last - fast))
    session._work = 10_000.0  # more than all can do: the slowest is the last one all the same
    assert np.isfinite(session._prices()).all()


def test_a_job_long_enough_goes_to_the_fast_resource_and_a_short_one_to_the_idle() -> None:
    session = Dealt(seats=0, price=0).open(Setting(1, 2, 1, None))
    session._speed, session._table = np.array([1.0, 10.0]), np.array([0.0, 3.0])

    def goes(length: float) -> int:
        one = np.zeros(1, dtype=np.int64)
        alive = np.ones(1, dtype=np.bool_)
        moment = Moment(0, one, np.array([length]), np.zeros(1), alive, None, None)
        return int(session.place(moment).resource[0])

    # p = 1: 1 (0 + 1) = 1 against 0.1 (3 + 0.55) = 0.355; p = 0.1 is 0.1·0.55 against 0.01·(3 + 0.505).
    assert [goes(1.0), goes(0.1), goes(50.0)] == [1, 1, 1]
    session._table = np.array([0.0, 30.0])
    # p = 1: 1 against 0.1·30.55; p = 8: 8·4.5 = 36 against 0.8·30.9 = 24.7.
    assert [goes(1.0), goes(8.0)] == [0, 1]


FIRST = SHIPPED / "grid" / "small-90.json"


@pytest.mark.parametrize("seed", [101, 102])
def test_it_beats_lls_and_dmms_with_true_queues(seed: int) -> None:
    """At a third of the steps; the slow test has them all."""
    system = planner.files.read_system(FIRST)
    short = replace(system, steps=900)
    dealt, lls, dmms = planner.simulate(
        short, "dealt,lls,dmms:knowledge=global", seeds=seed, bound=False
    ).runs
    assert dealt.metrics.last_quarter < 0.9 * lls.metrics.last_quarter < dmms.metrics.last_quarter
    assert dealt.metrics.messages == 100


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("scale", "load"), list(itertools.product(["small", "medium", "large"], [60, 90])))
def test_it_beats_lls_and_dmms_with_true_queues_everywhere(scale: str, load: int) -> None:
    """The last quarter of 3,000 steps, seed by seed."""
    system = planner.files.read_system(SHIPPED / "grid" / f"{scale}-{load}.json")
    short = replace(system, steps=3000)
    found = planner.simulate(short, "dealt,lls,dmms:knowledge=global", seeds="101-103", bound=False)
    by_policy = {name: [one.metrics.last_quarter for one in runs] for name, runs in found.policies.items()}
    for dealt, lls, dmms in zip(*by_policy.values(), strict=True):
        assert dealt < lls < dmms
