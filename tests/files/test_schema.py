"""The committed schemas are current, say what the reader says, and hold for all that is shipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from planner import files
from planner.files.schema import file_name, file_text
from tests.files import test_bad_grid_values as grid
from tests.files import test_bad_values as bad
from tests.files.samples import (
    GRID_PLAN,
    INSTANCE,
    PLAN,
    RESULT,
    STEP,
    STEP_RESULT,
    SYSTEM,
    TRACED,
    Change,
    changed,
)

ROOT = Path(__file__).parents[2]
SCHEMAS = files.schemas()
SHIPPED = sorted((ROOT / "instances").rglob("*.json"))

# What a schema cannot say: references, uniqueness of names, and how many digits a number has.
BETWEEN = {
    "application twice",
    "type twice",
    "speed missing",
    "speed for nothing",
    "speed for a mistyped name",
}
GRID_BETWEEN = {
    "resource twice",
    "job twice",
    "scheduler twice",
    "range backwards",
    "event past the end",
    "event for no resource",
    "crash of nobody",
    "job past the end",
    "out of order",
    "no such index",
    "no such name",
    "an index in quotes",
}
GRID = {
    "planner/grid-step/1": (STEP, grid.STEPS),
    "planner/grid-plan/1": (GRID_PLAN, grid.PLANS),
    "planner/grid/1": (SYSTEM, grid.SYSTEMS),
}
GRID_CASES = [
    pytest.param(name, sample, change, id=f"{name}: {kind}")
    for name, sample, cases in (
        *((name, *known) for name, known in GRID.items()),
        ("planner/grid/1", TRACED, grid.TRACES),
    )
    for kind, (change, _, _) in cases.items()
    if kind not in GRID_BETWEEN
]


def valid(tree: Any, name: str = "planner/cloud/1") -> bool:
    return Draft202012Validator(SCHEMAS[name]).is_valid(tree)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_committed_schema_is_current(name: str) -> None:
    committed = (ROOT / "docs" / "schema" / file_name(name)).read_text(encoding="utf-8")
    assert committed == file_text(SCHEMAS[name]), "run: python -m planner.files.schema docs/schema"


def test_no_schema_is_left_over() -> None:
    committed = {path.name for path in (ROOT / "docs" / "schema").iterdir()}
    assert {file_name(name) for name in SCHEMAS} <= committed


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas_and_describe_every_key(name: str) -> None:
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    assert schema["$id"]
    assert name in schema["title"]
    for part in (schema, *schema.get("$defs", {}).values()):
        assert part["description"]
        for key, value in part.get("properties", {}).items():
            assert "description" in value or "$ref" in value, key
    assert "Wire" not in json.dumps(schema)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_shipped_instances_satisfy_it(path: Path) -> None:
    tree = json.loads(path.read_text(encoding="utf-8"))
    assert valid(tree, tree["format"])
    files.read(path)


def test_samples_satisfy_it() -> None:
    assert valid(INSTANCE)
    assert valid(PLAN, "planner/cloud-plan/1")
    assert valid(RESULT, "planner/result/1")
    for name, (sample, _) in GRID.items():
        assert valid(sample, name)
    assert valid(TRACED, "planner/grid/1")
    assert valid(STEP_RESULT, "planner/result/1")


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "cloud"},
        {"kind": "grid"},
        {"goal": "cost"},
        {"cost": 1},
        {"plan": PLAN},
        {"exact": RESULT["exact"]},
    ],
)
def test_results_of_steps_are_not_those_of_the_cloud(change: dict[str, Any]) -> None:
    assert not valid({**STEP_RESULT, **change}, "planner/result/1")


def test_a_system_may_count_what_it_does_not_name() -> None:
    drawn = {"count": 200, "capacity": {"choices": [1, [2, 0.5]]}}
    assert valid({**SYSTEM, "schedulers": 50, "resources": drawn, "events": []}, "planner/grid/1")
    assert valid({**SYSTEM, "jobs": {"file": "trace.csv"}}, "planner/grid/1")


@pytest.mark.parametrize("kind", sorted(bad.CASES.keys() - BETWEEN))
def test_what_the_reader_refuses_the_schema_refuses(kind: str) -> None:
    assert not valid(changed(INSTANCE, bad.CASES[kind][0]))


@pytest.mark.parametrize(("name", "sample", "change"), GRID_CASES)
def test_what_the_reader_refuses_of_the_grid_the_schema_refuses(
    name: str, sample: dict[str, Any], change: Change
) -> None:
    assert not valid(changed(sample, change), name)
