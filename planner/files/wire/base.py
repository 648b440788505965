"""The values that files are made of: exact numbers, counts, names, notes.

Each type checks a value of the raw tree (planner.files.text) and says in a schema what it takes.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any
from unicodedata import category

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from planner.files.numbers import LARGEST, Refused, limit_fault
from planner.files.paths import quoted
from planner.files.text import MOST_FAULTS
from planner.notes import NO_NOTES, Notes

NAME_PATTERN = r"^[^\u0000-\u001f\u007f-\u009f]+$"


def fault(message: str) -> PydanticCustomError:
    """An error whose text reaches the person as it is."""
    return PydanticCustomError("planner", "{message}", {"message": message})


def shown(value: object) -> str:
    """A value of the raw tree in a few words, for "must be a number, not …"."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f"the text {quoted(value, 30)}"
        case list():
            return "a list"
        case dict():
            return "an object"
        case Refused():
            return value.reason
        case _:
            return str(value)


def _number(value: object, what: str = "a number") -> int | Decimal:
    if isinstance(value, Refused):
        raise fault(value.reason)
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        hint = "; leave out the quotes" if isinstance(value, str) and _looks_numeric(value) else ""
        raise fault(f"must be {what}, not {shown(value)}{hint}")
    return value


def _looks_numeric(text: str) -> bool:
    return text.strip().lstrip("+-").replace(".", "", 1).isdigit()


def any_quantity(value: object) -> Fraction:
    """The value as a number of any sign, exactly."""
    number = _number(value)
    problem = limit_fault(number)
    if problem is not None:
        raise fault(problem)
    return Fraction(number)


def quantity(positive: bool) -> Callable[[object], Fraction]:
    """A validator for numbers greater than 0, or at least 0."""

    def check(value: object) -> Fraction:
        number = _number(value)
        problem = limit_fault(number)
        if problem is not None:
            raise fault(problem)
        if number < 0 or (positive and number == 0):
            raise fault(f"must be {'greater than 0' if positive else 'at least 0'}, not {number}")
        return Fraction(number)

    return check


def integer(least: int, most: int | None = None) -> Callable[[object], int]:
    """A validator for whole numbers from `least` to `most`."""

    def check(value: object) -> int:
        number = _number(value, "a whole number")
        problem = limit_fault(number)
        if problem is not None:
            raise fault(problem)
        if number != int(number):
            raise fault(f"must be a whole number, not {number}")
        if number < least:
            raise fault(f"must be at least {least}, not {number}")
        if most is not None and number > most:
            raise fault(f"must be at most {most}, not {number}")
        return int(number)

    return check


def nullable(check: Callable[[object], Any]) -> Callable[[object], Any]:
    """`check`, passing null through as None."""
    return lambda value: None if value is None else check(value)


def check_name(value: object) -> str:
    """The value as a name: text, not empty, without control characters."""
    if not isinstance(value, str):
        raise fault(f"must be text, not {shown(value)}")
    if not value:
        raise fault("must not be empty")
    if not value.isprintable() and any(category(character) == "Cc" for character in value):
        raise fault(f"must not hold control characters, as {quoted(value)} does")
    return value


def check_names(value: object) -> tuple[str, ...]:
    """The value as a list of names; wrong entries go into the error's context, by index.

    One validator for the whole list, because a list can have a million entries.
    """
    if not isinstance(value, list):
        raise fault(f"must be a list of texts, not {shown(value)}")
    if not value:
        raise fault("must not be empty")
    wrong: dict[int, str] = {}
    for index, entry in enumerate(value):
        if isinstance(entry, str) and entry and entry.isprintable():
            continue
        try:
            check_name(entry)
        except PydanticCustomError as error:
            wrong[index] = error.message()
        if len(wrong) >= MOST_FAULTS:
            break
    if wrong:
        raise PydanticCustomError("entries", "has wrong entries", {"wrong": wrong})
    return tuple(value)


def _text(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise fault(f"must be text, not {shown(value)}")
    return value


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise fault(f"must be an object, not {shown(value)}")
    return value


def _list(value: object) -> object:
    if not isinstance(value, list):
        raise fault(f"must be a list, not {shown(value)}")
    return value


def _entries(value: object) -> object:
    if not _list(value):
        raise fault("must not be empty")
    return value


_POSITIVE = {"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST}
_AT_LEAST_0 = {"type": "number", "minimum": 0, "maximum": LARGEST}
_NAME = {"type": "string", "minLength": 1, "pattern": NAME_PATTERN}


def integer_schema(least: int, most: int = LARGEST, *, null: bool = False) -> dict[str, Any]:
    """The JSON Schema of whole numbers from `least` to `most`."""
    return {"type": ["integer", "null"] if null else "integer", "minimum": least, "maximum": most}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return schema | {"type": [schema["type"], "null"]}


Positive = Annotated[Fraction, PlainValidator(quantity(True)), WithJsonSchema(_POSITIVE)]
PositiveOrNull = Annotated[
    Fraction | None, PlainValidator(nullable(quantity(True))), WithJsonSchema(_or_null(_POSITIVE))
]
AtLeast0 = Annotated[Fraction, PlainValidator(quantity(False)), WithJsonSchema(_AT_LEAST_0)]
NumberOrNull = Annotated[
    Fraction | None,
    PlainValidator(nullable(any_quantity)),
    WithJsonSchema({"type": ["number", "null"], "minimum": -LARGEST, "maximum": LARGEST}),
]
AtLeast0OrNull = Annotated[
    Fraction | None, PlainValidator(nullable(quantity(False))), WithJsonSchema(_or_null(_AT_LEAST_0))
]
Count = Annotated[int, PlainValidator(integer(1)), WithJsonSchema(integer_schema(1))]
# Absent or a count, never null: the default is not checked.
CountIfGiven = Annotated[int | None, PlainValidator(integer(1)), WithJsonSchema(integer_schema(1))]
LimitFrom0 = Annotated[
    int | None, PlainValidator(nullable(integer(0))), WithJsonSchema(integer_schema(0, null=True))
]
LimitFrom1 = Annotated[
    int | None, PlainValidator(nullable(integer(1))), WithJsonSchema(integer_schema(1, null=True))
]
Name = Annotated[str, PlainValidator(check_name), WithJsonSchema(_NAME)]
NameIfGiven = Annotated[str | None, PlainValidator(check_name), WithJsonSchema(_NAME)]
NameOrNull = Annotated[str | None, PlainValidator(nullable(check_name)), WithJsonSchema(_or_null(_NAME))]
NamesIfGiven = Annotated[
    tuple[str, ...] | None,
    PlainValidator(check_names),
    WithJsonSchema({"type": "array", "minItems": 1, "uniqueItems": True, "items": _NAME}),
]
Text = Annotated[str | None, PlainValidator(_text), WithJsonSchema({"type": ["string", "null"]})]
Free = Annotated[dict[str, Any], PlainValidator(_object), WithJsonSchema({"type": "object"})]
FreeIfGiven = Annotated[dict[str, Any] | None, PlainValidator(_object), WithJsonSchema({"type": "object"})]
AnyList = BeforeValidator(_list)
Entries = BeforeValidator(_entries)


class Wire(BaseModel):
    """An object of a file: no keys but the known ones."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Noted(Wire):
    """An object that people may attach notes to."""

    source: Text = Field(default=None, description="Where the data come from; free text, never interpreted.")
    description: Text = Field(default=None, description="What this is; free text, never interpreted.")
    currency: Text = Field(
        default=None, description="The currency of all money; free text, never interpreted."
    )
    meta: FreeIfGiven = Field(
        default=None, description="Any data of your own; carried along, never interpreted."
    )

    def notes(self) -> Notes:
        """The notes as the domain keeps them."""
        if self.model_fields_set.isdisjoint(Noted.model_fields):
            return NO_NOTES
        return Notes(self.source, self.description, self.currency, MappingProxyType(self.meta or {}))


class ListOf:
    """An annotation of fields whose type does not tell of which model the entries of a list are."""

    def __init__(self, entries: type[BaseModel]) -> None:
        self.entries = entries


# Checked on the raw tree (planner.files.crossref), where a broken neighbour does not hide it.
COUNT_OR_IDS = ConfigDict(json_schema_extra={"oneOf": [{"required": ["count"]}, {"required": ["ids"]}]})
