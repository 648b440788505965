"""`planner/result/1`: what came of one solver on one instance."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field, PlainValidator, WithJsonSchema

from planner.files.numbers import Refused
from planner.files.wire.base import Free, Name, Noted, Text, Wire, fault, shown
from planner.files.wire.grid_plan import GridPlanWire
from planner.files.wire.plan import PlanWire
from planner.goal import Goal
from planner.kinds import CLOUD, GRID_STEP, KINDS, Kind
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


def _null(value: object) -> None:
    if value is not None:
        raise fault(f"must be null, not {shown(value)}")


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


def _kind(kind: Kind) -> Callable[[object], str]:
    """A validator for the name of that kind; its error names all kinds there are."""

    def check(value: object) -> str:
        if value != kind.name:
            raise fault(f"must be {' or '.join(map(repr, KINDS))}, not {shown(value)}")
        return kind.name

    return check


def _goal(kind: Kind) -> Callable[[object], Goal]:
    """A validator for the goals of that kind."""

    def check(value: object) -> Goal:
        if value not in list(kind.goals):
            raise fault(f"must be {' or '.join(repr(goal.value) for goal in kind.goals)}, not {shown(value)}")
        return Goal(str(value))

    return check


def _goal_schema(kind: Kind) -> dict[str, object]:
    return {"type": "string", "enum": [goal.value for goal in kind.goals]}


_EXACT_SCHEMA = {"type": ["string", "null"], "pattern": r"^-?[0-9]+(/[0-9]+)?$"}

Double = Annotated[Fraction | None, PlainValidator(_double), WithJsonSchema({"type": ["number", "null"]})]
Exact = Annotated[Fraction | None, PlainValidator(_exact), WithJsonSchema(_EXACT_SCHEMA)]
Seed = Annotated[int, PlainValidator(_seed), WithJsonSchema({"type": "integer"})]
Flag = Annotated[bool | None, PlainValidator(_flag), WithJsonSchema({"type": ["boolean", "null"]})]
Null = Annotated[None, PlainValidator(_null), WithJsonSchema({"type": "null"})]
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


class StepExactWire(ExactWire):
    """The exact values behind the numbers of a grid step's result."""

    makespan: Exact = Field(description="Exact makespan in steps.")
    cost: Null = Field(description="A grid step has no cost.")
    flow: Exact = Field(description="Exact total completion time in steps.")
    load: Exact = Field(description="Exact mean load.")


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
    """The outcome of one solver on one instance, of whatever kind. What does not exist is null."""

    format: Literal["planner/result/1"] = Field(description="Name and version of this format.")
    instance: Name = Field(description="Name of the instance.")
    instance_sha256: Sha256 = Field(description="SHA-256 of the bytes of the instance's file.")
    kind: str = Field(description="Kind of problem.")
    solver: Name = Field(description="Name of the solver.")
    options: Free = Field(description="The solver's options, all of them.")
    seed: Seed = Field(description="Seed of the solver's random numbers.")
    goal: Goal = Field(description="What is minimised.")
    status: Status = Field(description="What is known about the instance after the run.")
    stopped_by: StoppedBy = Field(description="Why the run ended.")
    objective: Double = Field(description="Value of the goal that the checker found in the plan.")
    bound: Double = Field(description="Certified lower bound on the goal over all plans.")
    gap: Double = Field(description="(objective - bound) / objective; 0 where both are 0.")
    tiebreak_proven: Flag = Field(description="Whether the tie-break among optima is proven, too.")
    makespan: Double
    cost: Double
    exact: ExactWire = Field(description="Exact values of the rounded numbers beside it.")
    seconds: SecondsWire = Field(description="Wall time of the run, in seconds.")
    resolution: ResolutionWire | None = Field(description="The tick in which the solver counted time.")
    versions: Versions = Field(description="Versions of this program and of what the solver used.")
    message: Text = Field(description="What a person should know about this outcome.")
    plan: PlanWire | GridPlanWire | None


class CloudResultWire(ResultWire):
    """The outcome of one solver on one cloud instance. What does not exist is null."""

    kind: Annotated[str, PlainValidator(_kind(CLOUD)), WithJsonSchema({"const": CLOUD.name})] = Field(
        description="Kind of problem: cloud."
    )
    goal: Annotated[Goal, PlainValidator(_goal(CLOUD)), WithJsonSchema(_goal_schema(CLOUD))] = Field(
        description="What is minimised."
    )
    makespan: Double = Field(description="Seconds until the last VM is done.")
    cost: Double = Field(description="Money that the plan costs.")
    plan: PlanWire | None = Field(description="The plan; null where none was found.")


class StepResultWire(ResultWire):
    """The outcome of one solver on one grid step. What does not exist is null."""

    kind: Annotated[str, PlainValidator(_kind(GRID_STEP)), WithJsonSchema({"const": GRID_STEP.name})] = Field(
        description="Kind of problem: grid-step."
    )
    goal: Annotated[Goal, PlainValidator(_goal(GRID_STEP)), WithJsonSchema(_goal_schema(GRID_STEP))] = Field(
        description="What is minimised."
    )
    makespan: Double = Field(description="Steps until the last resource is empty.")
    cost: Null = Field(description="A grid step has no cost.")
    flow: Double = Field(description="Total completion time of the new jobs, in steps.")
    load: Double = Field(description="Mean load of the resources at the end of the step.")
    exact: StepExactWire = Field(description="Exact values of the rounded numbers beside it.")
    plan: GridPlanWire | None = Field(description="The plan; null where none was found.")


RESULT_WIRES: dict[str, type[ResultWire]] = {CLOUD.name: CloudResultWire, GRID_STEP.name: StepResultWire}
"""The model of results for each kind of problem."""
