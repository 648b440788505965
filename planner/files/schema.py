"""JSON Schemas of the formats, made from the wire models.

The committed copies under docs/schema/ are rewritten by `python -m planner.files.schema docs/schema`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from planner.files import formats
from planner.files.output import write_text
from planner.files.wire.base import Noted
from planner.files.wire.cloud import CloudWire
from planner.files.wire.explanation import ExplanationWire
from planner.files.wire.frontier import FrontierWire
from planner.files.wire.grid_plan import GridPlanWire
from planner.files.wire.plan import PlanWire
from planner.files.wire.result import CloudResultWire, StepResultWire
from planner.files.wire.step import StepWire
from planner.files.wire.study import StudyWire
from planner.files.wire.system import SystemWire

_MODELS: dict[str, tuple[str, tuple[type[BaseModel], ...]]] = {
    formats.CLOUD: ("Cloud planning instance", (CloudWire,)),
    formats.STEP: ("Grid step", (StepWire,)),
    formats.SYSTEM: ("Grid system to simulate", (SystemWire,)),
    formats.PLAN: ("Cloud plan", (PlanWire,)),
    formats.GRID_PLAN: ("Plan of a grid step", (GridPlanWire,)),
    formats.RESULT: ("Result of a solver on an instance", (CloudResultWire, StepResultWire)),
    formats.EXPLANATION: ("Explanation of an instance or plan", (ExplanationWire,)),
    formats.STUDY: ("Batch study", (StudyWire,)),
    formats.FRONTIER: ("Budget-makespan frontier of an instance", (FrontierWire,)),
}


def schemas() -> dict[str, dict[str, Any]]:
    """Format name to its JSON Schema (draft 2020-12)."""
    return {name: _schema(name, title, models) for name, (title, models) in _MODELS.items()}


def file_name(name: str) -> str:
    """The file in docs/schema/ that holds the schema of the format: `planner/cloud/1` is in cloud-1.json."""
    return name.removeprefix("planner/").replace("/", "-") + ".json"


def file_text(schema: dict[str, Any]) -> str:
    """The schema as it stands in its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _schema(name: str, title: str, models: tuple[type[BaseModel], ...]) -> dict[str, Any]:
    body = _body(title, models)
    definitions = body.pop("$defs", {})
    for part in (body, *definitions.values()):
        _tidy(part)
    body.pop("title", None)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:gridcloud-planner:schema:{name.replace('/', ':')}",
        "title": f"{title} ({name})",
    }
    named = {key.removesuffix("Wire"): definitions[key] for key in definitions}
    whole = head | body | ({"$defs": named} if named else {})
    tidied: dict[str, Any] = json.loads(json.dumps(whole).replace('Wire"', '"'))
    return tidied


def _body(title: str, models: tuple[type[BaseModel], ...]) -> dict[str, Any]:
    """The schema of the one model, or one that any of several satisfies."""
    if len(models) == 1:
        return models[0].model_json_schema()
    references, definitions = models_json_schema([(model, "validation") for model in models])
    either = [references[model, "validation"] for model in models]
    return {"description": f"{title}, of one kind or another.", "anyOf": either, **definitions}


def _tidy(part: dict[str, Any]) -> None:
    """Drop what pydantic adds and no reader needs, and put the notes behind an object's own keys."""
    properties = part.get("properties", {})
    for key in [key for key in properties if key in Noted.model_fields]:
        properties[key] = properties.pop(key)
    for value in properties.values():
        value.pop("title", None)
        if value.get("default", ...) is None and not _takes_null(value):
            del value["default"]


def _takes_null(schema: dict[str, Any]) -> bool:
    return "null" in schema.get("type", ()) or {"type": "null"} in schema.get("anyOf", ())


if __name__ == "__main__":
    for format_name, content in schemas().items():
        write_text(Path(sys.argv[1], file_name(format_name)), file_text(content))
