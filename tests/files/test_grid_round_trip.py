"""Steps, plans and results of steps, and systems: what is written is read back equal."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner import files
from planner.errors import InputError
from planner.files.reading import refuse_unreadable
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
from planner.grid.plan import Assignment, GridPlan
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
from planner.kinds import GRID_STEP
from planner.result import Result, Seconds, Status, StoppedBy
from tests.files.samples import SYSTEM, save
from tests.files.test_round_trip import COUNTS, NAMES, NOTES, TEXTS, VALUES, decimals

POSITIVE = st.floats(1e-9, 1e15) | st.integers(1, 10**15).map(float)
UTILITIES = st.none() | st.builds(lambda sign, size: sign * size, st.sampled_from([-1, 1]), decimals())


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("round") / "trip.json"


@st.composite
def steps(draw: st.DrawFn) -> GridStep:
    resources = tuple(
        Resource(name, draw(decimals(1)), draw(decimals()), draw(UTILITIES), draw(NOTES))
        for name in draw(st.lists(NAMES, unique=True, min_size=1, max_size=3))
    )
    jobs = tuple(
        Job(name, draw(decimals(1)), draw(st.none() | NAMES), draw(NOTES))
        for name in draw(st.lists(NAMES, unique=True, max_size=3))
    )
    return GridStep(draw(NAMES), resources, jobs, draw(st.none() | COUNTS), draw(NOTES))


ASSIGNMENTS = st.lists(st.builds(Assignment, NAMES, NAMES, COUNTS, NOTES), max_size=4).map(tuple)
PLANS = st.builds(GridPlan, st.none() | NAMES, ASSIGNMENTS, NOTES)


@st.composite
def results(draw: st.DrawFn) -> Result[GridPlan]:
    plan = GridPlan(draw(NAMES), draw(ASSIGNMENTS), draw(NOTES))
    goal = draw(st.sampled_from(GRID_STEP.goals))
    values = {one.value: draw(VALUES) for one in GRID_STEP.goals}
    optimal = draw(st.booleans())
    best = values[goal.value]
    return Result(
        instance=str(plan.instance),
        kind="grid-step",
        solver="assignment",
        goal=goal,
        status=Status.OPTIMAL if optimal else Status.FEASIBLE,
        stopped_by=draw(st.sampled_from(StoppedBy)),
        seed=1,
        instance_sha256="ab" * 32,
        bound=best if optimal else draw(st.none() | st.just(best / 3)),
        seconds=Seconds(0.3, 0.1, 0.2, 1e-7),
        message=draw(TEXTS),
        plan=plan,
        **values,
    )


DISTRIBUTIONS: st.SearchStrategy[Distribution] = st.one_of(
    st.tuples(st.just(0.0) | POSITIVE, POSITIVE).map(lambda ends: Uniform(min(ends), max(ends))),
    st.builds(Normal, POSITIVE, POSITIVE),
    st.builds(Lognormal, st.integers(-100, 100).map(float), st.floats(1e-9, 10)),
    st.builds(Exponential, POSITIVE),
    st.builds(Constant, POSITIVE),
    st.lists(st.tuples(POSITIVE, st.just(1.0) | POSITIVE), min_size=1, max_size=3).map(
        lambda pairs: Choices(tuple(value for value, _ in pairs), tuple(weight for _, weight in pairs))
    ),
)


@st.composite
def systems(draw: st.DrawFn) -> GridSystem:
    names = st.lists(NAMES.filter(lambda name: name != "learner"), unique=True, min_size=1, max_size=3)
    agents = draw(
        st.integers(1, 4).map(counted_schedulers)
        | names.map(lambda found: tuple(Scheduler(name, draw(POSITIVE), draw(NOTES)) for name in found))
    )
    resources = draw(
        st.builds(Drawn, st.integers(1, 5), DISTRIBUTIONS, NOTES)
        | names.map(lambda found: tuple(Machine(name, draw(POSITIVE), draw(NOTES)) for name in found))
    )
    length = draw(st.integers(1, 10**8))
    moments = st.integers(0, length - 1)
    system = GridSystem(
        draw(NAMES),
        agents,
        length,
        resources,
        Arrivals(1, Constant(1)),
        draw(st.integers(0, 2**31 - 1)),
        (),
        draw(NOTES),
    )
    rows = draw(
        st.lists(st.tuples(moments, st.integers(0, len(agents) - 1), POSITIVE), min_size=1, max_size=5)
    )
    rows.sort(key=lambda row: row[0])
    when, where, work = (np.array(column) for column in zip(*rows, strict=True))
    trace = Trace(when, where, work.astype(np.float64), draw(NOTES))
    jobs = draw(st.builds(Arrivals, POSITIVE, DISTRIBUTIONS, NOTES) | st.just(trace))
    change = st.builds(
        CapacityChange,
        moments,
        st.integers(0, len(system.resource_names) - 1),
        st.just(0.0) | POSITIVE,
        NOTES,
    )
    crash = st.builds(Crash, moments, st.none() | st.integers(0, len(agents) - 1), NOTES)
    events = draw(st.lists(change | crash, max_size=3).map(tuple))
    return dataclasses.replace(system, jobs=jobs, events=events)


def notes_of(system: GridSystem) -> list[object]:
    machines = (system.resources,) if isinstance(system.resources, Drawn) else system.resources
    return [part.notes for part in (system, system.jobs, *system.schedulers, *machines, *system.events)]


@settings(deadline=None)
@given(steps())
def test_steps(path: Path, step: GridStep) -> None:
    files.write(step, path)
    back = files.read(path)
    assert back == step
    assert files.dumps(back) == files.dumps(step)
    assert back.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@settings(deadline=None)
@given(PLANS)
def test_plans(path: Path, plan: GridPlan) -> None:
    files.write(plan, path)
    back = files.read_plan(path).plan
    assert back == plan
    assert files.dumps(back) == files.dumps(plan)


@settings(deadline=None)
@given(results())
def test_results(path: Path, result: Result[GridPlan]) -> None:
    files.write(result, path)
    back = files.read_plan(path)
    claims = back.claims
    assert back.plan == result.plan
    assert back.instance_sha256 == result.instance_sha256
    assert claims is not None
    assert claims.contradictions == ()
    assert [claims.value(goal) for goal in Goal] == [result.value(goal) for goal in Goal]
    assert (claims.objective, claims.goal, claims.status) == (result.objective, result.goal, result.status)
    assert claims.bound == result.bound


@settings(deadline=None)
@given(systems())
def test_systems(path: Path, system: GridSystem) -> None:
    files.write(system, path)
    back = files.read_system(path)
    assert back == system
    assert notes_of(back) == notes_of(system)
    assert files.dumps(back) == files.dumps(system)


def test_a_trace_from_a_file_is_written_into_the_system_itself(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("step,scheduler,length\n0,south,2.5\n3,north,4\n")
    system = files.read_system(save(tmp_path, {**SYSTEM, "jobs": {"file": "t.csv"}}))
    files.write(system, tmp_path / "copy.json")
    (tmp_path / "t.csv").unlink()
    back = files.read_system(tmp_path / "copy.json")
    assert back == system
    assert back.trace_sha256 is None
    assert json.loads((tmp_path / "copy.json").read_text())["jobs"] == {
        "trace": [{"step": 0, "scheduler": 1, "length": 2.5}, {"step": 3, "scheduler": 0, "length": 4}]
    }


def test_how_a_system_looks() -> None:
    system = GridSystem(
        "small-60",
        counted_schedulers(50),
        4000,
        Drawn(200, Uniform(1, 10)),
        Arrivals(0.6, Choices((10, 20), (1, 3))),
        events=(CapacityChange(500, 6, 0), Crash(500, None), Crash(600, 2)),
    )
    assert json.loads(files.dumps(system)) == {
        "format": "planner/grid/1",
        "name": "small-60",
        "schedulers": 50,
        "steps": 4000,
        "seed": 1,
        "resources": {"count": 200, "capacity": {"uniform": [1, 10]}},
        "jobs": {"load": 0.6, "length": {"choices": [[10, 1], [20, 3]]}, "arrivals": "poisson"},
        "events": [
            {"step": 500, "resource": "r7", "capacity": 0},
            {"step": 500, "crash": "learner"},
            {"step": 600, "crash": "s3"},
        ],
    }


@pytest.mark.parametrize(
    ("thing", "path_told"),
    [
        (GridStep("n", (Resource("r", Fraction(1, 3)),), ()), "resources[0].capacity"),
        (GridStep("n", (Resource("r", Fraction(1), utility=Fraction(1, 7)),), ()), "resources[0].utility"),
        (GridStep("n", (), ()), "resources"),
        (GridStep("n", (Resource("r", Fraction(1)),) * 2, ()), "resources[1].name"),
        (GridPlan("n", (Assignment("j", "r", 0),)), "assignments[0].position"),
        (
            GridSystem("n", counted_schedulers(1), 0, Drawn(1, Constant(1)), Arrivals(1, Constant(1))),
            "steps",
        ),
    ],
)
def test_what_could_not_be_read_again_is_not_written(tmp_path: Path, thing: Any, path_told: str) -> None:
    with pytest.raises(InputError) as caught:
        files.write(thing, tmp_path / "a.json")
    assert [fault.path for fault in caught.value.faults] == [path_told]
    assert list(tmp_path.iterdir()) == []


def test_the_keys_of_a_result_of_a_step_stand_in_their_order() -> None:
    result: Result[GridPlan] = Result(
        "i", "grid-step", "assignment", Goal.FLOW, Status.UNKNOWN, StoppedBy.TIME_LIMIT, 1
    )
    wire = files.to_wire(result)
    assert " ".join(wire) == (
        "format instance instance_sha256 kind solver options seed goal status stopped_by objective bound "
        "gap tiebreak_proven makespan cost flow load exact seconds resolution versions message plan"
    )
    assert wire["exact"] == dict.fromkeys(["makespan", "cost", "flow", "load", "bound"])
    refuse_unreadable(files.dumps(result), "result")
