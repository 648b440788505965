"""From a raw tree to a wire model, or all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from pydantic import ValidationError

from planner.errors import Fault, InputError
from planner.files.faults import in_order, structural
from planner.files.paths import Location
from planner.files.text import MOST_FAULTS, Document, joined, some
from planner.files.wire.base import Wire

Model = TypeVar("Model", bound=Wire)


def validated(
    document: Document,
    model: type[Model],
    between: Iterator[tuple[Location, str]],
    behind: Sequence[Fault] = (),
) -> Model:
    """The tree as `model`; raises `InputError` with the faults of all levels together.

    `between` yields those between values, which no model sees; `behind` are told after all others.
    """
    faults = some(between)
    wire: Model | None = None
    try:
        wire = model.model_validate(document.tree)
    except ValidationError as error:
        found = structural(error, model, document.tree)
        if ("format",) in document.faults:  # which says more of it than the model can
            found.pop(("format",), None)
        faults |= {place: joined(message, faults.get(place, "")) for place, message in found.items()}
    for location, message in document.faults.items():
        faults[location] = joined(message, faults.get(location, ""))
    if wire is None or faults or behind:
        told = [*in_order(faults, document.tree), *behind]
        if len(faults) >= MOST_FAULTS and () not in faults:
            told.insert(0, Fault("", f"has {MOST_FAULTS} faults or more; not all of them are told"))
        raise InputError(document.source, told)
    return wire
