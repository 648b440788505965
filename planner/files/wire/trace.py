"""The jobs of a system one by one: when and where they arrive, and how long they are.

A trace may have a million rows: those that are plainly right take no model, and all are kept in columns.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any, NamedTuple

from pydantic import (
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainValidator,
    ValidationError,
    WithJsonSchema,
)
from pydantic_core import CoreSchema, core_schema

from planner.files.numbers import LARGEST, limit_fault
from planner.files.wire.base import (
    NAME_PATTERN,
    ListOf,
    Noted,
    Positive,
    check_name,
    fault,
    integer,
    integer_schema,
    shown,
)

MOST_STEPS = 10**8

_KEYS = {"step", "scheduler", "length"}


def _scheduler(value: object) -> int | str:
    if isinstance(value, str):
        return check_name(value)
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise fault(f"must be the name of a scheduler or its index, not {shown(value)}")
    return integer(0)(value)


Step = Annotated[int, PlainValidator(integer(0, MOST_STEPS)), WithJsonSchema(integer_schema(0, MOST_STEPS))]
SchedulerRef = Annotated[
    int | str,
    PlainValidator(_scheduler),
    WithJsonSchema({"type": ["integer", "string"], "minimum": 0, "minLength": 1, "pattern": NAME_PATTERN}),
]


class TraceRowWire(Noted):
    """A job."""

    step: Step = Field(description="Step in which it arrives; never less than in the row before.")
    scheduler: SchedulerRef = Field(description="Where it arrives: name of the scheduler, or index from 0.")
    length: Positive = Field(description="Units of work.")


class Columns(NamedTuple):
    """Jobs in the order of the file; a scheduler is an index from 0, or a name."""

    steps: array[int]
    schedulers: list[int | str]
    lengths: array[float]

    def append(self, step: int, scheduler: int | str, length: float) -> None:
        """Add a job."""
        self.steps.append(step)
        self.schedulers.append(scheduler)
        self.lengths.append(length)


def no_columns() -> Columns:
    """Columns without a job."""
    return Columns(array("q"), [], array("d"))


class Rows(ListOf):
    """Makes `Columns` of a list of `TraceRowWire`."""

    def __init__(self) -> None:
        super().__init__(TraceRowWire)

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The usual schema of such a list, in a shortcut."""
        return core_schema.no_info_wrap_validator_function(
            _columns, handler.generate_schema(list[TraceRowWire])
        )

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The usual schema, for lists that are not empty."""
        return {**handler(core), "minItems": 1}


def _columns(value: object, usual: Callable[[object], list[TraceRowWire]]) -> Columns:
    if not isinstance(value, list):
        raise fault(f"must be a list, not {shown(value)}")
    if not value:
        raise fault("must not be empty: a system without jobs has nothing to simulate")
    columns = no_columns()
    for row in value:
        if not _plainly_right(row):
            try:
                wire = TraceRowWire.model_validate(row)
            except ValidationError:
                usual(value)  # raises, with the faults of all rows and their places
                raise
            columns.append(wire.step, wire.scheduler, float(wire.length))
        else:
            columns.append(row["step"], row["scheduler"], float(row["length"]))
    return columns


def _plainly_right(row: object) -> bool:
    """Whether no model is needed to see that the row is right."""
    if not isinstance(row, dict) or row.keys() != _KEYS:
        return False
    step, scheduler, length = row["step"], row["scheduler"], row["length"]
    return (
        type(step) is int
        and 0 <= step <= MOST_STEPS
        and (0 <= scheduler <= LARGEST if type(scheduler) is int else _plain_name(scheduler))
        and type(length) in (int, Decimal)
        and length > 0
        and limit_fault(length) is None
    )


def _plain_name(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and value != ""
