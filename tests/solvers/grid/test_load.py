"""The least load against every way there is, and how the search ends."""

from __future__ import annotations

import random
import threading
import time
from fractions import Fraction

import pytest

from planner.errors import Unsupported
from planner.goal import Goal
from planner.grid.checker import check
from planner.grid.plan import GridPlan
from planner.grid.step import GridStep
from planner.result import StoppedBy
from planner.solver import Answer, Effort, TimeLimit
from solvers.grid import flow, load, load_bound
from solvers.grid.arrays import Arrays
from solvers.grid.load import Load
from tests.steps import close, grid_step, random_step, realistic_step, truth

SEARCHED = grid_step([(4, 0), (9, 0), (5, 0)], [3, 3, 3, 5, 5])  # 1/27 by the relaxations, in truth 2/27


def load_after(step: GridStep, answer: Answer[GridPlan]) -> Fraction:
    assert answer.plan is not None
    verdict = check(step, answer.plan)
    assert verdict.valid
    assert verdict.load is not None
    return verdict.load


def is_proven(step: GridStep) -> None:
    answer = Load().solve(step, Goal.LOAD, Effort(limit=TimeLimit(60)))
    best = truth(step)
    if best is None:
        assert answer.infeasible
        return
    least = best[Goal.LOAD]
    assert close(load_after(step, answer), least)
    assert close(answer.bound, least)
    assert answer.bound is not None
    assert answer.bound <= least
    assert load_bound.fluid(step) <= least
    assert load_bound.whole(step, Arrays.of(step))[1] <= least


@pytest.mark.parametrize("seed", range(200))
def test_small_steps_are_proven(seed: int) -> None:
    is_proven(random_step(random.Random(seed), most_jobs=5, most_resources=3))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
def test_thousands_of_small_steps_are_proven(block: int) -> None:
    for seed in range(1000 + 250 * block, 1250 + 250 * block):
        is_proven(random_step(random.Random(seed), most_jobs=6, most_resources=4))


def test_the_program_proves_what_the_relaxations_do_not() -> None:
    answer = Load().solve(SEARCHED, Goal.LOAD, Effort())
    assert max(load_bound.fluid(SEARCHED), load_bound.whole(SEARCHED, Arrays.of(SEARCHED))[1]) < Fraction(
        1, 26
    )
    assert load_after(SEARCHED, answer) == Fraction(2, 27)
    assert close(answer.bound, Fraction(2, 27))
    assert answer.resolution is not None
    assert not answer.resolution.rounded


def test_a_bound_is_not_above_the_optimum_by_what_cp_sats_doubles_are_off_by() -> None:
    is_proven(random_step(random.Random(1834), most_jobs=6, most_resources=4))


@pytest.mark.parametrize(("jobs", "resources"), [(700, 1200), (108, 1200)])
def test_steps_of_a_simulation_are_proven_without_search(
    jobs: int, resources: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "LARGEST_MODEL", 0)
    for queue in (0, 100):
        step = realistic_step(jobs, resources, longest_queue=queue)
        answer = Load().solve(step, Goal.LOAD, Effort())
        assert answer.message is None
        assert close(load_after(step, answer), answer.bound)


def test_jobs_that_all_fit_within_the_step_leave_nothing() -> None:
    step = grid_step([(6, 0), (5, 0)], [3, 3, 3, 2])
    answer = Load().solve(step, Goal.LOAD, Effort())
    assert (load_after(step, answer), answer.bound) == (0, 0)


def test_numbers_of_too_different_size_are_told() -> None:
    step = grid_step([(5, 0), ("0.000000001", 0), (4, 0), (10**9, 10**9)], [3, "0.0000002", 4, 2], limit=1)
    answer = Load().solve(step, Goal.LOAD, Effort())
    assert answer.message == "numbers have too many digits to prove more"
    assert answer.bound is not None
    assert answer.bound < load_after(step, answer)


def test_the_bound_is_given_for_the_load_alone() -> None:
    reported: list[Fraction] = []

    class Listener:
        def incumbent(self, plan: GridPlan) -> None:
            pass

        def bound(self, value: Fraction) -> None:
            reported.append(value)

    for goal in (Goal.FLOW, Goal.MAKESPAN):
        assert Load().solve(SEARCHED, goal, Effort(progress=Listener())).bound is None
    assert reported == []


def test_too_large_a_program_is_not_searched_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "LARGEST_MODEL", 5)
    answer = Load().solve(SEARCHED, Goal.LOAD, Effort())
    assert answer.message == "not searched: 6 variables are needed, at most 5 are taken"
    monkeypatch.setattr(flow, "LARGEST_TABLE", 10)
    with pytest.raises(Unsupported, match="10 pairs of a job and a resource at most, these are 20"):
        Load().solve(SEARCHED, Goal.LOAD, Effort())


def test_the_stop_flag_leaves_a_plan() -> None:
    stop = threading.Event()
    stop.set()
    answer = Load().solve(SEARCHED, Goal.LOAD, Effort(stop=stop))
    assert answer.stopped_by is StoppedBy.INTERRUPTED
    assert load_after(SEARCHED, answer) >= Fraction(2, 27)


def test_the_time_limit_leaves_a_plan_and_a_bound() -> None:
    rng = random.Random(1)
    machines = [(Fraction(rng.uniform(4, 9)), 0) for _ in range(20)]
    step = grid_step(machines, [Fraction(rng.uniform(2, 4)) for _ in range(41)])
    started = time.perf_counter()
    answer = Load().solve(step, Goal.LOAD, Effort(limit=TimeLimit(1)))
    assert time.perf_counter() - started < 3
    assert answer.stopped_by is StoppedBy.TIME_LIMIT
    assert answer.bound is not None
    assert 0 <= answer.bound < load_after(step, answer) < Fraction(1, 10)
