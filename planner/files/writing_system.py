"""Grid systems as dicts, lists, text and numbers; a trace stands in the file itself, wherever it was read."""

from __future__ import annotations

from typing import Any

from planner.files import formats
from planner.files.jsonable import notes_of
from planner.files.wire.system import LEARNER
from planner.grid.distribution import (
    Choices,
    Constant,
    Distribution,
    Exponential,
    Lognormal,
    Normal,
    Uniform,
)
from planner.grid.system import (
    Arrivals,
    CapacityChange,
    Drawn,
    Event,
    GridSystem,
    Machine,
    Scheduler,
    Trace,
    counted_schedulers,
)
from planner.notes import NO_NOTES


def system_tree(system: GridSystem) -> dict[str, Any]:
    """The system as `planner/grid/1`."""
    events = [_event(event, system) for event in system.events]
    return {
        "format": formats.SYSTEM,
        "name": system.name,
        **notes_of(system.notes),
        "schedulers": _schedulers(system.schedulers),
        "steps": system.steps,
        "seed": system.seed,
        "resources": _resources(system.resources),
        "jobs": _trace(system.jobs) if isinstance(system.jobs, Trace) else _arrivals(system.jobs),
        **({"events": events} if events else {}),
    }


def _schedulers(schedulers: tuple[Scheduler, ...]) -> int | list[dict[str, Any]]:
    plain = all(scheduler.notes == NO_NOTES for scheduler in schedulers)
    if plain and schedulers == counted_schedulers(len(schedulers)):
        return len(schedulers)
    return [{"name": one.name, **notes_of(one.notes), "weight": _number(one.weight)} for one in schedulers]


def _resources(resources: Drawn | tuple[Machine, ...]) -> dict[str, Any] | list[dict[str, Any]]:
    if isinstance(resources, Drawn):
        capacity = _distribution(resources.capacity)
        return {"count": resources.count, **notes_of(resources.notes), "capacity": capacity}
    return [{"name": one.name, **notes_of(one.notes), "capacity": _number(one.capacity)} for one in resources]


def _arrivals(jobs: Arrivals) -> dict[str, Any]:
    length = _distribution(jobs.length)
    return {**notes_of(jobs.notes), "load": _number(jobs.load), "length": length, "arrivals": "poisson"}


def _trace(jobs: Trace) -> dict[str, Any]:
    rows = zip(jobs.steps.tolist(), jobs.schedulers.tolist(), jobs.lengths.tolist(), strict=True)
    trace = [
        {"step": step, "scheduler": scheduler, "length": _number(length)} for step, scheduler, length in rows
    ]
    return {**notes_of(jobs.notes), "trace": trace}


def _event(event: Event, system: GridSystem) -> dict[str, Any]:
    if isinstance(event, CapacityChange):
        resource = system.resource_names[event.resource]
        what = {"resource": resource, "capacity": _number(event.capacity)}
    else:
        what = {"crash": LEARNER if event.scheduler is None else system.schedulers[event.scheduler].name}
    return {"step": event.step, **what, **notes_of(event.notes)}


def _distribution(distribution: Distribution) -> dict[str, Any]:
    match distribution:
        case Uniform(low, high):
            return {"uniform": [_number(low), _number(high)]}
        case Normal(location, sd):
            return {"normal": [_number(location), _number(sd)]}
        case Lognormal(mu, sigma):
            return {"lognormal": [_number(mu), _number(sigma)]}
        case Exponential(mean):
            return {"exponential": _number(mean)}
        case Constant(value):
            return {"constant": _number(value)}
        case Choices(values, weights):
            return {"choices": _choices(values, weights)}


def _choices(values: tuple[float, ...], weights: tuple[float, ...]) -> list[Any]:
    if all(weight == 1 for weight in weights):
        return [_number(value) for value in values]
    return [[_number(value), _number(weight)] for value, weight in zip(values, weights, strict=True)]


def _number(value: float) -> int | float:
    """Whole numbers without a point."""
    return int(value) if float(value).is_integer() else float(value)
