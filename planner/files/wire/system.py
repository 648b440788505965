"""`planner/grid/1`: a grid to simulate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainValidator,
    WithJsonSchema,
)
from pydantic_core import CoreSchema, core_schema

from planner.files.numbers import LARGEST
from planner.files.wire.base import (
    AnyList,
    ListOf,
    Name,
    NameIfGiven,
    Noted,
    fault,
    integer,
    integer_schema,
    shown,
)
from planner.files.wire.distribution import DistributionWire, at_least_0, positive
from planner.files.wire.trace import MOST_STEPS, Columns, Rows, Step
from planner.grid.system import (
    DEFAULT_SEED,
    Arrivals,
    CapacityChange,
    Crash,
    Drawn,
    Event,
    GridSystem,
    Machine,
    Scheduler,
    Trace,
    counted_schedulers,
)

MOST_AGENTS = 10**6
"""Most schedulers or resources under a count: more would fill the memory before anything is simulated."""

LARGEST_SEED = 2**31 - 1
LEARNER = "learner"

_POSITIVE = {"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST}
_AT_LEAST_0 = {"type": "number", "minimum": 0, "maximum": LARGEST}

PositiveFloat = Annotated[float, PlainValidator(positive), WithJsonSchema(_POSITIVE)]
PositiveFloatIfGiven = Annotated[float | None, PlainValidator(positive), WithJsonSchema(_POSITIVE)]
AtLeast0FloatIfGiven = Annotated[float | None, PlainValidator(at_least_0), WithJsonSchema(_AT_LEAST_0)]
Seed = Annotated[
    int, PlainValidator(integer(0, LARGEST_SEED)), WithJsonSchema(integer_schema(0, LARGEST_SEED))
]
Steps = Annotated[int, PlainValidator(integer(1, MOST_STEPS)), WithJsonSchema(integer_schema(1, MOST_STEPS))]
Agents = Annotated[
    int, PlainValidator(integer(1, MOST_AGENTS)), WithJsonSchema(integer_schema(1, MOST_AGENTS))
]


class ListOr(ListOf):
    """A list of at least one `entries`; `other` takes what is no list, and `schema` describes that."""

    def __init__(
        self,
        entries: type[BaseModel],
        other: Callable[[object], Any],
        schema: dict[str, Any] | type[BaseModel],
    ) -> None:
        super().__init__(entries)
        self._other, self._schema = other, schema

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The schema of the list, for values that are one."""
        return core_schema.no_info_wrap_validator_function(
            self._check,
            handler.generate_schema(list[self.entries]),  # type: ignore[name-defined]
        )

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Either of the two."""
        other = (
            self._schema if isinstance(self._schema, dict) else handler(self._schema.__pydantic_core_schema__)
        )
        inner: Any = core
        return {"oneOf": [other, {**handler(inner["schema"]), "minItems": 1}]}

    def _check(self, value: object, usual: Callable[[object], Any]) -> Any:
        if not isinstance(value, list):
            return self._other(value)
        if not value:
            raise fault("must not be empty")
        return usual(value)


class NeverNull:
    """For an object that may be left out and never is null."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The schema of the object; a default is not checked."""
        return handler.generate_schema(get_args(source)[0])


class SchedulerWire(Noted):
    """An agent with a job queue."""

    name: Name = Field(description="Name of the scheduler; no other one may have it.")
    weight: PositiveFloat = Field(
        default=1.0, description="Its share of the jobs, in proportion to the others' weights."
    )

    def domain(self) -> Scheduler:
        """The scheduler as the domain has it."""
        return Scheduler(self.name, self.weight, self.notes())


class MachineWire(Noted):
    """A resource of known capacity."""

    name: Name = Field(description="Name of the resource; no other one may have it.")
    capacity: PositiveFloat = Field(description="Units of work it does in a step, at the start.")

    def domain(self) -> Machine:
        """The resource as the domain has it."""
        return Machine(self.name, self.capacity, self.notes())


class DrawnWire(Noted):
    """Resources named r1, r2 and so on, their capacities drawn from the seed."""

    count: Agents = Field(description="How many.")
    capacity: DistributionWire = Field(description="Units of work each does in a step, at the start.")

    def domain(self) -> Drawn:
        """The resources as the domain has them."""
        return Drawn(self.count, self.capacity.domain(), self.notes())


def _without(*keys: str) -> dict[str, Any]:
    """A JSON Schema of objects that have none of the keys."""
    return {"properties": dict.fromkeys(keys, False)}


class JobsWire(Noted):
    """Where jobs come from: drawn from a load and a distribution of lengths, or given by a trace."""

    # Checked on the raw tree (planner.files.crossref_system), where a broken neighbour does not hide it.
    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {"required": ["load", "length"], **_without("trace", "file")},
                {"required": ["trace"], **_without("load", "length", "arrivals")},
                {"required": ["file"], **_without("load", "length", "arrivals")},
            ]
        }
    )

    load: PositiveFloatIfGiven = Field(
        default=None, description="Arriving work as a share of what all resources can do."
    )
    length: Annotated[DistributionWire | None, NeverNull()] = Field(
        default=None, description="Units of work of a job."
    )
    arrivals: Literal["poisson"] = Field(
        default="poisson", description="How many jobs arrive in a step: Poisson with that load."
    )
    trace: Annotated[Columns | None, Rows()] = Field(default=None, description="All jobs, in order of step.")
    file: NameIfGiven = Field(
        default=None,
        description="A CSV file with columns step, scheduler, length, in the folder of this file or below.",
    )

    def drawn(self) -> Arrivals:
        """Jobs that are drawn, as the domain has them; only where load and length are given."""
        if self.load is None or self.length is None:
            raise ValueError("no load or no length")
        return Arrivals(self.load, self.length.domain(), self.notes())


class EventWire(Noted):
    """At the start of a step a resource's capacity changes, or a scheduler crashes."""

    # Checked on the raw tree (planner.files.crossref_system), where a broken neighbour does not hide it.
    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {"required": ["resource", "capacity"]},
                {"required": ["crash"], **_without("resource", "capacity")},
            ]
        }
    )

    step: Step = Field(description="When, before the jobs of the step arrive.")
    resource: NameIfGiven = Field(default=None, description="Name of the resource.")
    capacity: AtLeast0FloatIfGiven = Field(
        default=None, description="Its capacity from then on; 0: it is down."
    )
    crash: NameIfGiven = Field(
        default=None, description=f'Name of the scheduler that is gone from then on, or "{LEARNER}".'
    )

    def domain(self, resources: dict[str, int], schedulers: dict[str, int]) -> Event:
        """The event as the domain has it; resources and schedulers are given with their indices."""
        if self.resource is not None and self.capacity is not None:
            return CapacityChange(self.step, resources[self.resource], self.capacity, self.notes())
        return Crash(self.step, None if self.crash == LEARNER else schedulers[str(self.crash)], self.notes())


def _no_list_of_schedulers(value: object) -> tuple[Scheduler, ...]:
    if isinstance(value, (str, dict, bool)) or value is None:
        raise fault(f"must be a whole number, or a list of schedulers, not {shown(value)}")
    return counted_schedulers(integer(1, MOST_AGENTS)(value))


def _no_list_of_machines(value: object) -> DrawnWire:
    if not isinstance(value, dict):
        raise fault(f"must be an object with count and capacity, or a list of resources, not {shown(value)}")
    return DrawnWire.model_validate(value)


class SystemWire(Noted):
    """A grid to simulate: schedulers send the jobs that arrive to shared FIFO resources, step after step."""

    format: Literal["planner/grid/1"] = Field(description="Name and version of this format.")
    name: Name = Field(description="Name of the system.")
    schedulers: Annotated[
        tuple[Scheduler, ...] | list[SchedulerWire],
        ListOr(SchedulerWire, _no_list_of_schedulers, integer_schema(1, MOST_AGENTS)),
    ] = Field(description="How many (named s1, s2 and so on, all of weight 1), or a list.")
    steps: Steps = Field(description="How many steps to simulate, counted from 0.")
    seed: Seed = Field(default=DEFAULT_SEED, description="Seed of all that is random.")
    resources: Annotated[
        DrawnWire | list[MachineWire], ListOr(MachineWire, _no_list_of_machines, DrawnWire)
    ] = Field(description="How many and of which capacity, or a list.")
    jobs: JobsWire = Field(description="Where jobs come from.")
    events: Annotated[list[EventWire], AnyList] = Field(
        default_factory=list,
        description="What happens on the way, in any order.",
        json_schema_extra={"default": []},
    )

    def domain(self, sha256: str | None, columns: Columns | None, trace_sha256: str | None) -> GridSystem:
        """The system as the domain has it.

        `columns` are the jobs of the trace's own file, if it has one. The hashes are of the files' bytes.
        """
        schedulers = tuple(one.domain() if isinstance(one, SchedulerWire) else one for one in self.schedulers)
        resources = (
            self.resources.domain()
            if isinstance(self.resources, DrawnWire)
            else tuple(machine.domain() for machine in self.resources)
        )
        agents = {scheduler.name: index for index, scheduler in enumerate(schedulers)}
        given = self.jobs.trace if columns is None else columns
        system = GridSystem(
            name=self.name,
            schedulers=schedulers,
            steps=self.steps,
            resources=resources,
            jobs=self.jobs.drawn() if given is None else _trace(given, agents, self.jobs, trace_sha256),
            seed=self.seed,
            notes=self.notes(),
            sha256=sha256,
        )
        if not self.events:
            return system
        machines = {name: index for index, name in enumerate(system.resource_names)}
        return replace(system, events=tuple(event.domain(machines, agents) for event in self.events))


def _trace(columns: Columns, agents: dict[str, int], jobs: JobsWire, sha256: str | None) -> Trace:
    places = (agents[one] if isinstance(one, str) else one for one in columns.schedulers)
    return Trace(
        steps=np.array(columns.steps, dtype=np.int64),
        schedulers=np.fromiter(places, np.int64, len(columns.schedulers)),
        lengths=np.array(columns.lengths, dtype=np.float64),
        notes=jobs.notes(),
        sha256=sha256,
    )
