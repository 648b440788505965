"""One wrong value in an otherwise good step, plan or system: told with its path, and nothing else told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from planner import files
from tests.files.samples import GRID_PLAN, STEP, SYSTEM, TRACED, Change, changed, faults_of, save
from tests.files.test_bad_values import drop, put

RESOURCE = ("resources", 1)
JOB = ("jobs", 0)

STEPS: dict[str, tuple[Change, str, str]] = {
    "unknown key": (put("job", value=[]), "job", 'did you mean "jobs"?'),
    "mistyped key of a resource": (
        put(*RESOURCE, "capasity", value=1),
        "resources[1].capasity",
        'did you mean "capacity"?',
    ),
    "unknown key of a job": (
        put(*JOB, "size", value=1),
        "jobs[0].size",
        "known here: name, length, scheduler",
    ),
    "zero capacity": (put(*RESOURCE, "capacity", value=0), "resources[1].capacity", "greater than 0, not 0"),
    "negative capacity": (put(*RESOURCE, "capacity", value=-1), "resources[1].capacity", "not -1"),
    "missing capacity": (drop(*RESOURCE, "capacity"), "resources[1].capacity", "is missing"),
    "negative backlog": (put(*RESOURCE, "backlog", value=-0.5), "resources[1].backlog", "at least 0"),
    "text for a utility": (
        put(*RESOURCE, "utility", value="1"),
        "resources[1].utility",
        "leave out the quotes",
    ),
    "zero length": (put(*JOB, "length", value=0), "jobs[0].length", "greater than 0, not 0"),
    "negative length": (put(*JOB, "length", value=-3), "jobs[0].length", "greater than 0, not -3"),
    "missing length": (drop(*JOB, "length"), "jobs[0].length", "is missing"),
    "number for a scheduler": (put(*JOB, "scheduler", value=1), "jobs[0].scheduler", "must be text, not 1"),
    "empty scheduler": (put(*JOB, "scheduler", value=""), "jobs[0].scheduler", "must not be empty"),
    "empty resources": (put("resources", value=[]), "resources", "must not be empty"),
    "missing jobs": (drop("jobs"), "jobs", "is missing"),
    "null jobs": (put("jobs", value=None), "jobs", "must be a list, not null"),
    "resource twice": (
        put(*RESOURCE, "name", value="r1"),
        "resources[1].name",
        '"r1" is already the name of resources[0]',
    ),
    "job twice": (put("jobs", 2, "name", value="j1"), "jobs[2].name", '"j1" is already the name of jobs[0]'),
    "no places": (put("max_jobs_per_resource", value=0), "max_jobs_per_resource", "at least 1, not 0"),
    "half a place": (put("max_jobs_per_resource", value=1.5), "max_jobs_per_resource", "a whole number"),
    "too large": (put(*JOB, "length", value=10**15 + 1), "jobs[0].length", "is beyond 1e15 in size"),
    "format mistyped": (
        put("format", value="planner/grid-stp/1"),
        "format",
        'did you mean "planner/grid-step/1"?',
    ),
}

PLANS: dict[str, tuple[Change, str, str]] = {
    "position 0": (
        put("assignments", 1, "position", value=0),
        "assignments[1].position",
        "at least 1, not 0",
    ),
    "half a position": (put("assignments", 1, "position", value=1.5), "assignments[1].position", "whole"),
    "missing resource": (drop("assignments", 1, "resource"), "assignments[1].resource", "is missing"),
    "unknown key": (put("assignments", 1, "jop", value="j"), "assignments[1].jop", 'did you mean "job"?'),
    "null for an instance": (put("instance", value=None), "instance", "must be text, not null"),
    "missing assignments": (drop("assignments"), "assignments", "is missing"),
}

EVENT = ("events", 0)
CRASH = ("events", 2)
LENGTH = ("jobs", "length")
NAMES = "uniform, normal, lognormal, exponential, constant, choices"


def shape(value: object) -> Change:
    """The length of jobs distributed like that."""
    return put(*LENGTH, value=value)


SYSTEMS: dict[str, tuple[Change, str, str]] = {
    "unknown key": (put("step", value=3), "step", 'did you mean "steps"?'),
    "no steps": (put("steps", value=0), "steps", "at least 1, not 0"),
    "too many steps": (put("steps", value=10**9), "steps", "at most 100000000"),
    "negative seed": (put("seed", value=-1), "seed", "at least 0"),
    "text for schedulers": (put("schedulers", value="5"), "schedulers", "a whole number, or a list"),
    "null for schedulers": (put("schedulers", value=None), "schedulers", "not null"),
    "empty schedulers": (put("schedulers", value=[]), "schedulers", "must not be empty"),
    "unknown key of a scheduler": (
        put("schedulers", 1, "colour", value=1),
        "schedulers[1].colour",
        "known here: name, weight",
    ),
    "zero weight": (put("schedulers", 0, "weight", value=0), "schedulers[0].weight", "greater than 0, not 0"),
    "zero capacity": (put("resources", 0, "capacity", value=0), "resources[0].capacity", "greater than 0"),
    "unknown key of a resource": (
        put("resources", 0, "capacities", value=1),
        "resources[0].capacities",
        'did you mean "capacity"?',
    ),
    "empty resources": (put("resources", value=[]), "resources", "must not be empty"),
    "number for resources": (put("resources", value=5), "resources", "an object with count and capacity"),
    "resource twice": (
        put("resources", value=[*SYSTEM["resources"], {"name": "r1", "capacity": 3}]),
        "resources[2].name",
        '"r1" is already the name of resources[0]',
    ),
    "scheduler twice": (
        put("schedulers", value=[*SYSTEM["schedulers"], {"name": "north"}]),
        "schedulers[2].name",
        '"north" is already the name of schedulers[0]',
    ),
    "jobs missing": (drop("jobs"), "jobs", "is missing"),
    "no jobs": (put("jobs", value={}), "jobs", "needs load and length, or a trace, or a file"),
    "load without length": (drop(*LENGTH), "jobs.length", "is missing"),
    "length without load": (drop("jobs", "load"), "jobs.load", "is missing"),
    "null for a length": (put(*LENGTH, value=None), "jobs.length", "must be an object, not null"),
    "load and trace": (
        put("jobs", "trace", value=[{"step": 0, "scheduler": 0, "length": 1}]),
        "jobs",
        "has both load and trace",
    ),
    "zero load": (put("jobs", "load", value=0), "jobs.load", "greater than 0, not 0"),
    "negative load": (put("jobs", "load", value=-0.5), "jobs.load", "greater than 0"),
    "other arrivals": (put("jobs", "arrivals", value="batch"), "jobs.arrivals", "must be 'poisson'"),
    "no kind of distribution": (shape({}), "jobs.length", f"needs one of {NAMES}"),
    "two kinds of distribution": (
        shape({"constant": 3, "exponential": 2}),
        "jobs.length",
        "has both exponential and constant",
    ),
    "number for a distribution": (shape(5), "jobs.length", "must be an object, not 5"),
    "one end of a range": (shape({"uniform": [1]}), "jobs.length.uniform", "[low, high], not a list of 1"),
    "no range": (shape({"uniform": 3}), "jobs.length.uniform", "must be [low, high], not 3"),
    "range from below 0": (shape({"uniform": [-1, 3]}), "jobs.length.uniform[0]", "at least 0, not -1"),
    "range to 0": (shape({"uniform": [0, 0]}), "jobs.length.uniform[1]", "greater than 0, not 0"),
    "range backwards": (shape({"uniform": [5, 2]}), "jobs.length.uniform", "5 is above 2"),
    "normal around 0": (shape({"normal": [0, 2]}), "jobs.length.normal[0]", "greater than 0, not 0"),
    "normal without width": (shape({"normal": [5, 0]}), "jobs.length.normal[1]", "greater than 0, not 0"),
    "huge mu": (shape({"lognormal": [101, 1]}), "jobs.length.lognormal[0]", "from -100 to 100, not 101"),
    "huge sigma": (shape({"lognormal": [1, 11]}), "jobs.length.lognormal[1]", "at most 10, not 11"),
    "zero mean": (shape({"exponential": 0}), "jobs.length.exponential", "greater than 0, not 0"),
    "negative constant": (shape({"constant": -1}), "jobs.length.constant", "greater than 0, not -1"),
    "no choice": (shape({"choices": []}), "jobs.length.choices", "must not be empty"),
    "number for choices": (shape({"choices": 3}), "jobs.length.choices", "a list of values"),
    "negative choice": (shape({"choices": [3, -1]}), "jobs.length.choices[1]", "greater than 0, not -1"),
    "choice without weight": (shape({"choices": [[3]]}), "jobs.length.choices[0]", "not a list of 1"),
    "weight of 0": (shape({"choices": [[3, 0]]}), "jobs.length.choices[0]", "greater than 0, not 0"),
    "event past the end": (
        put(*EVENT, "step", value=20),
        "events[0].step",
        "step 20 is past the end: the system has 20",
    ),
    "event before the start": (put(*EVENT, "step", value=-1), "events[0].step", "at least 0"),
    "event for no resource": (
        put(*EVENT, "resource", value="R2"),
        "events[0].resource",
        'no resource "R2"; did you mean "r2"?',
    ),
    "capacity below 0": (put(*EVENT, "capacity", value=-1), "events[0].capacity", "at least 0, not -1"),
    "event without capacity": (drop(*EVENT, "capacity"), "events[0].capacity", "is missing"),
    "event without resource": (drop(*EVENT, "resource"), "events[0].resource", "is missing"),
    "crash of nobody": (
        put(*CRASH, "crash", value="sout"),
        "events[2].crash",
        'no scheduler "sout"; did you mean "south"?',
    ),
    "crash and resource": (put(*CRASH, "resource", value="r1"), "events[2]", "has both resource and crash"),
    "event of nothing": (drop(*CRASH, "crash"), "events[2]", "needs resource and capacity, or crash"),
    "null events": (put("events", value=None), "events", "must be a list, not null"),
    "trace by name": (put("format", value="planner/grid/2"), "format", 'did you mean "planner/grid/1"?'),
}


def row(index: int, key: str, value: object) -> Change:
    return put("jobs", "trace", index, key, value=value)


TRACES: dict[str, tuple[Change, str, str]] = {
    "empty trace": (put("jobs", "trace", value=[]), "jobs.trace", "nothing to simulate"),
    "object for a trace": (put("jobs", "trace", value={}), "jobs.trace", "must be a list, not an object"),
    "negative length": (row(1, "length", -1), "jobs.trace[1].length", "greater than 0, not -1"),
    "zero length": (row(1, "length", 0), "jobs.trace[1].length", "greater than 0, not 0"),
    "text for a length": (row(1, "length", "3"), "jobs.trace[1].length", "leave out the quotes"),
    "missing length": (drop("jobs", "trace", 1, "length"), "jobs.trace[1].length", "is missing"),
    "mistyped key": (row(1, "lenght", 1), "jobs.trace[1].lenght", 'did you mean "length"?'),
    "number for a job": (put("jobs", "trace", 1, value=3), "jobs.trace[1]", "must be an object, not 3"),
    "negative step": (row(0, "step", -1), "jobs.trace[0].step", "at least 0"),
    "half a step": (row(1, "step", 0.5), "jobs.trace[1].step", "a whole number"),
    "job past the end": (
        row(2, "step", 20),
        "jobs.trace[2].step",
        "step 20 is past the end: the system has 20",
    ),
    "out of order": (row(0, "step", 1), "jobs.trace[1].step", "step 0 comes after step 1"),
    "no such index": (
        row(1, "scheduler", 2),
        "jobs.trace[1].scheduler",
        "no scheduler 2; indices are 0 to 1",
    ),
    "negative index": (row(1, "scheduler", -1), "jobs.trace[1].scheduler", "at least 0"),
    "no such name": (
        row(1, "scheduler", "nort"),
        "jobs.trace[1].scheduler",
        'no scheduler "nort"; did you mean "north"?',
    ),
    "an index in quotes": (row(1, "scheduler", "0"), "jobs.trace[1].scheduler", "leave out the quotes"),
    "true for a scheduler": (
        row(1, "scheduler", True),
        "jobs.trace[1].scheduler",
        "name of a scheduler or its index",
    ),
}

ALL = [
    pytest.param(sample, *case, id=f"{sample['name']}: {kind}")
    for sample, cases in ((STEP, STEPS), (SYSTEM, SYSTEMS), (TRACED, TRACES))
    for kind, case in cases.items()
]


@pytest.mark.parametrize(("sample", "change", "place", "message"), ALL)
def test_one_fault_with_its_path(
    tmp_path: Path, sample: dict[str, Any], change: Change, place: str, message: str
) -> None:
    found = faults_of(save(tmp_path, changed(sample, change)))
    assert [fault.path for fault in found] == [place]
    assert message in found[0].message


@pytest.mark.parametrize("kind", PLANS)
def test_one_fault_of_a_plan(tmp_path: Path, kind: str) -> None:
    change, place, message = PLANS[kind]
    found = faults_of(save(tmp_path, changed(GRID_PLAN, change)), files.read_plan)
    assert [fault.path for fault in found] == [place]
    assert message in found[0].message


def test_a_scheduler_may_not_be_called_as_the_learner_is(tmp_path: Path) -> None:
    tree = changed(SYSTEM, put("schedulers", 0, "name", value="learner"))
    (fault,) = faults_of(save(tmp_path, tree))
    assert fault.path == "schedulers[0].name"
    assert "stands for the learning scheduler" in fault.message


def test_under_a_count_names_are_numbered_from_1(tmp_path: Path) -> None:
    counted = changed(
        SYSTEM, lambda tree: tree.update(schedulers=3, resources={"count": 2, "capacity": {"constant": 2}})
    )
    events = [
        {"step": 1, "resource": "r2", "capacity": 1},
        {"step": 1, "resource": "r3", "capacity": 1},
        {"step": 2, "crash": "s3"},
        {"step": 2, "crash": "s0"},
    ]
    found = faults_of(save(tmp_path, {**counted, "events": events}))
    assert [fault.path for fault in found] == ["events[1].resource", "events[3].crash"]


@pytest.mark.parametrize(
    ("resources", "place"),
    [
        ({"count": 0, "capacity": {"constant": 1}}, "resources.count"),
        ({"count": 10**6 + 1, "capacity": {"constant": 1}}, "resources.count"),
        ({"count": 2}, "resources.capacity"),
        ({"count": 2, "capacity": {}}, "resources.capacity"),
        ({"count": 2, "capacity": {"constnt": 1, "constant": 1}}, "resources.capacity.constnt"),
        ({"cout": 1, "count": 2, "capacity": {"constant": 1}}, "resources.cout"),
    ],
)
def test_one_fault_of_resources_under_a_count(tmp_path: Path, resources: object, place: str) -> None:
    found = faults_of(save(tmp_path, {**SYSTEM, "resources": resources, "events": []}))
    assert [fault.path for fault in found] == [place]
    if place.endswith(("constnt", "cout")):
        assert "did you mean" in found[0].message


def test_all_faults_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = """{"format": "planner/grid/1", "name": "",
      "schedulers": [{"name": "a"}, {"name": "a", "weight": -1}, 3],
      "steps": 10, "resources": {"count": 0, "capacity": {"normal": [1, 2, 3], "uniform": [3, 2]}},
      "jobs": {"trace": [{"step": 11, "scheduler": "b", "length": 0}, {"step": 3, "lenth": 2}, null]},
      "events": [{"step": 10, "crash": "b"}, {"resource": "r1", "capacity": -1}]}"""
    found = faults_of(save(tmp_path, text))
    assert [fault.path for fault in found] == [
        "name",
        "schedulers[1].name",
        "schedulers[1].weight",
        "schedulers[2]",
        "resources.count",
        "resources.capacity",
        "resources.capacity.normal",
        "resources.capacity.uniform",
        "jobs.trace[0].step",
        "jobs.trace[0].length",
        "jobs.trace[1].step",
        "jobs.trace[1].lenth",
        "jobs.trace[1].scheduler",
        "jobs.trace[1].length",
        "jobs.trace[2]",
        "events[0].step",
        "events[1].capacity",
        "events[1].step",
    ]


def test_a_wrong_count_of_steps_makes_no_step_wrong(tmp_path: Path) -> None:
    for steps in (0, "x", None):
        found = faults_of(save(tmp_path, {**TRACED, "steps": steps}))
        assert [fault.path for fault in found] == ["steps"]


def test_a_hundred_thousand_bad_jobs_take_seconds_and_say_so(tmp_path: Path) -> None:
    bad = [{"step": 0, "scheduler": 9, "length": 0}] * 100_000
    found = faults_of(save(tmp_path, {**SYSTEM, "jobs": {"trace": bad}}))
    assert found[0].path == ""
    assert "faults" in found[0].message
    assert len(found) <= 20_001
