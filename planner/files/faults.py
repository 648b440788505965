"""From pydantic's errors to faults that people can act on, each once, in the order of the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from planner.errors import Fault
from planner.files.paths import Location, quoted, where
from planner.files.text import MOST_FAULTS
from planner.files.wire.base import ListOf, Noted, shown

# Deep enough for result, plan, vms, tasks, ids and the objects between them.
_DEEPEST_OBJECT = 10
_KEPT = 100

RESERVED = frozenset({"slots", "running"})


def structural(error: ValidationError, model: type[BaseModel], tree: object) -> dict[Location, str]:
    """What the model found wrong in the tree, by location; a location's first fault only."""
    faults: dict[Location, str] = {}
    if error.error_count() > MOST_FAULTS:
        faults[()] = (
            f"has {error.error_count()} faults; those of the first {_KEPT} entries of each list are told"
        )
        # The details of an error take a kilobyte each; those of a few entries of each list say enough.
        try:
            model.model_validate(_trimmed(tree, _DEEPEST_OBJECT, _keys(model)))
        except ValidationError as less:
            error = less
    for detail in error.errors(include_url=False):
        location = detail["loc"]
        context = detail.get("ctx", {})
        match detail["type"]:
            case "entries":
                faults |= {(*location, index): message for index, message in context["wrong"].items()}
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


def _trimmed(node: object, levels: int, keys: frozenset[str]) -> object:
    """The tree with a few entries in each list, and in each object the keys that count and a few more."""
    if levels == 0 or not isinstance(node, (dict, list)):
        return node
    if isinstance(node, list):
        return [_trimmed(entry, levels - 1, keys) for entry in node[:_KEPT]]
    kept = {key: node[key] for key in keys if key in node} | dict(islice(node.items(), _KEPT))
    return {key: _trimmed(value, levels - 1, keys) for key, value in kept.items()}


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


def _keys(model: type[BaseModel]) -> frozenset[str]:
    """All keys of the model and of the models inside it."""
    inner = [_inner_model(field.annotation) for field in model.model_fields.values()]
    return frozenset(model.model_fields).union(*(_keys(found) for found in inner if found is not None))


def _model_at(location: Location, model: type[BaseModel]) -> type[BaseModel]:
    """The model of the object at `location`: steps by name go through fields, indices through lists."""
    for index, step in enumerate(location):
        if isinstance(step, str) and step in model.model_fields:
            field = model.model_fields[step]
            inner = _inner_model(field.annotation)
            if any(isinstance(after, int) for after in location[index + 1 : index + 2]):
                # A list in whose place something else may stand names the model of its entries.
                inner = next((m.entries for m in field.metadata if isinstance(m, ListOf)), inner)
            model = inner or model
    return model


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in get_args(annotation):
        found = _inner_model(argument)
        if found is not None:
            return found
    return None
