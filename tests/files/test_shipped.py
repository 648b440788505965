"""Every shipped instance loads without a warning, and the hand-solved ones are solved right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from pathlib import Path

import pytest

from planner import files
from planner.cloud.instance import CloudInstance, classes

CLOUD = Path(__file__).parents[2] / "instances" / "cloud"
BUDGETS = list(range(40, 90, 5))
TINY = files.find_instances([CLOUD / "tiny"])

State = tuple[tuple[int, Fraction], ...]


@pytest.mark.parametrize(
    "path", files.find_instances([CLOUD]), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_it_loads_and_says_where_it_comes_from(path: Path) -> None:
    instance = files.read(path)
    assert files.warnings(instance) == ()
    assert instance.notes.source
    assert instance.notes.description


@pytest.mark.parametrize(("family", "each"), [("thai2015", 50), ("thai2015-160", 32)])
def test_the_papers_instances_are_table_1(family: str, each: int) -> None:
    paths = files.find_instances([CLOUD / family])
    assert [path.name for path in paths] == [f"b{budget}.json" for budget in BUDGETS]
    for budget, instance in zip(BUDGETS, map(files.read, paths), strict=True):
        assert instance.name == f"{family}-b{budget}"
        assert instance.budget == budget
        assert list(classes(instance)) == [(a, size, each) for a in range(3) for size in range(1, 6)]
        assert instance.startup == 0
        assert (instance.billing.quantum, instance.billing.minimum) == (3600, 0)
        assert {kind.name: (kind.price, kind.seconds_per_unit) for kind in instance.instance_types} == {
            "it1": (5, (20, 24, 22)),
            "it2": (10, (11, 13, 12)),
            "it3": (10, (10, 15, 9)),
            "it4": (10, (10, 9, 12)),
        }


@pytest.mark.parametrize("path", TINY, ids=lambda path: path.stem)
def test_hand_solved_instances_are_solved_right(path: Path) -> None:
    instance = files.read(path)
    assert instance.name == path.stem
    meta = instance.notes.meta
    if "least_budget" in meta:
        least = exactly(meta["least_budget"])
        assert meta["infeasible"] is True
        assert best(instance, instance.budget) is None
        assert best(instance, least - Fraction(1, 10**9)) is None
        assert best(instance, least) is not None
    else:
        optimum = meta["optimum"]
        assert isinstance(optimum, dict)
        found = best(instance, instance.budget)
        assert found == (exactly(optimum["makespan"]), exactly(optimum["cost"]))


def exactly(number: object) -> Fraction:
    return Fraction(str(number))


def best(instance: CloudInstance, budget: Fraction | None) -> tuple[Fraction, Fraction] | None:
    """Least makespan, then least cost, by trying every way to put one task after another on VMs."""
    states: set[State] = {()}
    for index, application in enumerate(instance.applications):
        for size in [group.size for group in application.tasks for _ in range(group.count)]:
            states = {new for state in states for new in successors(instance, budget, state, index, size)}
    return min(((max(load for _, load in state), cost(instance, state)) for state in states), default=None)


def successors(
    instance: CloudInstance, budget: Fraction | None, state: State, application: int, size: Fraction
) -> Iterator[State]:
    rented = Counter(kind for kind, _ in state)
    for kind, instance_type in enumerate(instance.instance_types):
        speed = instance_type.seconds_per_unit[application]
        if speed is None:
            continue
        for place, (used, load) in enumerate(state):
            if used == kind:
                grown = (*state[:place], (kind, load + speed * size), *state[place + 1 :])
                yield from allowed(instance, budget, grown)
        limit = instance_type.max_instances
        if (limit is None or rented[kind] < limit) and (
            instance.max_vms is None or len(state) < instance.max_vms
        ):
            yield from allowed(
                instance, budget, (*state, (kind, instance.startup_of(instance_type) + speed * size))
            )


def allowed(instance: CloudInstance, budget: Fraction | None, state: State) -> Iterator[State]:
    in_time = instance.deadline is None or max(load for _, load in state) <= instance.deadline
    if in_time and (budget is None or cost(instance, state) <= budget):
        yield tuple(sorted(state))


def cost(instance: CloudInstance, state: State) -> Fraction:
    total = Fraction(0)
    for kind, load in state:
        instance_type, billing = instance.instance_types[kind], instance.billing
        seconds = billing.quantum * ceil(max(load, billing.minimum) / billing.quantum)
        total += seconds * instance_type.price / 3600 + instance_type.fee
    return total
