"""Running CP-SAT: outcomes, and every way to stop it."""

from __future__ import annotations

import _thread
import random
import signal
import threading
import time

import pytest
from ortools.sat.python import cp_model

from planner.result import StoppedBy
from planner.solver import Effort, TimeLimit
from solvers import cpsat
from solvers.cpsat import ModelRefused, Outcome, objective_reach, search, whole_bound


def _knapsack() -> tuple[cp_model.CpModel, cp_model.IntVar]:
    """The largest multiple of 7 that is at most 100: 98."""
    model = cp_model.CpModel()
    sevens = model.new_int_var(0, 1000, "sevens")
    model.add(7 * sevens <= 100)
    model.maximize(7 * sevens)
    return model, sevens


def _endless() -> cp_model.CpModel:
    """A market split problem (Cornuéjols and Dawande 1998), which no solver settles while a test waits."""
    rng = random.Random(1)
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in range(60)]
    for _ in range(7):
        weights = [rng.randrange(100) for _ in chosen]
        model.add(cp_model.LinearExpr.weighted_sum(chosen, weights) == sum(weights) // 2)
    return model


def test_an_optimum_comes_with_its_values_and_bound() -> None:
    model, sevens = _knapsack()
    found = search(model, Effort())
    assert (found.outcome, found.has_solution, found.value(sevens), found.bound) == (
        Outcome.OPTIMAL,
        True,
        14,
        98,
    )


def test_no_solution_is_infeasible_and_has_no_values() -> None:
    model = cp_model.CpModel()
    x = model.new_int_var(0, 5, "x")
    model.add(2 * x == 7)
    found = search(model, Effort())
    assert (found.outcome, found.has_solution) == (Outcome.INFEASIBLE, False)


def test_listeners_hear_every_solution_and_the_bound() -> None:
    model, sevens = _knapsack()
    values: list[int] = []
    bounds: list[float] = []
    search(model, Effort(), on_solution=lambda value: values.append(value(sevens)), on_bound=bounds.append)
    assert values[-1] == 14
    assert all(bound >= 98 for bound in bounds)


def test_a_model_that_is_too_large_is_refused() -> None:
    model = cp_model.CpModel()
    x = model.new_int_var(0, 2**40, "x")
    y = model.new_int_var(0, 2**40, "y")
    model.add(2**30 * x + 2**30 * y <= 5)
    with pytest.raises(ModelRefused, match="integer overflow"):
        search(model, Effort())


def test_nothing_runs_after_the_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cp_model, "CpSolver", _never)
    effort = Effort()
    effort.stop.set()
    found = search(_knapsack()[0], effort)
    assert found.outcome is Outcome.UNKNOWN
    with pytest.raises(LookupError):
        found.value(_knapsack()[1])


def test_the_time_limit_ends_a_search() -> None:
    started = time.perf_counter()
    found = search(_endless(), Effort(limit=TimeLimit(0.3)))
    assert found.outcome is Outcome.UNKNOWN
    assert time.perf_counter() - started < 2


def test_the_work_limit_ends_a_search_the_same_way_each_time() -> None:
    effort = Effort()
    assert search(_endless(), effort, work=0.05).outcome is Outcome.UNKNOWN
    assert effort.stopped_by is None


def test_the_stop_flag_ends_a_search() -> None:
    effort = Effort()
    threading.Timer(0.2, effort.stop.set).start()
    started = time.perf_counter()
    assert search(_endless(), effort).outcome is Outcome.UNKNOWN
    assert effort.stopped_by is StoppedBy.INTERRUPTED
    assert time.perf_counter() - started < 2


def test_a_search_that_does_not_listen_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    monkeypatch.setattr(cp_model.CpSolver, "solve", lambda *_: release.wait(30))
    monkeypatch.setattr(cpsat, "GRACE_SECONDS", 0.05)
    started = time.perf_counter()
    assert search(_knapsack()[0], Effort(limit=TimeLimit(0.1))).outcome is Outcome.UNKNOWN
    assert time.perf_counter() - started < 2
    release.set()


def test_ctrl_c_stops_the_native_search_and_goes_on_up(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[bool] = []
    stop_search = cp_model.CpSolver.stop_search

    def recorded(solver: cp_model.CpSolver) -> None:
        stopped.append(True)
        stop_search(solver)

    monkeypatch.setattr(cp_model.CpSolver, "stop_search", recorded)
    model = _endless()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    try:
        threading.Timer(0.5, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            search(model, Effort())
    finally:
        signal.signal(signal.SIGINT, before)
    assert stopped == [True]


def _never() -> None:
    raise AssertionError("a solver was made after the stop")


def test_a_bound_is_exact_while_the_objective_cannot_get_far() -> None:
    model = cp_model.CpModel()
    x, y = model.new_int_var(-5, 7, "x"), model.new_int_var(0, 10, "y")
    model.add(x + y >= 3)
    model.minimize(3 * x + 2 * y)
    reach = objective_reach(model)
    assert reach == 3 * 7 + 2 * 10
    assert whole_bound(search(model, Effort()).bound, reach) == 1
    assert whole_bound(float("-inf"), reach) is None


def test_a_bound_on_an_objective_that_gets_far_gives_something_up() -> None:
    reach = 2**52
    bound = whole_bound(float(2**51), reach)
    assert bound is not None
    assert 2**51 - 2**13 <= bound < 2**51
