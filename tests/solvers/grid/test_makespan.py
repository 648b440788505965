"""The least makespan against every way there is, and how the search ends."""

from __future__ import annotations

import random
import threading
import time
from fractions import Fraction

import pytest

from planner.goal import Goal
from planner.grid.checker import check
from planner.grid.plan import GridPlan
from planner.grid.step import GridStep
from planner.result import StoppedBy
from planner.solver import Answer, Effort, TimeLimit
from solvers.grid import makespan, makespan_bound
from solvers.grid.arrays import Arrays
from solvers.grid.fitting import Fit
from solvers.grid.makespan import Makespan
from tests.steps import close, grid_step, random_step, realistic_step, truth


def makespan_of(step: GridStep, answer: Answer[GridPlan]) -> Fraction:
    assert answer.plan is not None
    verdict = check(step, answer.plan)
    assert verdict.valid
    assert verdict.makespan is not None
    return verdict.makespan


def is_proven(step: GridStep) -> None:
    answer = Makespan().solve(step, Goal.MAKESPAN, Effort(limit=TimeLimit(60)))
    best = truth(step)
    if best is None:
        assert answer.infeasible
        return
    assert close(makespan_of(step, answer), best[Goal.MAKESPAN])
    assert close(answer.bound, best[Goal.MAKESPAN])
    assert answer.bound is not None
    assert answer.bound <= best[Goal.MAKESPAN]
    assert makespan_bound.certified(Arrays.of(step)) <= best[Goal.MAKESPAN]


@pytest.mark.parametrize("seed", range(200))
def test_small_steps_are_proven(seed: int) -> None:
    is_proven(random_step(random.Random(seed), most_jobs=5, most_resources=3))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
def test_thousands_of_small_steps_are_proven(block: int) -> None:
    for seed in range(1000 + 250 * block, 1250 + 250 * block):
        is_proven(random_step(random.Random(seed), most_jobs=6, most_resources=4))


def test_the_program_finds_what_best_fit_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    original = makespan.fit

    def counting(*arguments: object) -> object:
        asked.append(arguments)
        return original(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(makespan, "fit", counting)
    step = grid_step([(1, 0)] * 3, [4, 4, 4, 3, 3, 3, 3, 3])
    answer = Makespan().solve(step, Goal.MAKESPAN, Effort(limit=TimeLimit(60)))
    assert (makespan_of(step, answer), answer.stopped_by) == (10, StoppedBy.COMPLETED)
    assert asked


@pytest.mark.parametrize(("jobs", "resources"), [(700, 1200), (108, 1200)])
def test_steps_of_a_simulation_are_proven_without_search(
    jobs: int, resources: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(makespan, "LARGEST_MODEL", 0)
    for queue in (0, 100):
        step = realistic_step(jobs, resources, longest_queue=queue)
        answer = Makespan().solve(step, Goal.MAKESPAN, Effort())
        assert answer.message is None
        assert close(makespan_of(step, answer), answer.bound)


def test_a_limit_that_leaves_one_way_is_kept() -> None:
    step = grid_step([(10, 0), (1, 0)], [10, 2, 1, 1], limit=2)
    answer = Makespan().solve(step, Goal.MAKESPAN, Effort())
    assert makespan_of(step, answer) == 2


def test_the_bound_is_given_for_the_makespan_alone() -> None:
    reported: list[Fraction] = []

    class Listener:
        def incumbent(self, plan: GridPlan) -> None:
            pass

        def bound(self, value: Fraction) -> None:
            reported.append(value)

    step = grid_step([(1, 0)] * 3, [4, 4, 4, 3, 3, 3, 3, 3])
    for goal in (Goal.FLOW, Goal.LOAD):
        answer = Makespan().solve(step, goal, Effort(progress=Listener()))
        assert answer.bound is None
        assert makespan_of(step, answer) == 10
    assert reported == []
    Makespan().solve(step, Goal.MAKESPAN, Effort(progress=Listener()))
    assert reported


def test_too_large_a_program_is_not_searched_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(makespan, "LARGEST_MODEL", 5)
    step = grid_step([(1, 0)] * 3, [4, 4, 4, 3, 3, 3, 3, 3])
    answer = Makespan().solve(step, Goal.MAKESPAN, Effort())
    assert answer.message == "not searched: 6 variables are needed, at most 5 are taken"
    assert answer.bound is not None
    assert answer.bound < makespan_of(step, answer)


def test_a_search_that_ends_without_an_answer_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(makespan, "fit", lambda *_: Fit(None, refuted=False))
    step = grid_step([(1, 0)] * 3, [4, 4, 4, 3, 3, 3, 3, 3])
    answer = Makespan().solve(step, Goal.MAKESPAN, Effort())
    assert answer.bound == makespan_bound.certified(Arrays.of(step))
    assert answer.stopped_by is StoppedBy.TIME_LIMIT


def test_lengths_of_too_many_digits_are_rounded_and_told() -> None:
    lengths = [
        Fraction(value) + Fraction(k, 10**25) for k, value in enumerate(("4.1", "4.2", "4.3", "3.1", "3.2"))
    ]
    step = grid_step([(1, 0), (1, 0)], [*lengths, *lengths])
    answer = Makespan().solve(step, Goal.MAKESPAN, Effort(limit=TimeLimit(20)))
    assert answer.bound is not None
    assert answer.bound <= makespan_of(step, answer)
    assert answer.resolution is None or answer.resolution.rounded


def test_the_time_limit_and_the_stop_flag_leave_a_plan() -> None:
    step = realistic_step(60, 10)
    started = time.perf_counter()
    answer = Makespan().solve(step, Goal.MAKESPAN, Effort(limit=TimeLimit(1)))
    assert time.perf_counter() - started < 3
    assert answer.stopped_by is StoppedBy.TIME_LIMIT
    value = makespan_of(step, answer)
    assert answer.bound is not None
    assert Fraction(9, 10) * value < answer.bound < value
    stop = threading.Event()
    stop.set()
    stopped = Makespan().solve(step, Goal.MAKESPAN, Effort(stop=stop))
    assert stopped.stopped_by is StoppedBy.INTERRUPTED
    assert makespan_of(step, stopped) >= value
