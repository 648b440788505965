"""Steps and systems made in memory are refused where they break what the reader asks for."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import planner
from planner.grid.distribution import Choices, Constant, Exponential, Lognormal, Normal, Uniform
from planner.grid.step import GridStep, Job, Resource
from planner.grid.system import (
    Arrivals,
    CapacityChange,
    Crash,
    Drawn,
    GridSystem,
    Machine,
    Scheduler,
    Trace,
    counted_schedulers,
)

ONE, TWO = Fraction(1), Fraction(2)
STEP = GridStep("s", (Resource("r", TWO), Resource("q", ONE, ONE)), (Job("j", ONE), Job("k", TWO)))
SYSTEM = GridSystem("g", counted_schedulers(2), 5, Drawn(3, Uniform(1, 2)), Arrivals(0.5, Constant(2.0)))


def trace(steps: list[int], schedulers: list[int], lengths: list[float]) -> Trace:
    return Trace(np.array(steps), np.array(schedulers), np.array(lengths))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"resources": ()}, "resources"),
        ({"resources": (Resource("r", Fraction(0)),)}, r"resources\[0\].capacity"),
        ({"resources": (Resource("r", Fraction(-1)),)}, r"resources\[0\].capacity"),
        ({"resources": (Resource("r", float("nan")),)}, r"resources\[0\].capacity"),
        ({"resources": (Resource("r", ONE, Fraction(-5)),)}, r"resources\[0\].backlog"),
        ({"resources": (Resource("r", ONE), Resource("r", ONE))}, r"resources\[1\].name"),
        ({"resources": (Resource("", ONE),)}, r"resources\[0\].name"),
        ({"jobs": (Job("j", Fraction(-3)),)}, r"jobs\[0\].length"),
        ({"jobs": (Job("j", 2.5),)}, r"jobs\[0\].length"),
        ({"jobs": (Job("j", ONE), Job("j", ONE))}, r"jobs\[1\].name"),
        ({"max_jobs_per_resource": 0}, "max_jobs_per_resource"),
        ({"max_jobs_per_resource": 1.5}, "max_jobs_per_resource"),
        ({"max_jobs_per_resource": True}, "max_jobs_per_resource"),
    ],
)
def test_impossible_steps(change: dict[str, Any], place: str) -> None:
    for call in (lambda s: planner.solve(s, "makespan"), lambda s: planner.compare(s, "lls")):
        with pytest.raises(planner.InputError, match=f"s: {place}"):
            call(replace(STEP, **change))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"schedulers": ()}, "schedulers"),
        ({"schedulers": (Scheduler("a"), Scheduler("a"))}, r"schedulers\[1\].name"),
        ({"schedulers": (Scheduler("a", float("nan")),)}, r"schedulers\[0\].weight"),
        ({"steps": 0}, "steps"),
        ({"steps": 2.0}, "steps"),
        ({"resources": ()}, "resources"),
        ({"resources": (Machine("m", 0.0),)}, r"resources\[0\].capacity"),
        ({"resources": (Machine("m", float("inf")),)}, r"resources\[0\].capacity"),
        ({"resources": Drawn(0, Constant(1.0))}, "resources.count"),
        ({"resources": Drawn(2, Uniform(0, 0))}, "resources.capacity"),
        ({"resources": Drawn(2, Uniform(3, 2))}, "resources.capacity"),
        ({"resources": Drawn(2, Normal(-100, 1))}, "resources.capacity"),
        ({"resources": Drawn(2, Exponential(0.0))}, "resources.capacity"),
        ({"resources": Drawn(2, Lognormal(0, 50))}, "resources.capacity"),
        ({"resources": Drawn(2, Choices((1.0, 2.0), (1.0,)))}, "resources.capacity"),
        ({"jobs": Arrivals(float("nan"), Constant(1.0))}, "jobs.load"),
        ({"jobs": Arrivals(0.5, Constant(0.0))}, "jobs.length"),
        ({"jobs": trace([], [], [])}, "jobs.trace"),
        ({"jobs": trace([2, 1], [0, 0], [1, 1])}, "jobs.trace"),
        ({"jobs": trace([9], [0], [1])}, "jobs.trace"),
        ({"jobs": trace([1], [7], [1])}, "jobs.trace"),
        ({"jobs": trace([1], [0], [float("nan")])}, "jobs.trace"),
        ({"jobs": trace([1], [0], [-5])}, "jobs.trace"),
        ({"events": (CapacityChange(1, -1, 1.0),)}, r"events\[0\].resource"),
        ({"events": (CapacityChange(1, 0, float("inf")),)}, r"events\[0\].capacity"),
        ({"events": (CapacityChange(9, 0, 1.0),)}, r"events\[0\].step"),
        ({"events": (Crash(1, -2),)}, r"events\[0\].crash"),
    ],
)
def test_impossible_systems(change: dict[str, Any], place: str) -> None:
    with pytest.raises(planner.InputError, match=f"g: {place}"):
        planner.simulate(replace(SYSTEM, **change), "rs")


def test_a_step_changed_after_it_was_read_is_looked_at_again() -> None:
    changed = replace(STEP, jobs=(Job("j", Fraction(-1)),), sha256="0" * 64)
    with pytest.raises(planner.InputError, match=r"jobs\[0\].length"):
        planner.solve(changed, "positional")


def test_possible_ones_pass() -> None:
    assert planner.solve(STEP, "makespan").status is planner.Status.OPTIMAL
    events = (CapacityChange(1, 2, 0.0), Crash(2, None), Crash(3, 1))
    assert planner.simulate(replace(SYSTEM, events=events), "rs").runs
