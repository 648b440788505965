"""Items become tasks: none lost, none too many, equal VMs kept equal."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from planner.cloud.instance import CloudInstance
from solvers.cloud.columns.filling import Group, fill
from solvers.cloud.columns.leftovers import count_vms, place
from solvers.cloud.columns.market import Column, Market
from solvers.cloud.ticks import Ticks
from tests.instances import bag, cloud, kind


def _market(instance: CloudInstance) -> Market:
    return Market.of_units(Ticks.of(instance, "up", None))


def _sizes(*groups: tuple[int, int]) -> Market:
    return _market(cloud([bag("A", *groups)], [kind("t", 1, 1)]))


def _contents(groups: list[Group]) -> Counter[tuple[int, ...]]:
    found: Counter[tuple[int, ...]] = Counter()
    for group in groups:
        found[tuple(sorted(group.content.items()))] += group.count
    return found


def test_the_level_sinks_evenly() -> None:
    market = _sizes((1, 40), (5, 8))
    groups, left = fill(market, [(Column(0, (20,)), 4)])
    assert left == {}
    assert _contents(groups) == {((0, 10), (1, 2)): 4}


def test_small_wishes_are_met_by_few_large_tasks() -> None:
    market = _sizes((1, 30), (2, 3), (10, 30))
    groups, left = fill(market, [(Column(0, (166,)), 2), (Column(0, (2,)), 2)])
    assert left == {}
    assert sum(group.count for group in groups if group.content == {1: 1}) == 2


def test_what_no_vm_wants_is_left() -> None:
    market = _sizes((1, 2), (3, 4))
    groups, left = fill(market, [(Column(0, (2,)), 7)])
    assert left == {1: 4}
    assert sum(group.count * group.content.get(0, 0) for group in groups) == 2


@pytest.mark.parametrize("seed", range(40))
def test_every_task_is_somewhere(seed: int) -> None:
    rng = random.Random(seed)
    market = _sizes(*((size, rng.randint(1, 300)) for size in sorted(rng.sample(range(1, 12), 3))))
    fleet = [(Column(0, (rng.randint(1, 90),)), rng.randint(1, 40)) for _ in range(4)]
    groups, left = fill(market, fleet)
    assert sum(group.count for group in groups) == sum(count for _, count in fleet)
    for c, tasks in enumerate(market.ticks.counts):
        assert sum(group.count * group.content.get(c, 0) for group in groups) + left.get(c, 0) == tasks
    assert all(group.wants[0] >= 0 and group.count > 0 for group in groups)


# A tick is 100 s in the instances below, the time of their tasks.


def test_leftovers_go_into_paid_time_first() -> None:
    market = _market(cloud([bag("A", (100, 5))], [kind("t", 1, 1), kind("u", 9, 1)]))
    groups, left = [Group(0, 2, [0], {0: 1})], {0: 3}
    assert place(market, 36, groups, left)
    assert not any(left.values())
    vms = count_vms(market.ticks, groups)
    assert {vm.kind for vm in vms} == {0}
    assert vms.total() == 2


def test_leftovers_get_vms_of_their_own_within_the_limits() -> None:
    types = [kind("t", 1, 1, limit=1), kind("u", 9, 1)]
    market = _market(cloud([bag("A", (100, 50))], types))
    groups: list[Group] = []
    assert place(market, 10, groups, {0: 50})
    rented: Counter[int] = Counter()
    for vm, n in count_vms(market.ticks, groups).items():
        rented[vm.kind] += n
    assert rented == {0: 1, 1: 4}


def test_no_place_is_said_so() -> None:
    market = _market(cloud([bag("A", (100, 50))], [kind("t", 1, 1, limit=1)]))
    assert not place(market, 10, [], {0: 50})
    assert not place(market, 0, [], {0: 1})
