"""The committed schemas are current, say what the reader says, and hold for all that is shipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from planner import files
from planner.files.schema import file_name, file_text
from tests.files import test_bad_values as bad
from tests.files.samples import INSTANCE, PLAN, RESULT, changed

ROOT = Path(__file__).parents[2]
SCHEMAS = files.schemas()
SHIPPED = sorted((ROOT / "instances" / "cloud").rglob("*.json"))

# What a schema cannot say: references, uniqueness of names, and how many digits a number has.
BETWEEN = {
    "application twice",
    "type twice",
    "speed missing",
    "speed for nothing",
    "speed for a mistyped name",
}


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
    assert valid(json.loads(path.read_text(encoding="utf-8")))


def test_samples_satisfy_it() -> None:
    assert valid(INSTANCE)
    assert valid(PLAN, "planner/cloud-plan/1")
    assert valid(RESULT, "planner/result/1")


@pytest.mark.parametrize("kind", sorted(bad.CASES.keys() - BETWEEN))
def test_what_the_reader_refuses_the_schema_refuses(kind: str) -> None:
    assert not valid(changed(INSTANCE, bad.CASES[kind][0]))
