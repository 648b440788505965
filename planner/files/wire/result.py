"""`planner/result/1`: what came of one solver on one instance."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field, PlainValidator, WithJsonSchema

from planner.files.numbers import Refused
from planner.files.wire.base import Free, Name, Noted, Text, Wire, fault, shown
from planner.files.wire.plan import PlanWire
from planner.goal import Goal
from planner.result import Status, StoppedBy

_LARGEST_EXPONENT = 307
_LONGEST_EXACT = 1000
_FRACTION = re.compile(r"-?[0-9]+(/(?P<below>[0-9]+))?\Z")


def _double(value: object) -> Fraction | None:
    if isinstance(value, Refused):
        raise fault(value.reason)
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, Decimal))):
        raise fault(f"must be a number or null, not {shown(value)}")
    if isinstance(value, Decimal) and value.adjusted() > _LARGEST_EXPONENT:
        raise fault(f"{value} is beyond the largest double")
    return None if value is None else Fraction(value)


def _exact(value: object) -> Fraction | None:
    if value is None:
        return None
    if isinstance(value, str) and len(value) <= _LONGEST_EXACT:
        match = _FRACTION.match(value)
        if match and int(match["below"] or 1):
            return Fraction(value)
    raise fault(f'must be an exact number as text, like "10/3", or null, not {shown(value)}')


def _seed(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or value != int(value):
        raise fault(f"must be a whole number, not {shown(value)}")
    return int(value)


def _flag(value: object) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise fault(f"must be true, false or null, not {shown(value)}")
    return value


def _hash(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef"):
        return value
    raise fault(f"must be a SHA-256 in 64 lower-case hexadecimal digits, or null, not {shown(value)}")


def _versions(value: object) -> dict[str, str]:
    if isinstance(value, dict) and all(isinstance(entry, str) for entry in value.values()):
        return value
    raise fault("must be an object from package names to version texts")


_EXACT_SCHEMA = {"type": ["string", "null"], "pattern": r"^-?[0-9]+(/[0-9]+)?$"}

Double = Annotated[Fraction | None, PlainValidator(_double), WithJsonSchema({"type": ["number", "null"]})]
Exact = Annotated[Fraction | None, PlainValidator(_exact), WithJsonSchema(_EXACT_SCHEMA)]
Seed = Annotated[int, PlainValidator(_seed), WithJsonSchema({"type": "integer"})]
Flag = Annotated[bool | None, PlainValidator(_flag), WithJsonSchema({"type": ["boolean", "null"]})]
Sha256 = Annotated[
    str | None,
    PlainValidator(_hash),
    WithJsonSchema({"type": ["string", "null"], "pattern": "^[0-9a-f]{64}$"}),
]
Versions = Annotated[
    dict[str, str],
    PlainValidator(_versions),
    WithJsonSchema({"type": "object", "additionalProperties": {"type": "string"}}),
]


class ExactWire(Wire):
    """The exact values behind the numbers beside them, as whole numbers or fractions in text."""

    makespan: Exact = Field(description="Exact makespan in seconds.")
    cost: Exact = Field(description="Exact cost in money.")
    bound: Exact = Field(description="Exact bound, in the goal's unit.")


class SecondsWire(Wire):
    """Wall time in seconds."""

    total: Double = Field(description="All of it.")
    build: Double = Field(description="The part of `solve` spent on building models.")
    solve: Double = Field(description="The solver.")
    check: Double = Field(description="The checker.")


class ResolutionWire(Wire):
    """The tick in which the solver counted time."""

    seconds_per_tick: Exact = Field(description="Seconds in one tick, exact.")
    rounded: Flag = Field(description="Whether some time was not a whole number of ticks.")


class ResultWire(Noted):
    """The outcome of one solver on one instance. What does not exist is null."""

    format: Literal["planner/result/1"] = Field(description="Name and version of this format.")
    instance: Name = Field(description="Name of the instance.")
    instance_sha256: Sha256 = Field(description="SHA-256 of the bytes of the instance's file.")
    kind: Name = Field(description="Kind of problem: cloud.")
    solver: Name = Field(description="Name of the solver.")
    options: Free = Field(description="The solver's options, all of them.")
    seed: Seed = Field(description="Seed of the solver's random numbers.")
    goal: Literal[Goal.MAKESPAN, Goal.COST] = Field(description="What is minimised.")
    status: Status = Field(description="What is known about the instance after the run.")
    stopped_by: StoppedBy = Field(description="Why the run ended.")
    objective: Double = Field(description="Value of the goal that the checker found in the plan.")
    bound: Double = Field(description="Certified lower bound on the goal over all plans.")
    gap: Double = Field(description="(objective - bound) / objective; 0 where both are 0.")
    tiebreak_proven: Flag = Field(description="Whether the tie-break among optima is proven, too.")
    makespan: Double = Field(description="Seconds until the last VM is done.")
    cost: Double = Field(description="Money that the plan costs.")
    exact: ExactWire = Field(description="Exact values of the rounded numbers beside it.")
    seconds: SecondsWire = Field(description="Wall time of the run, in seconds.")
    resolution: ResolutionWire | None = Field(description="The tick in which the solver counted time.")
    versions: Versions = Field(description="Versions of this program and of what the solver used.")
    message: Text = Field(description="What a person should know about this outcome.")
    plan: PlanWire | None = Field(description="The plan; null where none was found.")
