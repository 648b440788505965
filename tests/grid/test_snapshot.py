"""A step of a simulation, taken as a grid step of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import planner
from planner.errors import UsageError
from planner.grid.distribution import Constant, Uniform
from planner.grid.system import Arrivals, CapacityChange, Crash, Drawn, GridSystem, counted_schedulers

STEPS = Path(__file__).parents[2] / "instances" / "grid" / "steps"
SYSTEM = GridSystem(
    "taken", counted_schedulers(3), 40, Drawn(6, Uniform(1, 10)), Arrivals(0.8, Uniform(5, 50)), seed=4
)


def test_the_queues_are_those_that_alor_was_recorded_of() -> None:
    """Placing the step's jobs with the same policy gives the recorded ALoR: mct meets no ties here."""
    step = planner.snapshot(SYSTEM, "mct", 31)
    run = planner.simulate(SYSTEM, "mct", bound=False).runs[0]
    plan = planner.solve(step, "mct").plan
    assert plan is not None
    lengths = {job.name: job.length for job in step.jobs}
    work = {resource.name: resource.backlog for resource in step.resources}
    for assignment in plan.assignments:
        work[assignment.resource] += lengths[assignment.job]
    loads = [float(work[resource.name] / resource.capacity) for resource in step.resources]
    assert len(step.jobs) > 0
    assert np.mean(loads) == pytest.approx(run.metrics.series[31], rel=1e-9)


def test_reference_has_no_regret_in_a_step_taken_from_its_run() -> None:
    step = planner.snapshot(SYSTEM, "reference", 20)
    assert planner.solve(step, "reference").flow == planner.solve(step, "positional").flow


def test_resources_that_are_down_are_left_out_and_heirs_have_the_jobs() -> None:
    events = (CapacityChange(5, 2, 0.0), Crash(6, 0))
    step = planner.snapshot(replace(SYSTEM, events=events), "mct", 6)
    assert [resource.name for resource in step.resources] == ["r1", "r2", "r4", "r5", "r6"]
    assert "s1" not in {job.scheduler for job in step.jobs}


def test_nobody_has_jobs_where_all_schedulers_are_gone() -> None:
    events = tuple(Crash(3, number) for number in range(3))
    assert planner.snapshot(replace(SYSTEM, events=events), "rs", 10).jobs == ()


def test_clds_leaves_its_utilities() -> None:
    step = planner.snapshot(SYSTEM, "clds", 25)
    assert all(resource.utility is not None for resource in step.resources)
    assert planner.solve(step, "clds").plan is not None
    assert planner.snapshot(SYSTEM, "lls", 25).resources[0].utility is None


def test_a_step_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="no step 40: taken has 0 to 39"):
        planner.snapshot(SYSTEM, "lls", 40)


def test_the_first_step_has_no_backlog() -> None:
    system = replace(SYSTEM, jobs=Arrivals(0.5, Constant(3.0)))
    step = planner.snapshot(system, "rs", 0)
    assert all(resource.backlog == 0 for resource in step.resources)


@pytest.mark.parametrize("path", sorted(STEPS.glob("*.json")), ids=lambda path: path.stem)
def test_the_shipped_steps_are_those_of_their_systems(path: Path) -> None:
    step = planner.read(path)
    name, policy, number = path.stem.rsplit("-", 2)
    if policy == "dmms":
        policy = "dmms:knowledge=global"
    system = planner.read(STEPS.parent / f"{name}.json")
    taken = planner.snapshot(system, policy, int(number))
    assert (taken.resources, taken.jobs) == (step.resources, step.jobs)
