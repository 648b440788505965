"""What all writers need: exact numbers with the place where there is none, notes, and free data."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import Any

from planner.errors import Fault, InputError
from planner.files.numbers import exact, nearest
from planner.notes import Notes


class Numbers:
    """Turns fractions into exact JSON numbers; its errors name the thing and the place."""

    def __init__(self, source: str) -> None:
        self._source = source

    def __call__(self, value: Fraction, place: str) -> Any:
        """The JSON number that is exactly `value`, which stands at `place`."""
        try:
            return exact(Fraction(value))
        except ValueError as error:
            raise InputError(self._source, [Fault(place, f"cannot be written: {error}")]) from error

    def optional(self, value: Fraction | None, place: str) -> Any:
        """As a call, with None for None."""
        return None if value is None else self(value, place)


def notes_of(notes: Notes) -> dict[str, Any]:
    """The keys of an object that hold its notes."""
    given = {"source": notes.source, "description": notes.description, "currency": notes.currency}
    free = {"meta": plain(notes.meta)} if notes.meta else {}
    return {key: value for key, value in given.items() if value is not None} | free


def plain(value: object) -> Any:
    """Free data without the types that only Python has."""
    match value:
        case Mapping():
            return {str(key): plain(entry) for key, entry in value.items()}
        case list() | tuple():
            return [plain(entry) for entry in value]
        case Enum():
            return plain(value.value)
        case Fraction():
            return nearest(value)
        case _:
            return value
