"""What no single value shows: unique names and ids, count or ids, a speed for each application on each type.

Works on the raw tree and passes over broken parts, so that its faults are told together with all others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planner.files.faults import did_you_mean
from planner.files.paths import Location, quoted, where


def instance_faults(tree: object) -> Iterator[tuple[Location, str]]:
    """Yield what is wrong between the values of a `planner/cloud/1` tree, with its location."""
    applications = objects(tree, "applications")
    types = objects(tree, "instance_types")
    yield from repeated_names("applications", applications)
    yield from repeated_names("instance_types", types)
    for index, application in applications:
        yield from _count_or_ids(("applications", index), application)
        yield from _repeated_ids(("applications", index), application)
    names = {entry["name"]: None for _, entry in applications if isinstance(entry.get("name"), str)}
    # With an application whose name cannot be read, nothing is known to be a reference to nothing.
    complete = bool(names) and len(_list(tree, "applications")) == sum(
        isinstance(entry.get("name"), str) for _, entry in applications
    )
    for index, instance_type in types:
        speeds = instance_type.get("seconds_per_unit")
        if not isinstance(speeds, dict):
            continue
        location: Location = ("instance_types", index, "seconds_per_unit")
        for name in names:
            if name not in speeds:
                yield (*location, name), "is missing; write null if the type cannot run this application"
        if complete:
            for name in speeds:
                if name not in names:
                    unused = [other for other in names if other not in speeds]
                    guess = did_you_mean(name, unused) or did_you_mean(name, names)
                    yield (*location, name), f"there is no application {quoted(name)}{guess}"


def plan_faults(tree: object, location: Location = ()) -> Iterator[tuple[Location, str]]:
    """Yield what is wrong between the values of a `planner/cloud-plan/1` tree that stands at `location`."""
    for index, vm in objects(tree, "vms"):
        yield from _count_or_ids((*location, "vms", index), vm)


def step_faults(tree: object) -> Iterator[tuple[Location, str]]:
    """Yield what is wrong between the values of a `planner/grid-step/1` tree."""
    yield from repeated_names("resources", objects(tree, "resources"))
    yield from repeated_names("jobs", objects(tree, "jobs"))


def _count_or_ids(location: Location, holder: dict[str, Any]) -> Iterator[tuple[Location, str]]:
    for index, entry in objects(holder, "tasks"):
        if "count" in entry and "ids" in entry:
            yield (*location, "tasks", index), "has both count and ids; give one of them"
        elif "count" not in entry and "ids" not in entry:
            yield (*location, "tasks", index), "needs a count, or ids"


def _list(tree: object, key: str) -> list[Any]:
    entries = tree.get(key) if isinstance(tree, dict) else None
    return entries if isinstance(entries, list) else []


def objects(tree: object, key: str) -> list[tuple[int, dict[str, Any]]]:
    """The objects in the list at that key, with their indices."""
    return [(index, entry) for index, entry in enumerate(_list(tree, key)) if isinstance(entry, dict)]


def repeated_names(key: str, entries: list[tuple[int, dict[str, Any]]]) -> Iterator[tuple[Location, str]]:
    """Yield the names in the list at that key that an earlier entry has."""
    first: dict[str, int] = {}
    for index, entry in entries:
        name = entry.get("name")
        if isinstance(name, str) and first.setdefault(name, index) != index:
            yield (key, index, "name"), f"{quoted(name)} is already the name of {key}[{first[name]}]"


def _repeated_ids(location: Location, application: dict[str, Any]) -> Iterator[tuple[Location, str]]:
    first: dict[str, tuple[int, int]] = {}
    for group, entry in objects(application, "tasks"):
        for index, task in enumerate(_list(entry, "ids")):
            if isinstance(task, str) and first.setdefault(task, (group, index)) != (group, index):
                other = (*location, "tasks", first[task][0], "ids", first[task][1])
                yield (*location, "tasks", group, "ids", index), f"{quoted(task)} is already {where(other)}"
