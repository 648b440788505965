"""What DEALT's learner makes of reports: bounds that hold and get narrow, after outages and takeovers too."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

from planner.grid.distribution import Choices, Constant, Exponential, Uniform
from planner.grid.policy import Outcome, Session
from planner.grid.system import CapacityChange, Crash, Event, GridSystem
from planner.grid.workload import Workload, draw
from solvers.grid.policies.dealt import Dealt
from solvers.grid.policies.learner import Reports
from tests.grid.systems import drawn, traced
from tests.grid.watching import Watched, watch

ROUNDED = 1e-9


def known(session: Session) -> Reports:
    found: Reports = session._known  # type: ignore[attr-defined]
    return found


def holds(world: Workload) -> Watched:
    """Run DEALT and see in every step that each capacity is within its bounds."""

    def after(session: Session, outcome: Outcome) -> None:
        reports = known(session)
        where = f"seed {world.seed}, step {outcome.step}"
        assert (reports.least <= world.capacity * (1 + ROUNDED)).all(), where
        assert (world.capacity <= reports.most * (1 + ROUNDED)).all(), where
        assert (reports.least <= reports.most * (1 + ROUNDED)).all(), where

    return watch(world, Dealt(), after)[1]


def systems(seed: int, events: list[Event]) -> GridSystem:
    chance = np.random.default_rng(seed)
    lengths = [Uniform(10, 100), Uniform(0.5, 3), Constant(20), Exponential(30), Choices((1, 200), (9, 1))]
    capacities = [Uniform(1, 10), Constant(4), Choices((0.5, 16), (1, 1)), Uniform(40, 300)]
    return drawn(
        schedulers=int(chance.integers(1, 7)),
        resources=int(chance.integers(1, 9)),
        steps=120,
        load=float(chance.choice([0.2, 0.6, 0.9, 1.2])),
        length=lengths[int(chance.integers(len(lengths)))],
        capacity=capacities[int(chance.integers(len(capacities)))],
        events=events,
    )


@pytest.mark.parametrize("crashes", [0, 1, 3])
def test_every_bound_holds_in_every_step_where_capacities_are_constant(crashes: int) -> None:
    for seed in range(25):
        events: list[Event] = [Crash(20 * (turn + 1) + seed % 7, None) for turn in range(crashes)]
        holds(draw(systems(seed, events), seed))


@pytest.mark.slow
@pytest.mark.parametrize("crashes", [0, 1, 3])
def test_every_bound_holds_in_every_step_on_many_systems(crashes: int) -> None:
    for seed in range(25, 800):
        events: list[Event] = [Crash(20 * (turn + 1) + seed % 7, None) for turn in range(crashes)]
        holds(draw(systems(seed, events), seed))


def test_bounds_by_hand() -> None:
    """One resource of capacity 4; jobs of 6 and 6 arrive in step 0, of 2 in step 3."""
    seen: list[tuple[float, float]] = []

    def after(session: Session, _: Outcome) -> None:
        reports = known(session)
        seen.append((float(reports.least[0]), float(reports.most[0])))

    watch(draw(traced([4], [(0, 6), (0, 6), (3, 2)], 5), 1), Dealt(), after)
    # Step 0: 12 submitted and not done, the longest is 6: C < 6. Step 1: 6 done within 2 steps and in more
    # than one: 3 <= C < 6; all 12 not within 2: C < 6. Step 2: 12 done within 3 steps: 4 <= C; not within 2.
    # Step 3: 2 done within its first step: no news.
    assert seen == [(0, 6), (3, 6), (4, 6), (4, 6), (4, 6)]


def test_the_estimate_is_the_middle_of_the_bounds_else_the_mean_of_the_known_ones_within_them() -> None:
    reports = Reports.blank(4)
    assert reports.speeds(None) is None
    reports.least[:] = [2, 4, 0, 0]
    reports.most[:] = [4, 6, 3, math.inf]
    speeds = reports.speeds(None)
    assert speeds is not None
    assert speeds.tolist() == [3, 5, 3, 4]  # (3 + 5) / 2 = 4, which the third's bounds make 3
    before = reports.speeds(np.array([9.0, 9.0, 2.0, 7.0]))
    assert before is not None
    assert before.tolist() == [3, 5, 2, 7]


def test_the_load_is_what_was_submitted_less_what_was_served_within_what_is_outstanding() -> None:
    reports = Reports.blank(3)
    reports.since[:] = [2, 2, 2]
    reports.submitted[:] = [20, 20, 20]
    reports.outstanding[:] = [12, 20, 3]
    # After step 4, three steps of service at 4: 12 served, 8 left; at least outstanding less the longest, 5.
    load = reports.load(4, np.array([4.0, 4.0, 4.0]), 5.0)
    assert load.tolist() == [8 / 4, 15 / 4, 3 / 4]


@dataclass
class Estimates:
    """What the learner made of each capacity, step by step."""

    speeds: list[np.ndarray] = field(default_factory=list)

    def __call__(self, session: Session, _: Outcome) -> None:
        speed = session._speed  # type: ignore[attr-defined]
        self.speeds.append(np.full(session._table.size, np.nan) if speed is None else speed.copy())  # type: ignore[attr-defined]


def errors(events: list[Event], truth: dict[int, float], step: int, seed: int) -> list[float]:
    """How far each estimate is off, as a share of the capacity after the events, in that step."""
    world = draw(drawn(schedulers=8, resources=10, steps=step + 1, load=0.7, events=events), seed)
    now = world.capacity.copy()
    for resource, capacity in truth.items():
        now[resource] = capacity
    estimates = Estimates()
    watch(world, Dealt(), estimates)
    return np.abs(estimates.speeds[step] / now - 1).tolist()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_estimates_get_near_the_truth(seed: int) -> None:
    assert max(errors([], {}, 399, seed)) < 0.1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_after_an_outage_the_estimate_recovers(seed: int) -> None:
    events: list[Event] = [CapacityChange(200, 3, 0.0), CapacityChange(240, 3, 6.0)]
    assert errors(events, {3: 6.0}, 600, seed)[3] < 0.15


def test_in_an_outage_the_estimate_falls_and_jobs_go_elsewhere() -> None:
    world = draw(
        drawn(schedulers=8, resources=10, steps=400, load=0.5, events=[CapacityChange(200, 3, 0.0)]), 1
    )
    estimates = Estimates()
    _, watched = watch(world, Dealt(), estimates)
    late = [p.resource for step, p in watched.placements.items() if step >= 300]
    assert estimates.speeds[390][3] < 0.25 * world.capacity[3]
    assert np.bincount(np.concatenate(late), minlength=10)[3] <= 1


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("capacity", [1.5, 9.0])
def test_after_a_change_of_capacity_the_estimate_follows(seed: int, capacity: float) -> None:
    assert errors([CapacityChange(200, 3, capacity)], {3: capacity}, 700, seed)[3] < 0.15


@pytest.mark.parametrize("seed", [1, 2])
def test_a_new_learner_begins_with_the_last_estimates_and_gets_near_the_truth_again(seed: int) -> None:
    events: list[Event] = [Crash(200, None), Crash(300, None)]
    assert max(errors(events, {}, 200, seed)) < 0.2
    assert max(errors(events, {}, 700, seed)) < 0.15


def test_a_takeover_is_told_once_by_each_who_lives() -> None:
    events: list[Event] = [Crash(5, 2), Crash(7, None), Crash(7, 1), Crash(9, None)]
    world = draw(drawn(schedulers=6, steps=12, events=events), 1)
    metrics, watched = watch(world, Dealt())
    # 2 goes (5 live), the learner 0 (4 live, each tells), the learner 1 after it (3 tell), the learner 3 (2).
    assert watched.takeovers == [(2, 3, False), (0, 1, True), (1, 3, True), (3, 4, True)]
    steps = 5 * 6 + 2 * 5 + 2 * 3 + 3 * 2
    assert metrics.messages * 12 == pytest.approx(2 * steps + 4 + 3 + 2)
