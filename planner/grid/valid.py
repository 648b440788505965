"""Whether a grid step or system that was made in memory can be one: what its reader refuses in a file.

They are plain data, so anything can stand in them, and `dataclasses.replace` asks nobody.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from numbers import Integral, Real

import numpy as np

from planner.errors import Fault, InputError
from planner.grid.distribution import Choices, Constant, Exponential, Lognormal, Normal, Uniform
from planner.grid.step import GridStep
from planner.grid.system import Arrivals, CapacityChange, Drawn, GridSystem, Trace


def refuse_impossible_step(step: GridStep) -> None:
    """Raise `InputError` with all that is wrong with the step, each with its place."""
    _refuse(step.name, _step_faults(step))


def refuse_impossible_system(system: GridSystem) -> None:
    """Raise `InputError` with all that is wrong with the system, each with its place."""
    _refuse(system.name, _system_faults(system))


def _refuse(name: object, faults: Iterator[Fault]) -> None:
    found = list(faults)
    if found:
        raise InputError(str(name), found)


def _step_faults(step: GridStep) -> Iterator[Fault]:
    if not step.resources:
        yield Fault("resources", "is empty; at least one is needed")
    for i, resource in enumerate(step.resources):
        yield from _exact(f"resources[{i}].capacity", resource.capacity, positive=True)
        yield from _exact(f"resources[{i}].backlog", resource.backlog)
        if resource.utility is not None:
            yield from _exact(f"resources[{i}].utility", resource.utility, least=None)
    for j, job in enumerate(step.jobs):
        yield from _exact(f"jobs[{j}].length", job.length, positive=True)
    yield from _names("resources", [resource.name for resource in step.resources])
    yield from _names("jobs", [job.name for job in step.jobs])
    limit = step.max_jobs_per_resource
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        yield Fault("max_jobs_per_resource", f"must be a whole number that is at least 1, not {limit!r}")


def _system_faults(system: GridSystem) -> Iterator[Fault]:
    if not system.schedulers:
        yield Fault("schedulers", "is empty; at least one is needed")
    yield from _whole("steps", system.steps, 1, math.inf)
    yield from _names("schedulers", [scheduler.name for scheduler in system.schedulers])
    for a, scheduler in enumerate(system.schedulers):
        yield from _double(f"schedulers[{a}].weight", scheduler.weight, positive=True)
    resources = system.resources
    if isinstance(resources, Drawn):
        yield from _whole("resources.count", resources.count, 1, math.inf)
        yield from _distribution("resources.capacity", resources.capacity)
        count = resources.count if isinstance(resources.count, int) else 0
    else:
        count = len(resources)
        if not count:
            yield Fault("resources", "is empty; at least one is needed")
        yield from _names("resources", [machine.name for machine in resources])
        for i, machine in enumerate(resources):
            yield from _double(f"resources[{i}].capacity", machine.capacity, positive=True)
    if isinstance(system.jobs, Arrivals):
        yield from _double("jobs.load", system.jobs.load, positive=True)
        yield from _distribution("jobs.length", system.jobs.length)
    else:
        yield from _trace(system, system.jobs)
    for e, event in enumerate(system.events):
        yield from _whole(f"events[{e}].step", event.step, 0, system.steps - 1)
        if isinstance(event, CapacityChange):
            yield from _whole(f"events[{e}].resource", event.resource, 0, count - 1)
            yield from _double(f"events[{e}].capacity", event.capacity)
        elif event.scheduler is not None:
            yield from _whole(f"events[{e}].crash", event.scheduler, 0, len(system.schedulers) - 1)


def _trace(system: GridSystem, trace: Trace) -> Iterator[Fault]:
    steps, schedulers, lengths = trace.steps, trace.schedulers, trace.lengths
    if not steps.size == schedulers.size == lengths.size:
        yield Fault("jobs.trace", "steps, schedulers and lengths are not of one size")
        return
    if not steps.size:
        yield Fault("jobs.trace", "must not be empty: a system without jobs has nothing to simulate")
        return
    if (np.diff(steps) < 0).any():
        yield Fault("jobs.trace", "jobs must stand in the order of their steps")
    if steps.min() < 0 or steps.max() >= system.steps:
        yield Fault("jobs.trace", f"steps must be from 0 to {system.steps - 1}")
    if schedulers.min() < 0 or schedulers.max() >= len(system.schedulers):
        yield Fault("jobs.trace", f"schedulers must be indices from 0 to {len(system.schedulers) - 1}")
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        yield Fault("jobs.trace", "lengths must be numbers greater than 0")


def _distribution(place: str, given: object) -> Iterator[Fault]:
    match given:
        case Uniform(low, high):
            yield from _double(place, low)
            yield from _double(place, high, positive=True)
            if _is_number(low) and _is_number(high) and low > high:
                yield Fault(place, f"from {low!r} to {high!r} is upside down")
        case Normal(location, sd):
            yield from _double(place, location, positive=True)
            yield from _double(place, sd, positive=True)
        case Lognormal(mu, sigma):
            if not (_is_number(mu) and abs(mu) <= 100 and _is_number(sigma) and 0 <= sigma <= 10):
                yield Fault(place, "mu must be within 100 of 0, and sigma from 0 to 10")
        case Exponential(mean):
            yield from _double(place, mean, positive=True)
        case Constant(value):
            yield from _double(place, value, positive=True)
        case Choices(values, weights):
            if not values or len(values) != len(weights):
                yield Fault(place, "needs values, and a weight for each of them")
            for value in (*values, *weights):
                yield from _double(place, value, positive=True)
        case _:
            yield Fault(place, f"must be a distribution, not {type(given).__name__}")


def _exact(place: str, value: object, *, positive: bool = False, least: int | None = 0) -> Iterator[Fault]:
    if isinstance(value, bool) or not isinstance(value, Fraction | int):
        yield Fault(place, f"must be an exact number, Fraction or int, not {type(value).__name__}")
    elif least is not None and (value < least or (positive and value == least)):
        yield Fault(place, f"must be {'greater than' if positive else 'at least'} {least}, not {value}")


def _double(place: str, value: object, *, positive: bool = False) -> Iterator[Fault]:
    if not _is_number(value):
        yield Fault(place, f"must be a finite number, not {value!r}")
    elif value < 0 or (positive and value == 0):  # type: ignore[operator]
        yield Fault(place, f"must be {'greater than' if positive else 'at least'} 0, not {value!r}")


def _is_number(value: object) -> bool:
    return type(value) is not bool and isinstance(value, Real) and math.isfinite(value)


def _whole(place: str, value: object, low: int, high: float) -> Iterator[Fault]:
    if isinstance(value, bool) or not isinstance(value, Integral):
        yield Fault(place, f"must be a whole number, not {value!r}")
    elif not low <= int(value) <= high:
        upper = f" to {high}" if math.isfinite(high) else " on"
        yield Fault(place, f"must be from {low}{upper}, not {value!r}")


def _names(place: str, names: Iterable[object]) -> Iterator[Fault]:
    seen: set[object] = set()
    for index, name in enumerate(names):
        if not isinstance(name, str) or not name:
            yield Fault(f"{place}[{index}].name", f"must be text that is not empty, not {name!r}")
        elif name in seen:
            yield Fault(f"{place}[{index}].name", f"{name!r} is a name twice")
        seen.add(name)
