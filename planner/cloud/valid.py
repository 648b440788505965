"""Whether an instance that was made in memory can be one: what its reader refuses in a file.

Instances are plain data, so anything can stand in them, and `dataclasses.replace` asks nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from planner.cloud.instance import CloudInstance
from planner.errors import Fault, InputError


def refuse_impossible(instance: CloudInstance) -> None:
    """Raise `InputError` with all that is wrong with the instance, each with its place."""
    faults = list(_faults(instance))
    if faults:
        raise InputError(str(instance.name), faults)


def _faults(instance: CloudInstance) -> Iterator[Fault]:
    for name in ("applications", "instance_types"):
        if not getattr(instance, name):
            yield Fault(name, "is empty; at least one is needed")
    for name in ("budget", "deadline"):
        if getattr(instance, name) is not None:
            yield from _amount(name, getattr(instance, name))
    yield from _count("max_vms", instance.max_vms)
    yield from _amount("startup", instance.startup)
    yield from _amount("billing.quantum", instance.billing.quantum, positive=True)
    yield from _amount("billing.minimum", instance.billing.minimum)
    for a, application in enumerate(instance.applications):
        for g, group in enumerate(application.tasks):
            place = f"applications[{a}].tasks[{g}]"
            yield from _amount(f"{place}.size", group.size, positive=True)
            yield from _count(f"{place}.count", group.count)
            if group.ids and len(group.ids) != group.count:
                yield Fault(f"{place}.ids", f"names {len(group.ids)} tasks, of which there are {group.count}")
    for t, item in enumerate(instance.instance_types):
        place = f"instance_types[{t}]"
        yield from _amount(f"{place}.price", item.price)
        yield from _amount(f"{place}.fee", item.fee)
        yield from _count(f"{place}.max_instances", item.max_instances)
        if item.startup is not None:
            yield from _amount(f"{place}.startup", item.startup)
        if len(item.seconds_per_unit) != len(instance.applications):
            has, needs = len(item.seconds_per_unit), len(instance.applications)
            yield Fault(f"{place}.seconds_per_unit", f"has {has} entries for {needs} applications")
        for a, speed in enumerate(item.seconds_per_unit):
            if speed is not None:
                yield from _amount(f"{place}.seconds_per_unit[{a}]", speed)


def _amount(place: str, value: object, *, positive: bool = False) -> Iterator[Fault]:
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        yield Fault(place, f"must be an exact number, a Fraction or an int, not {value!r}")
    elif value < 0 or (positive and not value):
        yield Fault(place, f"must be {'more than 0' if positive else 'at least 0'}, not {value}")


def _count(place: str, value: object) -> Iterator[Fault]:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        yield Fault(place, f"must be a whole number, not {value!r}")
    elif value < 0:
        yield Fault(place, f"must be at least 0, not {value}")
