"""From pydantic's errors to faults that people can act on, each once, in the order of the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from planner.errors import Fault
from planner.files.paths import Location, quoted, where
from planner.files.wire.base import Noted, shown

RESERVED = frozenset({"slots", "running"})


def structural(error: ValidationError, model: type[BaseModel]) -> dict[Location, str]:
    """What the model found wrong, by location; a location's first fault only."""
    faults: dict[Location, str] = {}
    for detail in error.errors(include_url=False):
        location = detail["loc"]
        context = detail.get("ctx", {})
        match detail["type"]:
            case "entries":
                for index, message in context["wrong"].items():
                    faults.setdefault((*location, index), message)
                continue
            case "missing":
                message = "is missing"
            case "extra_forbidden":
                message = _unknown_key(location, model)
            case "model_type" | "model_attributes_type" | "dict_type":
                message = f"must be an object, not {shown(detail['input'])}"
            case "literal_error" | "enum":
                message = f"must be {context['expected']}, not {shown(detail['input'])}"
            case _:
                message = detail["msg"]
        faults.setdefault(location, message)
    return faults


def in_order(faults: Mapping[Location, str], tree: object) -> list[Fault]:
    """The faults in the order in which a reader of the file meets them."""
    positions: dict[int, dict[str, int]] = {}

    def order(location: Location) -> tuple[int, ...]:
        key: list[int] = []
        node: Any = tree
        for step in location:
            if isinstance(node, dict):
                known = positions.setdefault(id(node), {})
                if not known:
                    known.update({name: index for index, name in enumerate(node)})
                key.append(known.get(str(step), len(known)))
                node = node.get(step)
            elif isinstance(step, int):
                key.append(step)
                node = node[step] if isinstance(node, list) and step < len(node) else None
        return tuple(key)

    return [Fault(where(location), faults[location]) for location in sorted(faults, key=order)]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` - did you mean "…"?` where one of `known` is close, else nothing."""
    names = list(known)
    close = get_close_matches(word[:100], names, 1)
    if not close:
        close = [name for name in names if name.casefold() == word.casefold()]
    return f"; did you mean {quoted(close[0])}?" if close else ""


def _unknown_key(location: Location, model: type[BaseModel]) -> str:
    key = str(location[-1])
    if key in RESERVED:
        return "is reserved for a later version"
    fields = _model_at(location[:-1], model).model_fields
    # Notes may stand anywhere and are rarely what was meant: they come last.
    known = sorted(fields, key=lambda name: name in Noted.model_fields)
    return f"unknown key{did_you_mean(key, known) or '; known here: ' + ', '.join(known)}"


def _model_at(location: Location, model: type[BaseModel]) -> type[BaseModel]:
    """The model of the object at `location`: steps by name go through fields, indices through lists."""
    for step in location:
        if isinstance(step, str) and step in model.model_fields:
            model = _inner_model(model.model_fields[step].annotation) or model
    return model


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in get_args(annotation):
        found = _inner_model(argument)
        if found is not None:
            return found
    return None
