"""Steps, systems and results of steps as the domain has them, and which reader takes which."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from planner import files
from planner.errors import InputError, SimulationNeeded
from planner.goal import Goal
from planner.grid.distribution import (
    Choices,
    Constant,
    Distribution,
    Exponential,
    Lognormal,
    Normal,
    Uniform,
)
from planner.grid.plan import Assignment
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
)
from planner.kinds import GRID_STEP
from planner.result import Status
from tests.files.samples import (
    GRID_PLAN,
    INSTANCE,
    PLAN,
    RESULT,
    STEP,
    STEP_RESULT,
    SYSTEM,
    TRACED,
    changed,
    faults_of,
    save,
)


def test_a_step(tmp_path: Path) -> None:
    step = files.read(save(tmp_path, STEP))
    assert step == GridStep(
        name="step",
        resources=(
            Resource("r1", Fraction(4), Fraction(12), Fraction(-1, 2)),
            Resource("r2", Fraction(5, 2)),
        ),
        jobs=(
            Job("j1", Fraction(30), "s1"),
            Job("j2", Fraction(5)),
            Job("j3", Fraction(15, 2), "s2"),
        ),
        max_jobs_per_resource=2,
    )
    assert step.sha256 is not None


def test_what_may_be_left_out_of_a_step(tmp_path: Path) -> None:
    tree = {**STEP, "jobs": [], "resources": [{"name": "r", "capacity": 1, "utility": None}]}
    del tree["max_jobs_per_resource"]
    step = files.read(save(tmp_path, tree))
    assert step == GridStep("step", (Resource("r", Fraction(1)),), ())


def test_a_system(tmp_path: Path) -> None:
    system = files.read(save(tmp_path, SYSTEM))
    assert system == GridSystem(
        name="system",
        schedulers=(Scheduler("north", 2), Scheduler("south", 1)),
        steps=20,
        resources=(Machine("r1", 4), Machine("r2", 2.5)),
        jobs=Arrivals(0.6, Uniform(10, 100)),
        seed=7,
        events=(CapacityChange(5, 1, 0), Crash(3, None), Crash(19, 1)),
    )
    assert isinstance(system, GridSystem)
    assert system.sha256 is not None
    assert system.trace_sha256 is None


def test_a_system_of_counts(tmp_path: Path) -> None:
    tree = {**SYSTEM, "schedulers": 2, "resources": {"count": 3, "capacity": {"constant": 2}}}
    del tree["seed"]
    tree["events"] = [{"step": 0, "resource": "r3", "capacity": 1.5}, {"step": 0, "crash": "s1"}]
    system = files.read_system(save(tmp_path, tree))
    assert system.seed == 1
    assert system.resources == Drawn(3, Constant(2))
    assert system.schedulers == (Scheduler("s1"), Scheduler("s2"))
    assert system.events == (CapacityChange(0, 2, 1.5), Crash(0, 0))


def test_a_trace(tmp_path: Path) -> None:
    system = files.read_system(save(tmp_path, TRACED))
    assert isinstance(system.jobs, Trace)
    assert system.jobs.steps.tolist() == [0, 0, 19]
    assert system.jobs.schedulers.tolist() == [1, 0, 0]
    assert system.jobs.lengths.tolist() == [12.5, 3, 1]


@pytest.mark.parametrize(
    "row",
    [
        {"step": 0.0, "scheduler": 1.0, "length": 12.5},
        {"step": 0, "scheduler": "south", "length": 12.5, "description": "x", "meta": {"a": 1}},
    ],
)
def test_rows_of_a_trace_that_take_a_second_look(tmp_path: Path, row: object) -> None:
    tree = changed(TRACED, lambda tree: tree["jobs"]["trace"].__setitem__(0, row))
    assert files.read(save(tmp_path, tree)) == files.read(save(tmp_path, TRACED))


@pytest.mark.parametrize(
    ("wire", "distribution"),
    [
        ({"uniform": [0, 2.5]}, Uniform(0, 2.5)),
        ({"normal": [5, 0.5]}, Normal(5, 0.5)),
        ({"lognormal": [-1, 0.5]}, Lognormal(-1, 0.5)),
        ({"exponential": 3}, Exponential(3)),
        ({"constant": 3}, Constant(3)),
        ({"choices": [1, 2, 4]}, Choices((1, 2, 4), (1, 1, 1))),
        ({"choices": [1, [2, 0.5]]}, Choices((1, 2), (1, 0.5))),
        ({"constant": 3, "description": "a note"}, Constant(3)),
    ],
)
def test_distributions(tmp_path: Path, wire: object, distribution: Distribution) -> None:
    system = files.read_system(save(tmp_path, {**SYSTEM, "jobs": {"load": 0.5, "length": wire}}))
    assert system.jobs == Arrivals(0.5, distribution)


def test_a_plan_of_a_step(tmp_path: Path) -> None:
    found = files.read_plan(save(tmp_path, GRID_PLAN))
    assert (found.plan.instance, found.instance_sha256, found.claims) == ("step", None, None)
    assert found.plan.assignments[1] == Assignment("j3", "r2", 2)
    nameless = changed(GRID_PLAN, lambda tree: tree.pop("instance"))
    assert files.read_plan(save(tmp_path, nameless)).plan.instance is None


def test_a_result_of_a_step_gives_its_exact_claims(tmp_path: Path) -> None:
    found = files.read_plan(save(tmp_path, STEP_RESULT))
    claims = found.claims
    assert claims is not None
    assert (claims.goal, claims.status, claims.cost) == (Goal.FLOW, Status.OPTIMAL, None)
    assert (claims.flow, claims.makespan, claims.load) == (
        Fraction(35, 2),
        Fraction(21, 2),
        Fraction(27, 4),
    )
    assert (claims.objective, claims.bound, claims.contradictions) == (claims.flow, claims.flow, ())


def test_what_a_result_of_a_step_claims_is_so(tmp_path: Path) -> None:
    step = files.read(save(tmp_path, STEP))
    found = files.read_plan(save(tmp_path, STEP_RESULT))
    verdict = GRID_STEP.check(step, found.plan)
    assert verdict.valid
    assert found.claims is not None
    assert all(found.claims.value(goal) == verdict.value(goal) for goal in GRID_STEP.goals)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"flow": 17}, "flow is 17"),
        ({"load": None}, "load is null"),
        ({"objective": 10.5}, "objective is 10.5"),
        ({"goal": "load"}, "objective is 17.5"),
        ({"exact": {**STEP_RESULT["exact"], "bound": "17"}}, "bound is 17.5"),
        ({"bound": 17, "exact": {**STEP_RESULT["exact"], "bound": "17"}}, "status is optimal, but"),
    ],
)
def test_a_result_of_a_step_that_contradicts_itself_says_so(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    claims = files.read_plan(save(tmp_path, {**STEP_RESULT, **change})).claims
    assert claims is not None
    assert any(words in sentence for sentence in claims.contradictions)


def test_optimal_is_a_bound_equal_within_the_tolerance_of_the_grid(tmp_path: Path) -> None:
    def contradictions(bound: str) -> tuple[str, ...]:
        exact = {**STEP_RESULT["exact"], "bound": bound}
        number = float(Fraction(bound))
        gap = (17.5 - number) / 17.5
        tree = {**STEP_RESULT, "bound": number, "gap": gap, "exact": exact}
        claims = files.read_plan(save(tmp_path, tree)).claims
        assert claims is not None
        return claims.contradictions

    assert contradictions("174999999999/10000000000") == ()
    assert len(contradictions("174999990000/10000000000")) == 1


@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        ({"goal": "cost"}, "goal", "must be 'flow' or 'makespan' or 'load', not the text \"cost\""),
        ({"cost": 3}, "cost", "must be null, not 3"),
        ({"flow": "3"}, "flow", "must be a number or null"),
        ({"plan": PLAN}, "plan.format", "planner/grid-plan/1"),
        ({"kind": "grid"}, "kind", "must be 'cloud' or 'grid-step'"),
        ({"kind": 3}, "kind", "must be 'cloud' or 'grid-step'"),
        ({"kind": ["cloud"]}, "kind", "must be 'cloud' or 'grid-step'"),
        ({"exact": {**STEP_RESULT["exact"], "cost": "3"}}, "exact.cost", "must be null"),
    ],
)
def test_wrong_values_of_results_of_steps(
    tmp_path: Path, change: dict[str, Any], place: str, message: str
) -> None:
    found = faults_of(save(tmp_path, {**STEP_RESULT, **change}), files.read_plan)
    (fault,) = [fault for fault in found if fault.path == place]
    assert message in fault.message


def test_a_result_of_the_cloud_has_no_flow(tmp_path: Path) -> None:
    found = faults_of(save(tmp_path, {**RESULT, "flow": 3, "goal": "flow"}), files.read_plan)
    assert [fault.path for fault in found] == ["goal", "flow"]


READERS: list[Callable[[Path], object]] = [
    files.read,
    files.read_instance,
    files.read_cloud,
    files.read_system,
    files.read_plan,
    lambda path: files.read_plan(path, "cloud"),
    lambda path: files.read_plan(path, "grid-step"),
    files.read_any,
]


@pytest.mark.parametrize(
    ("sample", "taken"),
    [
        (INSTANCE, "yyy....y"),
        (STEP, "yy.....y"),
        (SYSTEM, "ys.y...y"),
        (PLAN, "....yy.y"),
        (GRID_PLAN, "....y.yy"),
        (RESULT, "....yy.y"),
        (STEP_RESULT, "....y.yy"),
    ],
)
def test_which_reader_takes_what(tmp_path: Path, sample: dict[str, Any], taken: str) -> None:
    path = save(tmp_path, sample)
    for reader, word in zip(READERS, taken, strict=True):
        if word == "y":
            reader(path)
            continue
        with pytest.raises(SimulationNeeded if word == "s" else InputError) as caught:
            reader(path)
        assert caught.value.exit_code == (2 if word == "s" else 3)


def test_a_reader_says_what_it_needs(tmp_path: Path) -> None:
    def message(sample: dict[str, Any], read: Callable[[Path], object]) -> str:
        return faults_of(save(tmp_path, sample), read)[0].message

    need = "a cloud instance is needed here"
    assert message(STEP, files.read_cloud) == f"this file is a grid step (planner/grid-step/1); {need}"
    assert message(SYSTEM, files.read_cloud) == f"this file is a grid system (planner/grid/1); {need}"
    assert "a cloud plan, a grid plan or a result is needed here" in message(STEP, files.read_plan)
    assert "a cloud instance, a grid step or a grid system is needed here" in message(PLAN, files.read)
    assert message(STEP_RESULT, lambda path: files.read_plan(path, "cloud")) == (
        "this result is of kind grid-step; one of kind cloud is needed here"
    )


@pytest.mark.parametrize("sample", [STEP, SYSTEM, GRID_PLAN, STEP_RESULT])
def test_without_a_format_a_file_is_taken_for_what_it_looks_like(
    tmp_path: Path, sample: dict[str, Any]
) -> None:
    tree = changed(sample, lambda tree: tree.pop("format"))
    found = faults_of(save(tmp_path, {**tree, "colour": 1}), files.read_any)
    assert [fault.path for fault in found] == ["colour", "format"]
