"""Exact, compact, milp and brute force agree on small instances over everything the model has."""

from __future__ import annotations

from fractions import Fraction

import pytest

import planner
from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.goal import Goal
from planner.kinds import CLOUD
from planner.result import Result, Status, StoppedBy
from tests.brute_force import Worth, truth
from tests.instances import BILLINGS, number, random_instance

SLOW_FROM = 100_000


def _optimum(instance: CloudInstance, goal: Goal) -> Worth | None:
    """Makespan and cost of the best plans in the goal, then the other, by brute force; None: infeasible."""
    found = truth(instance)
    if goal is Goal.MAKESPAN:
        return found.optimum(instance.budget)
    within = [worth for worth in found.front if instance.budget is None or worth[1] <= instance.budget]
    return min(within, key=lambda worth: worth[::-1], default=None)


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


@pytest.mark.parametrize("goal", CLOUD.goals)
@pytest.mark.parametrize("seed", range(300))
def test_exact_compact_and_brute_force_agree(seed: int, goal: Goal) -> None:
    instance = random_instance(seed)
    optimum = _optimum(instance, goal)
    for solver in ("exact", "compact"):
        assert _worth(instance, planner.solve(instance, solver, goal=goal)) == optimum


@pytest.mark.slow
@pytest.mark.parametrize("goal", CLOUD.goals)
@pytest.mark.parametrize("block", range(20))
def test_exact_compact_and_milp_agree(block: int, goal: Goal) -> None:
    """20 instances a block, each by all three; milp's floating point may leave the proof open by a little."""
    for seed in range(20 * block, 20 * (block + 1)):
        instance = random_instance(seed)
        optimum = _optimum(instance, goal)
        for solver in ("exact", "compact"):
            assert _worth(instance, planner.solve(instance, solver, goal=goal)) == optimum, seed
        milp = planner.solve(instance, "milp", goal=goal)
        assert (milp.status is Status.INFEASIBLE) == (optimum is None), seed
        if optimum is not None:
            value = optimum[0] if goal is Goal.MAKESPAN else optimum[1]
            assert milp.objective == value, seed
            assert milp.bound is not None
            assert value * (1 - Fraction(1, 10**5)) <= milp.bound <= value, seed


def test_the_instances_have_everything_that_the_model_has() -> None:
    drawn = [random_instance(seed) for seed in range(300)]
    assert {(one.billing.quantum, one.billing.minimum) for one in drawn} == {
        (number(quantum), number(minimum)) for quantum, minimum in BILLINGS
    }
    kinds = [item for one in drawn for item in one.instance_types]
    for values in (
        [one.budget for one in drawn],
        [one.deadline for one in drawn],
        [one.max_vms for one in drawn],
        [item.max_instances for item in kinds],
        [speed for item in kinds for speed in item.seconds_per_unit],
    ):
        assert 30 < sum(value is not None for value in values) < len(values)
    for amounts in ([one.startup for one in drawn], [item.fee for item in kinds], [i.price for i in kinds]):
        assert 30 < sum(map(bool, amounts)) < len(amounts)


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
