"""What every cloud solver of the catalog owes its users, on every hand-solved instance."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import planner
from planner import files
from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.errors import Unsupported
from planner.goal import Goal
from planner.result import Result, Seconds, Status, StoppedBy
from solvers import catalog
from tests.instances import SHIPPED

TINY = files.find_instances([SHIPPED / "cloud" / "tiny"])
TIME_LIMIT = 60.0  # a guard; each run takes a fraction of a second

ENTRIES = [entry for entry in catalog.entries() if entry.kind == "cloud"]
each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
each_instance = pytest.mark.parametrize("path", TINY, ids=lambda path: path.stem)
each_job = pytest.mark.parametrize(
    ("entry", "goal"),
    [(entry, goal) for entry in ENTRIES for goal in Goal if goal.value in entry.goals],
    ids=lambda value: value.name if isinstance(value, catalog.Entry) else value.value,
)


@cache
def _solved(path: Path, solver: str, goal: Goal) -> tuple[CloudInstance, Result]:
    instance = files.read(path)
    return instance, planner.solve(instance, solver, goal=goal, time_limit=TIME_LIMIT)


def _optimum(instance: CloudInstance) -> tuple[Fraction, Fraction] | None:
    """Makespan and cost as worked out by hand in the instance; None: it is infeasible."""
    meta = instance.notes.meta
    if "optimum" not in meta:
        assert meta["infeasible"] is True
        return None
    optimum = meta["optimum"]
    assert isinstance(optimum, dict)
    return Fraction(str(optimum["makespan"])), Fraction(str(optimum["cost"]))


@each_instance
@each_job
def test_the_plan_passes_the_checker_and_the_bound_stays_below(
    entry: catalog.Entry, path: Path, goal: Goal
) -> None:
    instance, result = _solved(path, entry.name, goal)
    if result.plan is None:
        assert result.status in (Status.INFEASIBLE, Status.UNKNOWN)
        assert (result.makespan, result.cost, result.gap) == (None, None, None)
        assert result.message
        return
    verdict = check(instance, result.plan)
    assert verdict.valid
    assert (result.makespan, result.cost) == (verdict.makespan, verdict.cost)
    assert result.bound is not None
    assert result.objective is not None
    assert 0 <= result.bound <= result.objective
    assert (result.status is Status.OPTIMAL) is (result.bound == result.objective)
    assert result.status in (Status.OPTIMAL, Status.FEASIBLE)


@each_instance
@each_entry
def test_nobody_is_better_than_the_optimum_by_hand_and_provers_meet_it(
    entry: catalog.Entry, path: Path
) -> None:
    instance, result = _solved(path, entry.name, Goal.MAKESPAN)
    optimum = _optimum(instance)
    if optimum is None:
        assert result.status is Status.INFEASIBLE
        assert result.plan is None
        return
    assert result.status is not Status.INFEASIBLE
    if result.makespan is not None and result.cost is not None:
        assert (result.makespan, result.cost) >= optimum
    if result.status is Status.OPTIMAL:
        assert result.makespan == optimum[0]
    if result.tiebreak_proven:
        assert result.cost == optimum[1]
    if entry.proves == "optimum":
        assert (result.status, result.makespan, result.cost) == (Status.OPTIMAL, *optimum)
        assert result.tiebreak_proven
        assert result.stopped_by is StoppedBy.COMPLETED


@each_instance
@each_job
def test_the_same_seed_gives_the_same_result(entry: catalog.Entry, path: Path, goal: Goal) -> None:
    instance, first = _solved(path, entry.name, goal)
    second = planner.solve(instance, entry.name, goal=goal, time_limit=TIME_LIMIT)
    assert replace(second, seconds=Seconds()) == replace(first, seconds=Seconds())


@each_instance
@each_entry
def test_a_result_comes_back_from_its_file(entry: catalog.Entry, path: Path, tmp_path: Path) -> None:
    instance, result = _solved(path, entry.name, Goal.MAKESPAN)
    tree = json.loads(files.dumps(result))
    assert (tree["format"], tree["solver"], tree["status"]) == ("planner/result/1", entry.name, result.status)
    assert tree["instance_sha256"] == instance.sha256
    if result.plan is not None:
        target = tmp_path / "result.json"
        files.write(result, target)
        read = files.read_plan(target)
        assert read.plan == result.plan
        assert read.claims is not None
        claimed = (read.claims.makespan, read.claims.cost, read.claims.bound)
        assert claimed == (result.makespan, result.cost, result.bound)
        assert not read.claims.contradictions


@each_entry
def test_a_goal_that_a_solver_does_not_have_is_unsupported_by_name(entry: catalog.Entry) -> None:
    instance = files.read(TINY[0])
    for goal in Goal:
        if goal.value not in entry.goals:
            with pytest.raises(Unsupported, match=f"'{entry.name}' does not minimise {goal}"):
                planner.solve(instance, entry.name, goal=goal)


@each_entry
def test_a_solver_reports_what_it_ran_with(entry: catalog.Entry) -> None:
    instance, result = _solved(TINY[0], entry.name, Goal.MAKESPAN)
    assert (result.instance, result.kind, result.solver) == (instance.name, "cloud", entry.name)
    assert result.goal is Goal.MAKESPAN
    assert set(entry.needs) <= set(result.versions)
    assert result.seconds.total >= result.seconds.solve >= 0


@each_entry
def test_any_seed_and_several_workers_are_taken(entry: catalog.Entry) -> None:
    instance = files.read(TINY[-1])
    _, reference = _solved(TINY[-1], entry.name, Goal.MAKESPAN)
    for seed, workers in ((0, 1), (2**31 - 1, 2)):
        result = planner.solve(instance, entry.name, seed=seed, workers=workers, time_limit=TIME_LIMIT)
        if entry.proves == "optimum":
            assert (result.makespan, result.cost) == (reference.makespan, reference.cost)
