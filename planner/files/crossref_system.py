"""What no single value of a grid system shows: names, references, and the order of a trace.

Works on the raw tree and passes over broken parts, so that its faults are told together with all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from planner.files.crossref import objects, repeated_names
from planner.files.faults import did_you_mean
from planner.files.numbers import LARGEST
from planner.files.paths import Location, quoted
from planner.files.wire.distribution import NAMES
from planner.files.wire.system import LEARNER, MOST_AGENTS

_DRAWN = ("load", "length", "arrivals")


def system_faults(tree: object) -> Iterator[tuple[Location, str]]:
    """Yield what is wrong between the values of a `planner/grid/1` tree, with its location."""
    if not isinstance(tree, dict):
        return
    resources, jobs = tree.get("resources"), tree.get("jobs")
    yield from repeated_names("schedulers", objects(tree, "schedulers"))
    yield from repeated_names("resources", objects(tree, "resources"))
    for index, scheduler in objects(tree, "schedulers"):
        if scheduler.get("name") == LEARNER:
            text = f"{quoted(LEARNER)} stands for the learning scheduler in events; choose another name"
            yield ("schedulers", index, "name"), text
    if isinstance(resources, dict):
        yield from _one_kind(("resources", "capacity"), resources.get("capacity"))
    if isinstance(jobs, dict):
        yield from _one_source(jobs)
        yield from _one_kind(("jobs", "length"), jobs.get("length"))
    agents = scheduler_names(tree)
    rows = (
        (("jobs", "trace", index), row.get("step"), row.get("scheduler"))
        for index, row in objects(jobs, "trace")
    )
    yield from trace_faults(rows, steps_of(tree), agents)
    yield from _event_faults(tree, agents)


def steps_of(tree: Mapping[str, object]) -> int | None:
    """How many steps the system has; None where that is broken."""
    return _whole(tree.get("steps")) or None


def scheduler_names(tree: Mapping[str, object]) -> dict[str, int] | None:
    """The schedulers' names with their indices; None where some of them are broken."""
    return _names(tree.get("schedulers"), "s")


def trace_faults(
    rows: Iterable[tuple[Location, object, object]], steps: int | None, agents: Mapping[str, int] | None
) -> Iterator[tuple[Location, str]]:
    """Yield what is wrong with steps and schedulers of jobs; values of wrong types are passed over.

    `rows` have a location, the step and the scheduler. None for `steps` or `agents`: not known.
    """
    before = 0
    for location, given, scheduler in rows:
        step = given if type(given) is int else _whole(given)
        if step is not None:
            if steps is not None and step >= steps:
                yield (*location, "step"), _past_the_end(step, steps)
            elif step < before:
                text = f"step {step} comes after step {before}; jobs must stand in the order of their steps"
                yield (*location, "step"), text
            before = step
        if agents is None:
            continue
        index = scheduler if type(scheduler) is int else _whole(scheduler)
        if index is not None and index >= len(agents):
            last = len(agents) - 1
            yield (*location, "scheduler"), f"there is no scheduler {index}; indices are 0 to {last}"
        elif isinstance(scheduler, str) and scheduler not in agents:
            hint = "; leave out the quotes" if scheduler.isdecimal() else did_you_mean(scheduler, agents)
            yield (*location, "scheduler"), f"there is no scheduler {quoted(scheduler)}{hint}"


def _past_the_end(step: int, steps: int) -> str:
    return f"step {step} is past the end: the system has {steps} steps, 0 to {steps - 1}"


def _one_kind(location: Location, distribution: object) -> Iterator[tuple[Location, str]]:
    if not isinstance(distribution, dict):
        return
    given = [name for name in NAMES if name in distribution]
    if not given:
        yield location, f"needs one of {', '.join(NAMES)}"
    elif len(given) > 1:
        yield location, f"has both {' and '.join(given)}; give one of them"


def _one_source(jobs: Mapping[str, object]) -> Iterator[tuple[Location, str]]:
    drawn = [key for key in _DRAWN if key in jobs]
    given = [*drawn[:1], *(key for key in ("trace", "file") if key in jobs)]
    if len(given) > 1:
        yield ("jobs",), f"has both {' and '.join(given)}; give load and length, or a trace, or a file"
    elif not given:
        yield ("jobs",), "needs load and length, or a trace, or a file"
    elif drawn:
        for key in ("load", "length"):
            if key not in jobs:
                yield ("jobs", key), "is missing"


def _event_faults(
    tree: Mapping[str, object], agents: Mapping[str, int] | None
) -> Iterator[tuple[Location, str]]:
    resources = tree.get("resources")
    machines = _names(resources.get("count") if isinstance(resources, dict) else resources, "r")
    steps = steps_of(tree)
    for index, event in objects(tree, "events"):
        location: Location = ("events", index)
        step = _whole(event.get("step"))
        if step is not None and steps is not None and step >= steps:
            yield (*location, "step"), _past_the_end(step, steps)
        yield from _one_happening(location, event)
        resource, crash = event.get("resource"), event.get("crash")
        if isinstance(resource, str) and resource and machines is not None and resource not in machines:
            guess = did_you_mean(resource, machines)
            yield (*location, "resource"), f"there is no resource {quoted(resource)}{guess}"
        if isinstance(crash, str) and crash and agents is not None and crash not in (*agents, LEARNER):
            guess = did_you_mean(crash, [LEARNER, *agents])
            yield (*location, "crash"), f"there is no scheduler {quoted(crash)}{guess}"


def _one_happening(location: Location, event: Mapping[str, object]) -> Iterator[tuple[Location, str]]:
    change = [key for key in ("resource", "capacity") if key in event]
    if change and "crash" in event:
        yield location, f"has both {change[0]} and crash; give one event for each"
    elif not change and "crash" not in event:
        yield location, "needs resource and capacity, or crash"
    elif len(change) == 1:
        yield (*location, "capacity" if change == ["resource"] else "resource"), "is missing"


def _names(given: object, letter: str) -> dict[str, int] | None:
    """The names in a list of objects, or under a count, with their indices; None where some are broken."""
    count = _whole(given)
    if count is not None:
        return (
            {f"{letter}{number + 1}": number for number in range(count)} if 0 < count <= MOST_AGENTS else None
        )
    if not isinstance(given, list) or not given:
        return None
    names: dict[str, int] = {}
    for index, entry in enumerate(given):
        name = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(name, str):
            return None
        names.setdefault(name, index)
    return names


def _whole(value: object) -> int | None:
    """The value as a whole number that is at least 0; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or not 0 <= value <= LARGEST:
        return None
    return int(value) if value == int(value) else None
