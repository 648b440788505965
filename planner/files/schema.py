"""JSON Schemas of the formats, made from the wire models."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from planner.files import formats
from planner.files.wire.cloud import CloudWire
from planner.files.wire.plan import PlanWire
from planner.files.wire.result import ResultWire

_MODELS: dict[str, type[BaseModel]] = {
    formats.CLOUD: CloudWire,
    formats.PLAN: PlanWire,
    formats.RESULT: ResultWire,
}


def schemas() -> dict[str, dict[str, Any]]:
    """Format name to its JSON Schema (draft 2020-12)."""
    return {name: _schema(name, model) for name, model in _MODELS.items()}


def _schema(name: str, model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()
