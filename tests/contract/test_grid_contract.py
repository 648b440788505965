"""What every solver of grid steps owes its users, on every hand-solved step and in every goal."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import planner
from planner import files
from planner.errors import Unsupported
from planner.goal import Goal
from planner.grid.checker import check
from planner.grid.plan import GridPlan
from planner.grid.step import GridStep
from planner.kinds import GRID_STEP
from planner.result import Result, Seconds, Status, StoppedBy
from solvers import catalog
from tests.instances import SHIPPED
from tests.steps import close, truth

TINY = files.find_instances([SHIPPED / "grid" / "tiny"])
TIME_LIMIT = 60.0  # a guard; each run takes a fraction of a second
ENTRIES = [entry for entry in catalog.entries() if entry.kind == GRID_STEP.name]

each_instance = pytest.mark.parametrize("path", TINY, ids=lambda path: path.stem)
each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
each_goal = pytest.mark.parametrize("goal", GRID_STEP.goals, ids=lambda goal: goal.value)


@cache
def _solved(path: Path, solver: str, goal: Goal) -> tuple[GridStep, Result[GridPlan] | None]:
    """The step, and what the solver makes of it; None where it says that it does not keep the limit."""
    step = files.read(path)
    assert isinstance(step, GridStep)
    if catalog.find(solver).proves != "optimum":
        # Policies keep no limit, and some need what they would have learnt: any table will do here.
        step = replace(step, resources=tuple(replace(one, utility=one.capacity) for one in step.resources))
    try:
        return step, planner.solve(step, solver, goal=goal, time_limit=TIME_LIMIT)
    except Unsupported:
        assert step.max_jobs_per_resource is not None
        assert catalog.find(solver).proves == "nothing"
        return step, None


def _optimum(step: GridStep) -> dict[Goal, Fraction] | None:
    """The values worked out by hand in the file; None: it is infeasible."""
    meta = step.notes.meta
    if "optimum" not in meta:
        assert meta["infeasible"] is True
        return None
    optimum = meta["optimum"]
    assert isinstance(optimum, dict)
    return {goal: Fraction(str(optimum[goal.value])) for goal in GRID_STEP.goals}


@each_instance
def test_what_was_worked_out_by_hand_is_the_truth(path: Path) -> None:
    step = files.read(path)
    assert isinstance(step, GridStep)
    assert files.warnings(step) == () or _optimum(step) is None
    assert step.name == path.stem
    assert truth(step) == _optimum(step)


@each_instance
@each_entry
@each_goal
def test_plans_are_valid_bounds_below_and_provers_meet_the_optimum(
    entry: catalog.Entry, path: Path, goal: Goal
) -> None:
    step, result = _solved(path, entry.name, goal)
    if result is None:
        return
    optimum = _optimum(step)
    assert (result.kind, result.goal, result.solver) == (GRID_STEP.name, goal, entry.name)
    if optimum is None:
        assert (result.status, result.plan) == (Status.INFEASIBLE, None)
        assert result.message is not None
        assert "3 jobs, but 2 resources with max_jobs_per_resource 1 have only 2 places" in result.message
        return
    assert result.plan is not None
    verdict = check(step, result.plan)
    assert verdict.valid
    for other in GRID_STEP.goals:
        value = verdict.value(other)
        assert result.value(other) == value
        assert value is not None
        assert value >= optimum[other]
    assert result.bound is not None
    assert 0 <= result.bound <= optimum[goal]
    assert result.stopped_by is StoppedBy.COMPLETED
    assert result.status is (Status.OPTIMAL if close(result.objective, result.bound) else Status.FEASIBLE)
    if entry.proves == "optimum" and entry.goals[0] == goal:
        assert result.status is Status.OPTIMAL
        assert close(result.objective, optimum[goal])


@each_instance
@each_entry
def test_the_same_seed_gives_the_same_result(entry: catalog.Entry, path: Path) -> None:
    goal = Goal(entry.goals[0])
    step, first = _solved(path, entry.name, goal)
    if first is None:
        return
    second = planner.solve(step, entry.name, goal=goal, time_limit=TIME_LIMIT)
    assert replace(second, seconds=Seconds()) == replace(first, seconds=Seconds())


@each_entry
def test_every_goal_is_taken_and_those_of_the_cloud_alone_are_not(entry: catalog.Entry) -> None:
    assert set(entry.goals) == {goal.value for goal in GRID_STEP.goals}
    step = files.read(TINY[0])
    assert isinstance(step, GridStep)
    with pytest.raises(Unsupported, match=f"'{entry.name}' does not minimise cost"):
        planner.solve(step, entry.name, goal=Goal.COST)


@each_entry
def test_cloud_instances_are_refused(entry: catalog.Entry) -> None:
    instance = files.read(SHIPPED / "cloud" / "tiny" / "tiny.json")
    with pytest.raises(Unsupported, match="is for grid-step problems"):
        planner.solve(instance, entry.name, goal=Goal.MAKESPAN)
