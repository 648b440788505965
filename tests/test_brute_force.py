"""The brute force itself: against arithmetic by hand, and against a simpler enumeration with the checker."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product

import pytest

from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from tests.brute_force import truth
from tests.instances import bag, cloud, kind, random_instance


def test_the_front_of_the_papers_example_is_one_plan_for_each_number_of_machines() -> None:
    instance = cloud([bag("A1", (1, 10))], [kind("it1", 2, 8), kind("it2", 1, 10)], max_vms=3)
    # 1 it2: 100 s; 2 it2: 5 + 5 tasks; 3 it2: 4 + 3 + 3; 2 it2 + 1 it1: 3 + 3 + 4 tasks; 3 it1: 4 + 3 + 3
    assert truth(instance).front == ((32, 4), (40, 3), (50, 2), (100, 1))
    assert truth(instance).optimum(Fraction(5, 2)) == (50, 2)
    assert truth(instance).least_budget == 1


def test_nothing_within_the_limits_is_an_empty_front() -> None:
    found = truth(cloud([bag("A", (1, 1))], [kind("t", 1, 10, limit=0)]))
    assert (found.front, found.optimum(None), found.least_budget) == ((), None, None)


@pytest.mark.parametrize("seed", range(40))
def test_it_agrees_with_the_checker_over_all_ways_to_place_each_task(seed: int) -> None:
    instance = random_instance(seed, most_tasks=3)
    worths = [
        (verdict.makespan, verdict.cost)
        for plan in _plans(instance)
        if (verdict := check(instance, plan)).valid
    ]
    assert truth(instance).optimum(instance.budget) == min(worths, default=None)


def _plans(instance: CloudInstance) -> list[CloudPlan]:
    """Every way to put each task on one of as many VMs of each type as there are tasks."""
    tasks = [
        (application.name, group.size)
        for application in instance.applications
        for group in application.tasks
        for _ in range(group.count)
    ]
    slots = [(item.name, number) for item in instance.instance_types for number in range(len(tasks))]
    plans = []
    for places in product(slots, repeat=len(tasks)):
        contents: dict[tuple[str, int], list[PlannedTasks]] = defaultdict(list)
        for place, (name, size) in zip(places, tasks, strict=True):
            contents[place].append(PlannedTasks(name, size, 1))
        vms = tuple(PlannedVM(name, tuple(own)) for (name, _), own in contents.items())
        plans.append(CloudPlan(instance.name, vms))
    return plans
