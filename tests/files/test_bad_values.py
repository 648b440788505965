"""One wrong value in an otherwise good instance: told with its path, and nothing else told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from planner import files
from planner.files.paths import where
from tests.files.samples import INSTANCE, Change, changed, faults_of, save


def put(*steps: str | int, value: object) -> Change:
    def change(tree: Any) -> None:
        for step in steps[:-1]:
            tree = tree[step]
        tree[steps[-1]] = value

    return change


def drop(*steps: str | int) -> Change:
    def change(tree: Any) -> None:
        for step in steps[:-1]:
            tree = tree[step]
        del tree[steps[-1]]

    return change


GROUP = ("applications", 0, "tasks", 0)
TYPE = ("instance_types", 1)
SPEEDS = (*TYPE, "seconds_per_unit")

CASES: dict[str, tuple[Change, str, str]] = {
    "unknown key": (put("colour", value=1), "colour", "unknown key; known here: format, name, budget"),
    "mistyped key": (put("budgt", value=1), "budgt", 'unknown key; did you mean "budget"?'),
    "mistyped key of a type": (
        put(*TYPE, "prize", value=1),
        "instance_types[1].prize",
        'did you mean "price"?',
    ),
    "mistyped key of tasks": (put(*GROUP, "cuont", value=1), "applications[0].tasks[0].cuont", '"count"?'),
    "key in capitals": (put("BUDGET", value=1), "BUDGET", 'did you mean "budget"?'),
    "reserved slots": (put("slots", value=1), "slots", "reserved for a later version"),
    "reserved running": (put(*TYPE, "running", value=1), "instance_types[1].running", "reserved for a later"),
    "missing name": (drop("name"), "name", "is missing"),
    "missing price": (drop(*TYPE, "price"), "instance_types[1].price", "is missing"),
    "missing size": (drop(*GROUP, "size"), "applications[0].tasks[0].size", "is missing"),
    "text for a number": (
        put("budget", value="60"),
        "budget",
        'must be a number, not the text "60"; leave out',
    ),
    "true for a number": (put("budget", value=True), "budget", "must be a number, not true"),
    "true for a count": (put(*GROUP, "count", value=True), "applications[0].tasks[0].count", "not true"),
    "list for a number": (put("budget", value=[1]), "budget", "must be a number, not a list"),
    "number for a name": (put("name", value=5), "name", "must be text, not 5"),
    "object for a list": (put("applications", value={}), "applications", "must be a list, not an object"),
    "text for an object": (put("billing", value="hourly"), "billing", "must be an object, not the text"),
    "null for an object": (put("billing", value=None), "billing", "must be an object, not null"),
    "null for a fee": (put(*TYPE, "fee", value=None), "instance_types[1].fee", "must be a number, not null"),
    "number for an application": (
        put("applications", 1, value=3),
        "applications[1]",
        "must be an object, not 3",
    ),
    "list for speeds": (put(*SPEEDS, value=[1]), "instance_types[1].seconds_per_unit", "must be an object"),
    "zero speed": (
        put(*SPEEDS, "A1", value=0),
        "instance_types[1].seconds_per_unit.A1",
        "greater than 0, not 0",
    ),
    "negative speed": (put(*SPEEDS, "A1", value=-1), "instance_types[1].seconds_per_unit.A1", "not -1"),
    "zero size": (put(*GROUP, "size", value=0), "applications[0].tasks[0].size", "greater than 0, not 0"),
    "negative size": (put(*GROUP, "size", value=-0.5), "applications[0].tasks[0].size", "not -0.5"),
    "zero count": (put(*GROUP, "count", value=0), "applications[0].tasks[0].count", "at least 1, not 0"),
    "broken count": (
        put(*GROUP, "count", value=1.5),
        "applications[0].tasks[0].count",
        "a whole number, not 1.5",
    ),
    "negative price": (put(*TYPE, "price", value=-1), "instance_types[1].price", "at least 0, not -1"),
    "negative budget": (put("budget", value=-1), "budget", "at least 0, not -1"),
    "negative deadline": (put("deadline", value=-1), "deadline", "at least 0, not -1"),
    "negative start-up": (put("startup", value=-1), "startup", "at least 0, not -1"),
    "negative fee": (put(*TYPE, "fee", value=-1), "instance_types[1].fee", "at least 0"),
    "negative limit": (
        put(*TYPE, "max_instances", value=-1),
        "instance_types[1].max_instances",
        "at least 0",
    ),
    "no machines at all": (put("max_vms", value=0), "max_vms", "at least 1, not 0"),
    "zero quantum": (put("billing", value={"quantum": 0}), "billing.quantum", "greater than 0, not 0"),
    "negative minimum": (put("billing", value={"minimum": -60}), "billing.minimum", "at least 0, not -60"),
    "too large": (put("budget", value=10**15 + 1), "budget", "is beyond 1e15 in size"),
    "empty name": (put("name", value=""), "name", "must not be empty"),
    "line break in a name": (put("name", value="a\nb"), "name", "control characters"),
    "escape code in a name": (put("name", value="\x1b[31m"), "name", "control characters"),
    "empty applications": (put("applications", value=[]), "applications", "must not be empty"),
    "empty types": (put("instance_types", value=[]), "instance_types", "must not be empty"),
    "empty tasks": (put("applications", 1, "tasks", value=[]), "applications[1].tasks", "must not be empty"),
    "empty ids": (
        put("applications", 0, "tasks", 1, "ids", value=[]),
        "applications[0].tasks[1].ids",
        "empty",
    ),
    "number for an id": (
        put("applications", 0, "tasks", 1, "ids", 1, value=7),
        "applications[0].tasks[1].ids[1]",
        "7",
    ),
    "count and ids": (
        put("applications", 0, "tasks", 1, "count", value=2),
        "applications[0].tasks[1]",
        "both",
    ),
    "neither count nor ids": (drop(*GROUP, "count"), "applications[0].tasks[0]", "needs a count, or ids"),
    "null count": (
        put(*GROUP, "count", value=None),
        "applications[0].tasks[0].count",
        "a whole number, not null",
    ),
    "application twice": (
        put("applications", 1, "name", value="A1"),
        "applications[1].name",
        "applications[0]",
    ),
    "type twice": (put(*TYPE, "name", value="it1"), "instance_types[1].name", '"it1" is already the name of'),
    "id twice": (
        put("applications", 0, "tasks", 1, "ids", value=["x", "x"]),
        "applications[0].tasks[1].ids[1]",
        '"x" is already applications[0].tasks[1].ids[0]',
    ),
    "speed missing": (drop(*SPEEDS, "B2"), "instance_types[1].seconds_per_unit.B2", "is missing; write null"),
    "speed for nothing": (
        put(*SPEEDS, "C", value=1),
        "instance_types[1].seconds_per_unit.C",
        'no application "C"',
    ),
    "speed for a mistyped name": (
        put(*SPEEDS, "A11", value=1),
        "instance_types[1].seconds_per_unit.A11",
        '"A1"?',
    ),
    "number as a source": (put("source", value=1), "source", "must be text, not 1"),
    "list as meta": (put("meta", value=[]), "meta", "must be an object, not a list"),
    "null as meta": (put("meta", value=None), "meta", "must be an object, not null"),
    "format missing": (drop("format"), "format", "is missing; known here: planner/cloud/1"),
    "format not text": (put("format", value=1), "format", "must be text"),
    "format mistyped": (put("format", value="planner/clowd/1"), "format", 'did you mean "planner/cloud/1"?'),
    "format of a study": (put("format", value="planner/study/1"), "format", "this file is a study"),
    "format of a plan": (put("format", value="planner/cloud-plan/1"), "format", "this file is a cloud plan"),
    "format only written": (
        put("format", value="planner/comparison/1"),
        "format",
        "written only, never read",
    ),
}


@pytest.mark.parametrize("kind", CASES)
def test_one_fault_with_its_path(tmp_path: Path, kind: str) -> None:
    change, place, message = CASES[kind]
    tree = changed(INSTANCE, change)
    if kind == "application twice":
        for instance_type in tree["instance_types"]:
            del instance_type["seconds_per_unit"]["B2"]
    found = faults_of(save(tmp_path, tree))
    assert [fault.path for fault in found] == [place]
    assert message in found[0].message


@pytest.mark.parametrize(
    ("number", "message"),
    [
        ("NaN", "NaN is not a number"),
        ("Infinity", "Infinity is not a number"),
        ("-Infinity", "-Infinity is not a number"),
        ("1e400", "beyond 1e15"),
        ("1e-400", "more than 30 digits"),
        ("1e999999999", "out of range"),
        ("1e-999999999", "out of range"),
        ("1e99999999999999999999999", "out of range"),
        ("9" * 5000, "a number of 5000 characters"),
        ("0." + "3" * 31, "more than 30 digits"),
        ("0." + "0" * 30 + "1", "more than 30 digits"),
        ("1000000000000000.1", "beyond 1e15"),
        ("-1e15", "at least 0"),
    ],
)
def test_numbers_that_cannot_be_taken(tmp_path: Path, number: str, message: str) -> None:
    path = save(tmp_path, files.dumps(INSTANCE).replace('"budget": 2', f'"budget": {number}'))
    found = faults_of(path)
    assert [fault.path for fault in found] == ["budget"]
    assert message in found[0].message


def test_all_faults_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = """{"format": "planner/cloud/1", "name": "", "budgt": 3, "budget": -1, "deadline": NaN,
      "deadline": 4, "startup": 1e400, "billing": {"quantum": true},
      "applications": [
        {"name": "A1", "tasks": [{"size": 0, "count": 1.5}, {"sise": 1}, 3]},
        {"name": "A1", "tasks": []},
        {"name": "B2", "tasks": [{"size": 1, "ids": ["a", "a", 1, ""]}]}],
      "instance_types": [{"name": "t", "price": -1, "seconds_per_unit": {"A1": -1, "B": 1}}, null]}"""
    found = faults_of(save(tmp_path, text))
    assert [fault.path for fault in found] == [
        "name",
        "budgt",
        "budget",
        "deadline",
        "startup",
        "billing.quantum",
        "applications[0].tasks[0].size",
        "applications[0].tasks[0].count",
        "applications[0].tasks[1]",
        "applications[0].tasks[1].sise",
        "applications[0].tasks[1].size",
        "applications[0].tasks[2]",
        "applications[1].name",
        "applications[1].tasks",
        "applications[2].tasks[0].ids[1]",
        "applications[2].tasks[0].ids[2]",
        "applications[2].tasks[0].ids[3]",
        "instance_types[0].price",
        "instance_types[0].seconds_per_unit.A1",
        "instance_types[0].seconds_per_unit.B",
        "instance_types[0].seconds_per_unit.B2",
        "instance_types[1]",
    ]
    assert found[3].message == "the key stands here more than once; NaN is not a number"
    assert 'did you mean "B2"?' in found[19].message


def test_references_are_not_doubted_where_a_name_cannot_be_read(tmp_path: Path) -> None:
    tree = changed(INSTANCE, put("applications", 1, "name", value=5))
    assert [fault.path for fault in faults_of(save(tmp_path, tree))] == ["applications[1].name"]


def test_an_unrelated_file_has_one_fault(tmp_path: Path) -> None:
    found = faults_of(save(tmp_path, {"dependencies": {"left-pad": "1.0"}, "private": True}))
    assert [fault.path for fault in found] == ["format"]


def test_many_faults_are_counted_and_the_message_stays_short(tmp_path: Path) -> None:
    tree = changed(INSTANCE, put("applications", 1, "tasks", value=[{"size": 0, "count": 1}] * 250))
    path = save(tmp_path, tree)
    found = faults_of(path)
    assert len(found) == 250
    with pytest.raises(Exception, match="and 150 more") as caught:
        files.read(path)
    assert len(str(caught.value).splitlines()) == 101


@pytest.mark.parametrize("entry", ["1", '{"size": 1}', '{"size": 0, "count": 0}'])
def test_a_hundred_thousand_faults_take_seconds_and_say_so(tmp_path: Path, entry: str) -> None:
    text = files.dumps(changed(INSTANCE, put("applications", 1, "tasks", value=[])))
    path = save(tmp_path, text.replace('"tasks": []', f'"tasks": [{", ".join([entry] * 100_000)}]'))
    found = faults_of(path)
    assert found[0].path == ""
    assert "faults" in found[0].message
    assert 100 <= len(found) <= 20_001


def test_of_a_very_deep_place_the_middle_is_left_out() -> None:
    assert where(("a", *[0] * 15)) == "a" + "[0]" * 15
    assert where(("a", *[0] * 40, "b")) == "a" + "[0]" * 7 + "…" + "[0]" * 7 + ".b"


def test_of_a_very_long_key_the_end_is_left_out(tmp_path: Path) -> None:
    assert where(("a", "b" * 60)) == "a." + "b" * 60
    assert where(("a", "b" * 61, 0)) == 'a["' + "b" * 60 + '…"][0]'
    long = "k" * 10**6
    unknown = changed(INSTANCE, put(long, value=1))
    repeated = files.dumps(INSTANCE)[:-1] + f', "{long}": 1, "{long}": 2}}'
    for text in (files.dumps(unknown), repeated):
        (fault,) = faults_of(save(tmp_path, text))
        assert len(str(fault)) < 300


@pytest.mark.parametrize("given", ["planner/cloud/2", "nonsense", 3])
def test_a_wrong_format_is_told_once(tmp_path: Path, given: object) -> None:
    (fault,) = faults_of(save(tmp_path, files.dumps(changed(INSTANCE, put("format", value=given)))))
    assert fault.path == "format"
    assert "known here" in fault.message
    assert "must be 'planner/cloud/1'" not in fault.message
