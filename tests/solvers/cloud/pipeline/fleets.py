"""Fleets written down for the pipeline's tests."""

from __future__ import annotations

from planner.cloud.instance import CloudInstance
from solvers.cloud.pipeline.rented import Rented, possible
from solvers.cloud.ticks import Ticks
from tests.instances import bag, cloud, kind


def fleet(instance: CloudInstance, *vms: tuple[int, dict[int, int]]) -> Rented:
    """The fleet of these VMs, each (type, {class: tasks})."""
    rented = Rented(possible(Ticks.of(instance)))
    for type_index, tasks in vms:
        (v,) = rented.open(type_index)
        for task_class, number in tasks.items():
            rented.give(v, task_class, number)
    return rented


def seconds(rented: Rented) -> list[int]:
    """exec_vm in seconds by VM, longest first."""
    return sorted((int(rented.ticks.seconds(load)) for load in rented.load), reverse=True)


def money(rented: Rented) -> float:
    """The bill in the instance's money."""
    return float(rented.ticks.money(rented.cost))


def coins(rented: Rented, amount: int) -> int:
    """An amount of money in the coins that the pipeline's functions take."""
    return int(amount / rented.ticks.money_per_coin)


def thai(count: int, budget: int) -> CloudInstance:
    """The paper's Table I: three applications, sizes 1 to 5, `count` tasks of each size."""
    applications = [bag(name, *[(size, count) for size in range(1, 6)]) for name in ("A1", "A2", "A3")]
    types = [
        kind("it1", 5, 20, 24, 22),
        kind("it2", 10, 11, 13, 12),
        kind("it3", 10, 10, 15, 9),
        kind("it4", 10, 10, 9, 12),
    ]
    return cloud(applications, types, budget=budget)
