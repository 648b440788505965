"""One question at a time: cuts, offers, and answers that hold."""

from __future__ import annotations

import pytest

from planner.goal import Goal
from planner.solver import Effort
from solvers.cloud import bound
from solvers.cloud.decision import Cut, Decisions, Question, Verdict
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.ticks import Ticks
from tests.brute_force import truth
from tests.instances import bag, cloud, kind, random_instance


@pytest.mark.parametrize(
    ("makespan", "budget", "holds"),
    [(10, 5, True), (9, 4, True), (11, 5, False), (10, 6, False), (10, None, False)],
)
def test_a_cut_holds_for_no_more_time_and_no_more_money(
    makespan: int, budget: int | None, holds: bool
) -> None:
    assert Cut(10, 5, (1,)).holds(makespan, budget) is holds


def test_a_cut_without_a_budget_holds_for_every_budget() -> None:
    assert Cut(10, None, (1,)).holds(10, None)
    assert Cut(10, None, (1,)).holds(10, 10**9)


def test_the_goal_says_which_plan_is_better() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 2))], [kind("t", 1, 10)]))
    slow, fast = [LoadedVM(0, (2,))], [LoadedVM(0, (1,)), LoadedVM(0, (1,))]
    for goal, best in ((Goal.MAKESPAN, fast), (Goal.COST, slow)):
        for order in ((slow, fast), (fast, slow)):
            state = Decisions(ticks, Effort(), goal)
            for vms in order:
                state.offer(vms)
            assert state.best == best


def test_no_money_at_all_is_a_no_without_a_model() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 2))], [kind("t", 1, 10)]))
    assert Decisions(ticks, Effort()).decide(Question(10, -1), 1000.0) is Verdict.NO


@pytest.mark.parametrize("seed", range(50))
def test_every_answer_is_the_brute_forces_in_any_order_of_questions(seed: int) -> None:
    """Cuts learnt from one question serve the next, whether it has more or less time and money."""
    instance = random_instance(6000 + seed)
    ticks, front = Ticks.of(instance), truth(instance).front
    state = Decisions(ticks, Effort())
    horizon = bound.serial(ticks) if ticks.deadline is None else ticks.deadline
    money = [None, *(int(cost / ticks.money_per_coin) - less for _, cost in front[:4] for less in (0, 1))]
    times = [
        horizon,
        *(int(makespan / ticks.seconds_per_tick) - less for makespan, _ in front[:4] for less in (1, 0)),
    ]
    for makespan in times:
        for budget in money:
            if makespan < 1 or makespan > horizon:
                continue
            exists = any(
                worth <= ticks.seconds(makespan) and (budget is None or cost <= ticks.money(budget))
                for worth, cost in front
            )
            verdict = state.decide(Question(makespan, budget), 1000.0)
            assert verdict is (Verdict.YES if exists else Verdict.NO)
