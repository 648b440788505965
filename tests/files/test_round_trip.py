"""What is written is read back equal, to the last digit."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner import files
from planner.cloud.instance import Application, Billing, CloudInstance, InstanceType, TaskGroup
from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from planner.errors import InputError
from planner.files.numbers import exact
from planner.files.reading import refuse_unreadable
from planner.goal import Goal
from planner.kinds import CLOUD
from planner.notes import Notes
from planner.result import Resolution, Result, Seconds, Status, StoppedBy


def decimals(least: int = 0) -> st.SearchStrategy[Fraction]:
    """Finite decimals from 1e-30 up, long ones and whole ones among them."""
    digits = st.integers(least, 10**15 - 1)
    return st.one_of(
        st.integers(least, 10**15).map(Fraction),
        st.builds(lambda whole, places: Fraction(whole, 10**places), digits, st.integers(0, 30)),
        st.integers(max(least, 1), 10**29).map(lambda part: Fraction(part, 10**30)),
        st.floats(1e-9, 1e9).map(repr).map(Fraction),
    )


NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=8)
TEXTS = st.none() | st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
META = st.dictionaries(NAMES, st.none() | st.booleans() | st.integers(-(10**20), 10**20) | NAMES, max_size=2)
NOTES = st.builds(Notes, source=TEXTS, description=TEXTS, currency=TEXTS, meta=META)
COUNTS = st.integers(1, 10**15)


@st.composite
def task_groups(draw: st.DrawFn) -> tuple[TaskGroup, ...]:
    ids = draw(st.lists(NAMES, unique=True, max_size=6))
    named = [TaskGroup(draw(decimals(1)), len(part), tuple(part)) for part in (ids[:2], ids[2:]) if part]
    sizes = draw(st.lists(decimals(1), min_size=0 if named else 1, max_size=4))
    return (*named, *(TaskGroup(size, draw(COUNTS), notes=draw(NOTES)) for size in sizes))


@st.composite
def instances(draw: st.DrawFn) -> CloudInstance:
    applications = tuple(
        Application(name, draw(task_groups()), draw(NOTES))
        for name in draw(st.lists(NAMES, unique=True, min_size=1, max_size=3))
    )
    speeds = st.tuples(*(st.none() | decimals(1) for _ in applications))
    types = tuple(
        InstanceType(
            name=name,
            price=draw(decimals()),
            seconds_per_unit=draw(speeds),
            fee=draw(decimals()),
            startup=draw(st.none() | decimals()),
            max_instances=draw(st.none() | st.integers(0, 10**15)),
            notes=draw(NOTES),
        )
        for name in draw(st.lists(NAMES, unique=True, min_size=1, max_size=3))
    )
    return CloudInstance(
        name=draw(NAMES),
        applications=applications,
        instance_types=types,
        budget=draw(st.none() | decimals()),
        deadline=draw(st.none() | decimals()),
        startup=draw(decimals()),
        billing=Billing(draw(decimals(1)), draw(decimals())),
        max_vms=draw(st.none() | COUNTS),
        notes=draw(NOTES),
    )


PLANNED = st.one_of(
    st.builds(PlannedTasks, NAMES, decimals(1), COUNTS, notes=NOTES),
    st.builds(
        lambda name, size, ids: PlannedTasks(name, size, len(ids), tuple(ids)),
        NAMES,
        decimals(1),
        st.lists(NAMES, unique=True, min_size=1, max_size=3),
    ),
)
VMS = st.builds(PlannedVM, NAMES, st.lists(PLANNED, max_size=3).map(tuple), COUNTS, notes=NOTES)
PLANS = st.builds(CloudPlan, NAMES, st.lists(VMS, max_size=3).map(tuple), notes=NOTES)
VALUES = st.fractions(min_value=0, max_value=10**18) | decimals()


@st.composite
def results(draw: st.DrawFn) -> Result:
    plan = draw(PLANS)
    makespan, cost = draw(VALUES), draw(VALUES)
    goal = draw(st.sampled_from(CLOUD.goals))
    best = makespan if goal is Goal.MAKESPAN else cost
    optimal = draw(st.booleans())
    return Result(
        instance=plan.instance,
        kind="cloud",
        solver="exact",
        goal=goal,
        status=Status.OPTIMAL if optimal else Status.FEASIBLE,
        stopped_by=draw(st.sampled_from(StoppedBy)),
        seed=draw(st.integers(-(2**70), 2**70)),
        options={"alpha": 0.5, "mode": "x", "share": Fraction(1, 4)},
        instance_sha256="ab" * 32,
        bound=best if optimal else draw(st.none() | st.just(best / 3)),
        tiebreak_proven=draw(st.none() | st.booleans()),
        makespan=makespan,
        cost=cost,
        seconds=Seconds(0.3, 0.1, 0.2, 1e-7),
        resolution=draw(st.none() | st.builds(Resolution, VALUES, st.booleans())),
        versions={"planner": "0.1.0"},
        message=draw(TEXTS),
        plan=plan,
    )


def notes_of(instance: CloudInstance) -> list[Notes]:
    groups = [group for application in instance.applications for group in application.tasks]
    return [holder.notes for holder in (instance, *instance.applications, *instance.instance_types, *groups)]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("round") / "trip.json"


@settings(deadline=None)
@given(instances())
def test_instances(path: Path, instance: CloudInstance) -> None:
    files.write(instance, path)
    back = files.read(path)
    assert back == instance
    assert notes_of(back) == notes_of(instance)
    assert files.dumps(back) == files.dumps(instance)


@settings(deadline=None)
@given(PLANS)
def test_plans(path: Path, plan: CloudPlan) -> None:
    files.write(plan, path)
    assert files.read_plan(path).plan == plan


@settings(deadline=None)
@given(results())
def test_results(path: Path, result: Result) -> None:
    files.write(result, path)
    back = files.read_plan(path)
    claims = back.claims
    assert back.plan == result.plan
    assert back.instance_sha256 == result.instance_sha256
    assert claims is not None
    assert claims.contradictions == ()
    assert (claims.makespan, claims.cost, claims.bound) == (result.makespan, result.cost, result.bound)
    assert (claims.objective, claims.goal, claims.status) == (result.objective, result.goal, result.status)


@given(decimals())
def test_a_number_is_written_so_that_it_reads_back_exactly(value: Fraction) -> None:
    text = files.dumps([exact(value)]).strip("[]")
    assert Fraction(text) == value
    assert value.denominator != 1 or text == str(value.numerator)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(60), "60"),
        (Fraction("0.1"), "0.1"),
        (Fraction("0.0116"), "0.0116"),
        (Fraction("0.1234567890123456789"), "0.1234567890123456789"),
        (Fraction(900719925474099), "900719925474099"),
        (Fraction(10**15), "1000000000000000"),
    ],
)
def test_how_numbers_look(value: Fraction, text: str) -> None:
    assert files.dumps([exact(value)]) == f"[{text}]"


SIMPLE = Application("A", (TaskGroup(Fraction(1), 1),))
MACHINE = InstanceType("t", Fraction(1), (Fraction(1),))


def test_a_start_up_of_0_on_a_type_is_not_the_same_as_none(tmp_path: Path) -> None:
    kinds = (
        InstanceType("a", Fraction(1), (Fraction(1),), startup=Fraction(0)),
        InstanceType("b", Fraction(2), (None,)),
    )
    files.write(CloudInstance("n", (SIMPLE,), kinds, startup=Fraction(60)), tmp_path / "a.json")
    assert [kind.startup for kind in files.read(tmp_path / "a.json").instance_types] == [0, None]


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (Fraction(1, 3), "applications[0].tasks[0].size: cannot be written: 1/3 has no finite decimal form"),
        (Fraction(1, 2**40), "more than 30 digits"),
        (Fraction(10**16), "beyond 1e15"),
    ],
)
def test_a_size_that_no_file_can_hold(tmp_path: Path, size: Fraction, words: str) -> None:
    instance = CloudInstance("n", (Application("A", (TaskGroup(size, 1),)),), (MACHINE,))
    with pytest.raises(InputError) as caught:
        files.write(instance, tmp_path / "a.json")
    assert words in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    instance = CloudInstance("n", (SIMPLE, SIMPLE), (InstanceType("t", Fraction(-1), (None, None)),))
    with pytest.raises(InputError) as caught:
        files.write(instance, tmp_path / "a.json")
    assert [fault.path for fault in caught.value.faults] == [
        "applications[1].name",
        "instance_types[0].price",
    ]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()], ids=["nan", "set", "object"])
def test_own_data_that_json_does_not_have(value: object) -> None:
    with pytest.raises(InputError, match="cannot be written as JSON"):
        files.dumps(CloudInstance("n", (SIMPLE,), (MACHINE,), notes=Notes(meta={"a": value})))


def test_the_keys_of_a_result_stand_in_their_order() -> None:
    result = Result("i", "cloud", "mi", Goal.COST, Status.UNKNOWN, StoppedBy.TIME_LIMIT, 1)
    wire = files.to_wire(result)
    assert " ".join(wire) == (
        "format instance instance_sha256 kind solver options seed goal status stopped_by objective bound "
        "gap tiebreak_proven makespan cost exact seconds resolution versions message plan"
    )
    assert list(wire["exact"]) == ["makespan", "cost", "bound"]
    assert list(wire["seconds"]) == ["total", "build", "solve", "check"]
    absent = [wire[key] for key in ("objective", "bound", "gap", "makespan", "cost", "resolution", "plan")]
    assert absent == [None] * 7
    assert wire["exact"] == {"makespan": None, "cost": None, "bound": None}
    refuse_unreadable(files.dumps(result), "result")


def test_numbers_of_a_result_are_doubles_with_the_exact_ones_beside_them() -> None:
    plan = CloudPlan("i", (PlannedVM("t", (PlannedTasks("A", Fraction("0.1"), 3),), 2),))
    result = Result(
        "i",
        "cloud",
        "exact",
        Goal.MAKESPAN,
        Status.FEASIBLE,
        StoppedBy.COMPLETED,
        1,
        bound=Fraction(10, 3),
        makespan=Fraction(3500),
        cost=Fraction("0.3"),
        resolution=Resolution(Fraction(1, 10), False),
        plan=plan,
    )
    wire = json.loads(files.dumps(result))
    assert wire["makespan"] == 3500
    assert isinstance(wire["makespan"], int)
    assert (wire["cost"], wire["bound"]) == (0.3, 10 / 3)
    assert wire["gap"] == float((Fraction(3500) - Fraction(10, 3)) / 3500)
    assert wire["exact"] == {"makespan": "3500", "cost": "3/10", "bound": "10/3"}
    assert wire["resolution"] == {"seconds_per_tick": "1/10", "rounded": False}
    tasks = [{"application": "A", "size": 0.1, "count": 3}]
    assert wire["plan"] == {
        "format": "planner/cloud-plan/1",
        "instance": "i",
        "vms": [{"type": "t", "count": 2, "tasks": tasks}],
    }
