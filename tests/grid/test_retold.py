"""Every policy on random systems with events, told again step by step by a slow simulation of lists.

The twin takes the placements as they were, and everything else from the model: exact queues, who is alive
and has whose jobs, ALoR after placing and before service, load by the initial capacity, all metrics.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pytest

from planner.grid.metrics import Metrics
from planner.grid.system import CapacityChange, Crash
from planner.grid.workload import Workload, draw
from solvers import catalog
from tests.grid.slow import Retold, Told, retell
from tests.grid.systems import eventful
from tests.grid.watching import Watched, watch

POLICIES = [
    *(entry.name for entry in catalog.policies()),
    "dmms:knowledge=global",
    "clds:update=additive;selection=proportional;start=service",
    "dealt:seats=0;price=0;sized=false",
]
SEEDS = range(12)

MESSAGES = {
    "rs": lambda agents, resources, jobs, busy: 0,  # noqa: ARG005
    "dmms": lambda agents, resources, jobs, busy: 0,  # noqa: ARG005
    "clds": lambda agents, resources, jobs, busy: 2 * agents,  # noqa: ARG005
    "dealt": lambda agents, resources, jobs, busy: 2 * agents,  # noqa: ARG005
    "osl": lambda agents, resources, jobs, busy: agents,  # noqa: ARG005
    "lls": lambda agents, resources, jobs, busy: 2 * resources * jobs,  # noqa: ARG005
    "mct": lambda agents, resources, jobs, busy: 2 * resources * jobs,  # noqa: ARG005
    "dmms:knowledge=global": lambda agents, resources, jobs, busy: 2 * resources * busy,  # noqa: ARG005
    "reference": lambda agents, resources, jobs, busy: 2 * resources + 2 * (busy - 1) if jobs else 0,  # noqa: ARG005
}
"""As the design counts them, a step."""


@dataclass
class Grid:
    """Who lives and what each resource can do, by the events of the steps so far."""

    capacity: list[Fraction]
    living: list[bool]
    takeovers: list[tuple[int, int, bool]] = field(default_factory=list)

    def heir(self, scheduler: int) -> int | None:
        """The first living scheduler from this one on, cyclically: who has its jobs."""
        ring = [*range(scheduler, len(self.living)), *range(scheduler)]
        return next((one for one in ring if self.living[one]), None)

    def happen(self, event: CapacityChange | Crash) -> None:
        if isinstance(event, CapacityChange):
            self.capacity[event.resource] = Fraction(event.capacity)
            return
        learner = self.heir(0)
        crashed = learner if event.scheduler is None else event.scheduler
        if crashed is None or not self.living[crashed]:
            return
        self.living[crashed] = False
        successor = self.heir(crashed)
        if successor is not None:
            self.takeovers.append((crashed, successor, crashed == learner))


@dataclass
class Story:
    """The told run, and what else the twin knows: jobs turned away, messages."""

    told: Told
    rejected: int
    messages: int
    grid: Grid


def tell(world: Workload, watched: Watched, policy: str) -> Story:
    """Follow the run with the twin, checking on the way what the policy saw and was told."""
    name = policy if policy in MESSAGES else policy.partition(":")[0]
    grid = Grid([Fraction(c) for c in world.capacity.tolist()], [True] * world.schedulers)
    capacity, entered, rejected, messages = [], [], 0, 0
    arrived = np.repeat(np.arange(world.steps), np.diff(world.first)).tolist()
    for step in range(world.steps):
        for event in world.events:
            if event.step == step:
                before = len(grid.takeovers)
                grid.happen(event)
                for *_, learner in grid.takeovers[before:]:
                    messages += sum(grid.living) if name == "dealt" and learner else 0
        capacity.append(list(grid.capacity))
        low, high = int(world.first[step]), int(world.first[step + 1])
        alive = sum(grid.living)
        if alive == 0:
            rejected += high - low
            entered.append([])
            assert step not in watched.moments
            assert step not in watched.outcomes
            continue
        owners = [grid.heir(who) for who in world.scheduler[low:high].tolist()]
        messages += MESSAGES[name](alive, len(grid.capacity), high - low, len(set(owners)))
        if low == high:
            assert step not in watched.moments
            entered.append([])
            continue
        moment = watched.moments[step]
        assert moment.scheduler.tolist() == owners
        assert moment.length.tolist() == world.length[low:high].tolist()
        assert moment.living.tolist() == grid.living
        if moment.capacity is not None:
            assert moment.capacity.tolist() == [float(c) for c in grid.capacity]
        resource = watched.placements[step].resource
        entered.append([(low + job, int(resource[job])) for job in watched.order(step)])
    told = Told(
        initial=[Fraction(c) for c in world.capacity.tolist()],
        capacity=capacity,
        entered=entered,
        arrived=arrived,
        length=[Fraction(p) for p in world.length.tolist()],
    )
    return Story(told, rejected, messages, grid)


def test_the_systems_have_all_kinds_of_events() -> None:
    crashes, outages, deserted = set(), 0, 0
    for seed in SEEDS:
        world = draw(eventful(seed), seed)
        grid = Grid([Fraction(c) for c in world.capacity.tolist()], [True] * world.schedulers)
        for event in world.events:
            grid.happen(event)
            outages += isinstance(event, CapacityChange) and event.capacity == 0
        crashes |= {learner for *_, learner in grid.takeovers}
        deserted += not any(grid.living)
    assert (crashes, outages > 3, deserted > 0) == ({True, False}, True, True)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_run_told_again(policy: str) -> None:
    for seed in SEEDS:
        _told_again(policy, seed)


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_many_runs_told_again(policy: str) -> None:
    for seed in range(SEEDS.stop, 250):
        _told_again(policy, seed)


def _told_again(policy: str, seed: int) -> None:
    world = draw(eventful(seed), seed)
    entry, options = catalog.configure_policy(policy)
    metrics, watched = watch(world, entry.make_policy(options))
    story = tell(world, watched, policy)
    retold = retell(story.told)
    _same_metrics(world, metrics, story, retold)
    assert watched.takeovers == story.grid.takeovers
    assert metrics.messages * world.steps == pytest.approx(story.messages)
    _same_outcomes(watched, retold, story)


def _same_metrics(world: Workload, metrics: Metrics, story: Story, retold: Retold) -> None:
    close = pytest.approx
    assert metrics.series.tolist() == close(retold.series, rel=1e-9, abs=1e-9)
    assert metrics.fairness == close(retold.fairness, rel=1e-9)
    assert metrics.utilisation == close(retold.utilisation, rel=1e-9)
    jobs = metrics.jobs
    assert jobs.arrived == world.length.size == jobs.finished + jobs.running + jobs.queued + jobs.rejected
    assert (jobs.finished, jobs.running, jobs.queued, jobs.rejected) == (
        len(retold.times.completed),
        retold.running,
        retold.queued,
        story.rejected,
    )
    if not retold.response:
        assert metrics.response is None
        return
    assert metrics.response is not None
    assert metrics.response.mean == close(sum(retold.response) / len(retold.response), rel=1e-9)
    rank = sorted(retold.response)
    place = 0.95 * (len(rank) - 1)
    low = int(place)
    high = min(low + 1, len(rank) - 1)
    assert metrics.response.p95 == close(rank[low] + (place - low) * (rank[high] - rank[low]), rel=1e-9)


def _same_outcomes(watched: Watched, retold: Retold, story: Story) -> None:
    """A policy that may see outcomes is told each finished job, once, in the step of its end."""
    if watched.sees == "nothing":
        assert watched.outcomes == {}
        return
    where = {job: resource for entered in story.told.entered for job, resource in entered}
    for step, outcome in watched.outcomes.items():
        ended = [job for job, when in retold.times.ended_in.items() if when == step]
        rows = zip(
            outcome.resource.tolist(),
            outcome.length.tolist(),
            outcome.submitted.tolist(),
            outcome.started.tolist(),
            outcome.completed.tolist(),
            strict=True,
        )
        expected = [
            (
                where[job],
                float(story.told.length[job]),
                story.told.arrived[job],
                float(retold.times.started[job]),
                float(retold.times.completed[job]),
            )
            for job in ended
        ]
        flat = np.array(sorted(rows)).ravel(), np.array(sorted(expected)).ravel()
        assert flat[0] == pytest.approx(flat[1], abs=1e-9)
