"""The exact solver: its optimum is the brute force's, whichever way it takes; stopped it claims nothing."""

from __future__ import annotations

import threading
from fractions import Fraction

import pytest

import planner
from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.goal import Goal
from planner.kinds import CLOUD
from planner.result import Status, StoppedBy
from planner.solver import Answer, Effort, TimeLimit
from solvers.cloud import contents, decision, patterns, slots
from solvers.cloud.exact import Exact
from solvers.cloud.patterns import cover, enumerate_patterns
from solvers.cloud.pipeline.find import Heuristic
from solvers.cloud.slots import pack_into
from solvers.cpsat import Outcome
from tests.brute_force import Worth, truth
from tests.instances import SHIPPED, bag, cloud, kind, random_instance
from tests.solvers.cloud.spies import replace_everywhere, spy


def _by_the_ten_seconds(sizes: dict[int, int], budget: str, *types: tuple[int, int]) -> CloudInstance:
    """One application; types are (price of a quantum of 10 s in coins of 1/360, seconds per unit)."""
    kinds = [kind(f"t{k}", price, speed) for k, (price, speed) in enumerate(types)]
    return cloud([bag("A", *sizes.items())], kinds, budget=Fraction(budget), quantum=10)


# Three tasks of 11 units for the money of 10.2 quanta at price 1: the fleets the aggregated model names are
# cut off until it says no.
CUTS = _by_the_ten_seconds({11: 3}, "17/600", (1, 3), (2, 2))
# Three different tasks: a fleet is cut off at 14 and at 18 s, another is packed by a complete model at 21 s.
PACKED = _by_the_ten_seconds({2: 1, 4: 1, 7: 1}, "29/720", (1, 3), (2, 3))


def _optimum(instance: CloudInstance, answer: Answer) -> Worth | None:
    """What the plan is worth, where both proofs are claimed with it; None: claimed infeasible."""
    if answer.infeasible:
        return None
    assert answer.plan is not None
    verdict = check(instance, answer.plan)
    assert verdict.valid
    assert answer.bound == verdict.makespan
    assert answer.tiebreak_proven
    assert verdict.makespan is not None
    assert verdict.cost is not None
    return verdict.makespan, verdict.cost


def _without_heuristic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start from nothing, so that the search itself must find every plan."""
    monkeypatch.setattr(Heuristic, "solve", lambda *_: Answer())


def _without_contents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the linear program over contents, which settles small cases before the complete models."""
    replace_everywhere(monkeypatch, contents.least_money, lambda *_: None)


@pytest.mark.parametrize("seed", range(120))
def test_without_a_start_it_finds_the_optimum_itself(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    _without_heuristic(monkeypatch)
    instance = random_instance(1000 + seed)
    answer = Exact().solve(instance, Goal.MAKESPAN, Effort())
    assert _optimum(instance, answer) == truth(instance).optimum(instance.budget)


@pytest.mark.parametrize("seed", range(60))
def test_without_contents_the_complete_models_find_it(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    _without_heuristic(monkeypatch)
    _without_contents(monkeypatch)
    instance = random_instance(2000 + seed)
    answer = Exact().solve(instance, Goal.MAKESPAN, Effort())
    assert _optimum(instance, answer) == truth(instance).optimum(instance.budget)


@pytest.mark.parametrize(
    ("instance", "optimum"), [(CUTS, (99, Fraction(10, 360))), (PACKED, (21, Fraction(5, 360)))]
)
def test_fleets_that_cannot_be_packed_are_cut_off(
    monkeypatch: pytest.MonkeyPatch, instance: CloudInstance, optimum: Worth
) -> None:
    _without_contents(monkeypatch)
    replace_everywhere(monkeypatch, enumerate_patterns, lambda *_: None)
    packed = spy(monkeypatch, pack_into)
    assert truth(instance).optimum(instance.budget) == optimum
    assert _optimum(instance, Exact().solve(instance, Goal.MAKESPAN, Effort())) == optimum
    assert Outcome.INFEASIBLE in [found.outcome for found in packed]


def test_a_packing_that_the_construction_misses_is_found_by_a_complete_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _without_contents(monkeypatch)
    _without_heuristic(monkeypatch)
    replace_everywhere(monkeypatch, enumerate_patterns, lambda *_: None)
    monkeypatch.setattr(decision, "construct", lambda *_: None)
    packed = spy(monkeypatch, pack_into)
    assert _optimum(PACKED, Exact().solve(PACKED, Goal.MAKESPAN, Effort())) == (21, Fraction(5, 360))
    assert {Outcome.INFEASIBLE, Outcome.OPTIMAL} <= {found.outcome for found in packed}


@pytest.mark.parametrize("seed", range(30))
def test_patterns_decide_alone(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Without construction and fleet models, patterns answer all that the aggregated model leaves open."""
    _without_contents(monkeypatch)
    _without_heuristic(monkeypatch)
    monkeypatch.setattr(decision, "construct", lambda *_: None)
    monkeypatch.setattr(decision, "MOST_CUTS", 0)
    monkeypatch.setattr(decision, "FEW_PATTERNS", patterns.MOST_PATTERNS)
    replace_everywhere(monkeypatch, pack_into, _not_to_be_called)
    covered = spy(monkeypatch, cover)
    instance = random_instance(3000 + seed, most_tasks=5)
    optimum = truth(instance).optimum(instance.budget)
    assert _optimum(instance, Exact().solve(instance, Goal.MAKESPAN, Effort())) == optimum
    assert covered or optimum is None


@pytest.mark.parametrize("seed", range(30))
def test_the_slots_of_everything_decide_alone(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Without construction, patterns and cuts, slots of the largest fleet answer all that is left open."""
    _without_contents(monkeypatch)
    _without_heuristic(monkeypatch)
    monkeypatch.setattr(decision, "construct", lambda *_: None)
    monkeypatch.setattr(decision, "MOST_CUTS", 0)
    replace_everywhere(monkeypatch, enumerate_patterns, lambda *_: None)
    packed = spy(monkeypatch, slots.pack_into)
    instance = random_instance(4000 + seed, most_tasks=5)
    optimum = truth(instance).optimum(instance.budget)
    assert _optimum(instance, Exact().solve(instance, Goal.MAKESPAN, Effort())) == optimum
    assert packed or optimum is None


@pytest.mark.parametrize("seed", range(120))
def test_the_other_goal_is_the_cheapest_plan_and_the_shortest_of_those(seed: int) -> None:
    instance = random_instance(5000 + seed)
    result = planner.solve(instance, "exact", goal=Goal.COST)
    within = [
        worth for worth in truth(instance).front if instance.budget is None or worth[1] <= instance.budget
    ]
    optimum = min(((cost, makespan) for makespan, cost in within), default=None)
    if optimum is None:
        assert result.status is Status.INFEASIBLE
    else:
        assert (result.cost, result.makespan, result.bound, result.tiebreak_proven) == (
            *optimum,
            optimum[0],
            True,
        )


@pytest.mark.parametrize("goal", CLOUD.goals)
def test_nothing_is_proven_after_the_stop(goal: Goal) -> None:
    effort = Effort(stop=threading.Event())
    effort.stop.set()
    answer = Exact().solve(PACKED, goal, effort)
    assert answer.stopped_by is StoppedBy.INTERRUPTED
    assert not answer.infeasible
    assert not answer.tiebreak_proven


def test_an_expired_limit_leaves_a_valid_bound() -> None:
    limit = TimeLimit(1e-9)
    answer = Exact().solve(PACKED, Goal.MAKESPAN, Effort(limit=limit))
    assert answer.stopped_by is StoppedBy.TIME_LIMIT
    assert answer.bound is None or answer.bound <= 21


class _Heard:
    def __init__(self) -> None:
        self.plans: list[CloudPlan] = []
        self.bounds: list[Fraction] = []

    def incumbent(self, plan: CloudPlan) -> None:
        self.plans.append(plan)

    def bound(self, value: Fraction) -> None:
        self.bounds.append(value)


def test_progress_hears_valid_plans_and_rising_bounds_up_to_the_optimum(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _without_heuristic(monkeypatch)
    heard = _Heard()
    instance = planner.read(SHIPPED / "cloud" / "thai2015" / "b65.json")  # the cheap bound is 3231
    Exact().solve(instance, Goal.MAKESPAN, Effort(progress=heard))
    verdicts = [check(instance, plan) for plan in heard.plans]
    assert all(verdict.valid for verdict in verdicts)
    assert verdicts[-1].makespan == 3234
    assert heard.bounds == sorted(heard.bounds)
    assert heard.bounds[-1] == 3234


def test_the_seed_and_the_run_change_nothing() -> None:
    instance = random_instance(7)
    first = Exact().solve(instance, Goal.MAKESPAN, Effort())
    assert Exact().solve(instance, Goal.MAKESPAN, Effort()).plan == first.plan


def _not_to_be_called(*_: object) -> None:
    raise AssertionError("this model was not to be needed")
