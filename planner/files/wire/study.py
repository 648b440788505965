"""`planner/study/1`: what to run on what. Names of solvers and options are for `planner.studies` to check."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from planner.files.faults import did_you_mean
from planner.files.wire.base import (
    Name,
    Noted,
    fault,
    integer,
    integer_schema,
    quantity,
    shown,
)
from planner.goal import Goal
from planner.settings import MAX_SEED, MAX_WORKERS

MOST_REPETITIONS = 100_000

Choice = str | dict[str, Any]


def listed(check: Callable[[object], Any]) -> Callable[[object], tuple[Any, ...]]:
    """A validator for one value, or a list of at least one, as a tuple."""

    def one_or_more(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list):
            return (check(value),)
        return checked(value, check)

    return one_or_more


def checked(value: object, check: Callable[[object], Any]) -> tuple[Any, ...]:
    """The list, at least one entry long, with every entry checked; wrong ones are told by index."""
    if not isinstance(value, list):
        raise fault(f"must be a list, not {shown(value)}")
    if not value:
        raise fault("must not be empty")
    found, wrong = [], {}
    for index, entry in enumerate(value):
        try:
            found.append(check(entry))
        except PydanticCustomError as error:
            wrong[index] = error.message()
    if wrong:
        raise PydanticCustomError("entries", "has wrong entries", {"wrong": wrong})
    return tuple(found)


def _pattern(value: object) -> str:
    if not isinstance(value, str):
        raise fault(f"must be a path or pattern, not {shown(value)}")
    if not value or "\0" in value:
        raise fault("must not be empty" if not value else "must not hold the character NUL")
    return value


def _choice(value: object) -> Choice:
    if isinstance(value, str):
        if not value.strip():
            raise fault("must not be empty")
        return value
    if not isinstance(value, dict):
        raise fault(
            f'must be a name, or a table like {{name = "clds", alpha = [0.1, 0.2]}}, not {shown(value)}'
        )
    if not isinstance(value.get("name"), str):
        raise fault(
            "needs a name" if "name" not in value else f"name: must be text, not {shown(value['name'])}"
        )
    for key, given in value.items():
        if given == []:
            raise fault(f"{key}: must not be empty")
        for entry in given if isinstance(given, list) else [given]:
            if not isinstance(entry, str | int | Decimal):  # a flag is an int
                raise fault(f"{key}: must be text, a number, true or false, or a list of these")
    return value


def _goal(value: object) -> Goal:
    if not isinstance(value, str):
        raise fault(f"must be text, not {shown(value)}")
    if value not in list(Goal):
        raise fault(f"must be {' or '.join(map(repr, map(str, Goal)))}{did_you_mean(value, map(str, Goal))}")
    return Goal(value)


def _seeds(value: object) -> str | tuple[int, ...]:
    if isinstance(value, str):
        return value
    whole = integer(0, MAX_SEED)
    seeds: tuple[int, ...] = listed(whole)(value)
    return seeds


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise fault(f"must be true or false, not {shown(value)}")
    return value


_TEXT = {"type": "string", "minLength": 1}
_SCALAR = {"type": ["string", "number", "boolean"]}
_TABLE = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}},
    "additionalProperties": {"anyOf": [_SCALAR, {"type": "array", "minItems": 1, "items": _SCALAR}]},
}
_SEED = integer_schema(0, MAX_SEED)
_GOAL = {"enum": [goal.value for goal in Goal]}


def _one_or_more(entry: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [entry, {"type": "array", "minItems": 1, "items": entry}]}


Patterns = Annotated[tuple[str, ...], PlainValidator(listed(_pattern)), WithJsonSchema(_one_or_more(_TEXT))]
Choices = Annotated[
    tuple[Choice, ...] | None,
    PlainValidator(lambda value: checked(value, _choice)),
    WithJsonSchema({"type": "array", "minItems": 1, "items": {"anyOf": [_TEXT, _TABLE]}}),
]
Goals = Annotated[tuple[Goal, ...] | None, PlainValidator(listed(_goal)), WithJsonSchema(_one_or_more(_GOAL))]
Seeds = Annotated[
    str | tuple[int, ...] | None,
    PlainValidator(_seeds),
    WithJsonSchema({"anyOf": [_TEXT, _SEED, {"type": "array", "minItems": 1, "items": _SEED}]}),
]
Flag = Annotated[bool, PlainValidator(_flag), WithJsonSchema({"type": "boolean"})]
Repetitions = Annotated[
    int,
    PlainValidator(integer(1, MOST_REPETITIONS)),
    WithJsonSchema(integer_schema(1, MOST_REPETITIONS)),
]
Threads = Annotated[
    int, PlainValidator(integer(1, MAX_WORKERS)), WithJsonSchema(integer_schema(1, MAX_WORKERS))
]
# Absent or a value, never null: TOML has no null.
PositiveIfGiven = Annotated[
    Fraction | None,
    PlainValidator(quantity(True)),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
]
WorkersIfGiven = Annotated[
    int | None, PlainValidator(integer(1, MAX_WORKERS)), WithJsonSchema(integer_schema(1, MAX_WORKERS))
]


class StudyWire(Noted):
    """A study: solvers on instances and policies on systems, everything listed crossed with everything."""

    format: Literal["planner/study/1"] = Field(description="Name and version of this format.")
    name: Name = Field(description="Name of the study; its store is NAME.sqlite unless another is named.")
    instances: Patterns = Field(
        description="Files, folders or patterns, relative to this file or absolute: instances and systems."
    )
    solvers: Choices = Field(
        default=None,
        description="Solvers of cloud instances and grid steps: names, with options as in "
        '"name:option=value;…", or tables with name and options, whose lists are crossed.',
    )
    policies: Choices = Field(default=None, description="Policies of grid systems, written as solvers are.")
    objective: Goals = Field(
        default=None,
        description="What to minimise: makespan, cost, flow or load; each solver's own where it is left out.",
    )
    seeds: Seeds = Field(
        default=None, description="A seed, a list of them, or text as in 1-10. Left out: 1; a system's own."
    )
    repetitions: Repetitions = Field(
        default=1, description="How often to run with each seed; each repetition has a seed derived from it."
    )
    time_limit: PositiveIfGiven = Field(default=None, description="Seconds of wall time for each cell.")
    memory_limit: PositiveIfGiven = Field(
        default=None,
        description="Memory of a worker process in MB, libraries included; a cell that needs more fails.",
    )
    threads: Threads = Field(default=1, description="Threads a solver may use.")
    workers: WorkersIfGiven = Field(
        default=None, description="Cells that run at once. Left out: as many as cores allow."
    )
    reference: Flag = Field(default=False, description="Of systems, also find each step's regret.")
    series: Flag = Field(default=False, description="Of systems, also keep ALoR of every step.")
    no_bound: Flag = Field(default=False, description="Of systems, do not compute the certified bound.")
