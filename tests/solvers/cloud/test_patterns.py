"""Maximal contents, and covering all tasks with them."""

from __future__ import annotations

from itertools import product

import pytest

from planner.cloud.checker import check
from planner.solver import Effort
from solvers.cloud import fleet, patterns
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.patterns import Pattern, cover, enumerate_patterns
from solvers.cloud.ticks import Ticks
from solvers.cpsat import Outcome
from tests.brute_force import truth
from tests.instances import bag, cloud, kind, random_instance


def test_patterns_are_the_contents_nothing_can_be_added_to() -> None:
    # By 10 s: 7 + 3, 6 + 4, 4 + 3; what is left of 6 + 3 is too short for 4.
    ticks = Ticks.of(cloud([bag("A", (3, 1), (4, 1), (6, 1), (7, 1))], [kind("t", 1, 1)]))
    found = enumerate_patterns(ticks, 10)
    assert found is not None
    assert {(p.kind, p.quanta) for p in found} == {(0, 1)}
    assert sorted(p.content for p in found) == [(0, 1, 1, 0), (1, 0, 0, 1), (1, 0, 1, 0), (1, 1, 0, 0)]


def test_each_number_of_quanta_has_its_own() -> None:
    ticks = Ticks.of(cloud([bag("A", (5, 9))], [kind("t", 1, 1, startup=5), kind("free", 0, 1)], quantum=10))
    found = enumerate_patterns(ticks, 5)  # 25 s, in ticks of 5 s
    assert found == [Pattern(0, 1, (1,)), Pattern(0, 2, (3,)), Pattern(0, 3, (4,)), Pattern(1, 3, (5,))]


@pytest.mark.parametrize("limit", ["MOST_PATTERNS", "MOST_STEPS"])
def test_too_many_are_not_enumerated(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    ticks = Ticks.of(cloud([bag("A", *[(size, 9) for size in range(1, 9)])], [kind("t", 1, 1)]))
    assert enumerate_patterns(ticks, 20) is not None
    monkeypatch.setattr(patterns, limit, 50)
    assert enumerate_patterns(ticks, 20) is None


@pytest.mark.parametrize("seed", range(60))
def test_they_are_all_maximal_contents_and_no_others(seed: int) -> None:
    ticks = Ticks.of(random_instance(seed, most_tasks=5))
    makespan = max(
        (ticks.startup[t] + (time or 0) for t in ticks.types for time in ticks.times[t]), default=1
    )
    found = enumerate_patterns(ticks, makespan)
    assert found is not None
    groups = sorted({(pattern.kind, pattern.quanta) for pattern in found})
    for t, quanta in groups[:6] + groups[-6:]:
        room = min(makespan, quanta * ticks.quantum) - ticks.startup[t]
        own = [pattern.content for pattern in found if (pattern.kind, pattern.quanta) == (t, quanta)]
        assert sorted(own) == _maximal_contents(ticks.times[t], ticks.counts, room)


def _maximal_contents(
    times: tuple[int | None, ...], counts: tuple[int, ...], room: int
) -> list[tuple[int, ...]]:
    able = [range(n + 1) if time is not None else range(1) for n, time in zip(counts, times, strict=True)]
    fitting = {
        content
        for content in product(*able)
        if sum(n * (time or 0) for n, time in zip(content, times, strict=True)) <= room
    }
    one_more = [tuple(int(c == d) for d in range(len(counts))) for c in range(len(counts))]
    return sorted(
        content
        for content in fitting
        if not any(tuple(map(sum, zip(content, more, strict=True))) in fitting for more in one_more)
    )


def test_surplus_tasks_are_taken_out_again() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 3))], [kind("t", 1, 1)]))
    covered = cover(ticks, [Pattern(0, 1, (2,))], Effort(), None, None)
    assert covered.vms is not None
    assert sorted(covered.vms) == [LoadedVM(0, (1,)), LoadedVM(0, (2,))]


def test_budget_and_limits_bind() -> None:
    instance = cloud([bag("A", (1, 4))], [kind("t", 2, 1, limit=1), kind("u", 3, 1)], max_vms=3)
    ticks = Ticks.of(instance)
    found = [Pattern(0, 1, (2,)), Pattern(1, 1, (2,))]
    assert cover(ticks, found, Effort(), 5, None).vms is not None
    assert cover(ticks, found, Effort(), 4, None).outcome is Outcome.INFEASIBLE
    assert cover(ticks, found[:1], Effort(), None, None).outcome is Outcome.INFEASIBLE
    one_task = [Pattern(1, 1, (1,))]
    assert cover(ticks, one_task, Effort(), None, None).outcome is Outcome.INFEASIBLE


def test_bills_beyond_what_can_be_counted_leave_it_open() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 4))], [kind("t", 1, 1)]))
    assert cover(ticks, [Pattern(0, 2**60, (2,))], Effort(), 2**61, None).outcome is Outcome.UNKNOWN


@pytest.mark.parametrize("seed", range(60))
def test_covering_decides_as_the_brute_force_does(seed: int) -> None:
    instance = random_instance(seed)
    ticks, optimum = Ticks.of(instance), truth(instance).optimum(instance.budget)
    if optimum is None:
        return
    makespan = int(optimum[0] / ticks.seconds_per_tick)
    at, below = enumerate_patterns(ticks, makespan), enumerate_patterns(ticks, makespan - 1)
    assert at is not None
    assert below is not None
    covered = cover(ticks, at, Effort(), ticks.budget, None)
    assert covered.vms is not None
    verdict = check(instance, fleet.plan(ticks, covered.vms))
    assert (verdict.valid, verdict.makespan) == (True, optimum[0])
    assert cover(ticks, below, Effort(), ticks.budget, None).outcome is Outcome.INFEASIBLE
