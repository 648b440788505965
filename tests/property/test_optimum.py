"""Exact, compact and brute force agree on small instances over everything the model has."""

from __future__ import annotations

import pytest

import planner
from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.result import Result, Status, StoppedBy
from tests.brute_force import Worth, truth
from tests.instances import random_instance

SLOW_FROM = 100_000


def _worth(instance: CloudInstance, result: Result) -> Worth | None:
    """Makespan and cost of the plan, which must be proven in both; None where infeasibility is proven."""
    if result.status is Status.INFEASIBLE:
        assert result.message
        return None
    assert (result.status, result.tiebreak_proven) == (Status.OPTIMAL, True)
    assert result.plan is not None
    assert check(instance, result.plan).valid
    assert result.makespan is not None
    assert result.cost is not None
    return result.makespan, result.cost


@pytest.mark.parametrize("seed", range(300))
def test_exact_compact_and_brute_force_agree(seed: int) -> None:
    instance = random_instance(seed)
    optimum = truth(instance).optimum(instance.budget)
    for solver in ("exact", "compact"):
        assert _worth(instance, planner.solve(instance, solver)) == optimum


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_exact_and_brute_force_agree_on_thousands(block: int) -> None:
    for seed in range(SLOW_FROM + 200 * block, SLOW_FROM + 200 * (block + 1)):
        instance = random_instance(seed, most_tasks=8)
        optimum = truth(instance).optimum(instance.budget)
        assert _worth(instance, planner.solve(instance, "exact")) == optimum, seed


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_exact_and_compact_agree_where_a_brute_force_does_not_reach(block: int) -> None:
    """50 instances of up to 20 tasks a block; what compact does not settle in time is compared by bounds."""
    for seed in range(2 * SLOW_FROM + 50 * block, 2 * SLOW_FROM + 50 * (block + 1)):
        instance = random_instance(seed, most_tasks=20)
        exact = _worth(instance, planner.solve(instance, "exact", time_limit=120))
        result = planner.solve(instance, "compact", time_limit=4)
        if result.tiebreak_proven or result.status is Status.INFEASIBLE:
            assert _worth(instance, result) == exact, seed
            continue
        assert result.stopped_by is StoppedBy.TIME_LIMIT, seed
        assert exact is not None or result.plan is None, seed
        if exact is not None:
            assert result.bound is not None
            assert result.bound <= exact[0], seed
            assert result.makespan is None or result.makespan >= exact[0], seed
