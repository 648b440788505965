"""What is legal in an instance or system and yet most likely not meant."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.cloud.instance import CloudInstance
from planner.errors import Fault
from planner.files.paths import quoted
from planner.grid.step import GridStep
from planner.kinds import Instance

if TYPE_CHECKING:
    from planner.grid.system import GridSystem


def warnings(instance: Instance | GridSystem) -> tuple[Fault, ...]:
    """Things worth a second look, each with its path; none of them keeps the work from being done."""
    if isinstance(instance, CloudInstance):
        return (*_types(instance), *_applications(instance))
    return tuple(_step(instance) if isinstance(instance, GridStep) else _system(instance))


def _types(instance: CloudInstance) -> list[Fault]:
    found: list[Fault] = []
    first: dict[tuple[Fraction, tuple[Fraction | None, ...]], int] = {}
    for index, kind in enumerate(instance.instance_types):
        place = f"instance_types[{index}]"
        twin = first.setdefault((kind.price, kind.seconds_per_unit), index)
        if twin != index:
            other = instance.instance_types[twin].name
            text = f"{quoted(kind.name)} has the same price and speeds as {quoted(other)}"
            found.append(Fault(place, f"{text}; the paper's equation (1) wants types to differ"))
        if all(speed is None for speed in kind.seconds_per_unit):
            found.append(
                Fault(f"{place}.seconds_per_unit", f"{quoted(kind.name)} cannot run any application")
            )
        if not kind.price and not kind.fee and kind.max_instances is None:
            text = f"{quoted(kind.name)} is free and unlimited: a plan may rent one for every task"
            found.append(Fault(place, f"{text}; if you own some of them, say how many in max_instances"))
        if kind.max_instances == 0:
            found.append(Fault(f"{place}.max_instances", f"{quoted(kind.name)} can never be rented"))
        startup = instance.startup_of(kind)
        if instance.deadline is not None and startup >= instance.deadline:
            text = f"{quoted(kind.name)} is not ready before the deadline"
            found.append(Fault(place, text))
    return found


def _applications(instance: CloudInstance) -> list[Fault]:
    found: list[Fault] = []
    for index, application in enumerate(instance.applications):
        if all(kind.seconds_per_unit[index] is None for kind in instance.instance_types):
            text = f"no instance type can run {quoted(application.name)}: no plan exists"
            found.append(Fault(f"applications[{index}]", text))
    return found


def _step(step: GridStep) -> list[Fault]:
    places = step.places
    if places is None or len(step.jobs) <= places:
        return []
    text = f"{len(step.jobs)} jobs, and places for {places} only: no plan exists"
    return [Fault("max_jobs_per_resource", text)]


def _system(system: GridSystem) -> list[Fault]:
    load = getattr(system.jobs, "load", 0)
    if load < 1:
        return []
    text = f"{load:g} is more work than the resources can do: no policy is stable, and queues grow for ever"
    return [Fault("jobs.load", text)]
