"""Heaps with outdated entries: those are dropped, the VM that is left out stays."""

from __future__ import annotations

from solvers.cloud.pipeline.lazyheap import first_other
from tests.instances import bag, cloud, kind
from tests.solvers.cloud.pipeline.fleets import fleet

INSTANCE = cloud([bag("A", (1, 9))], [kind("t", 1, 1)])


def test_outdated_entries_go_and_the_one_left_out_stays() -> None:
    rented = fleet(INSTANCE, (0, {0: 1}), (0, {0: 2}), (0, {0: 3}), (0, {}))
    one, two, three, none = rented.load
    heap = [(none, 3), (one, 1), (one, 0), (two, 1), (three, 2)]
    assert first_other(heap, rented) == (none, 3)
    assert first_other(heap, rented, used=True) == (one, 0)
    assert (none, 3) not in heap
    assert first_other(heap, rented, but=0) == (two, 1)
    assert sorted(heap) == sorted([(one, 0), (two, 1), (three, 2)])


def test_none_is_left() -> None:
    rented = fleet(INSTANCE, (0, {0: 1}))
    assert first_other([], rented) is None
    assert first_other([(rented.load[0], 0)], rented, but=0) is None
