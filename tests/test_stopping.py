"""Runs that have to be stopped, and settings out of range."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner import stopping
from planner.cloud.instance import CloudInstance
from planner.errors import UsageError
from planner.result import Status, StoppedBy
from planner.run import SolverCrashed
from planner.solver import Effort, TimeLimit
from planner.stopping import Interruptible, LeftBehindError
from solvers import catalog
from tests import stubs


@pytest.fixture(autouse=True)
def _stub_solvers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(catalog, "_ENTRIES", catalog._ENTRIES)
    monkeypatch.setattr(catalog, "_BOUNDS", catalog._BOUNDS)
    monkeypatch.setattr("planner.stopping.GRACE", 0.2)
    stubs.install()
    yield
    catalog.entries.cache_clear()


@pytest.fixture
def tiny(tmp_path: Path) -> CloudInstance:
    return planner.read(stubs.write_instance(tmp_path / "tiny.json"))


def test_the_limit_holds_for_a_solver_that_does_not_look_at_it(tiny: CloudInstance) -> None:
    started = time.monotonic()
    result = planner.solve(tiny, "deaf", time_limit=0.1)
    assert time.monotonic() - started < 3
    assert (result.status, result.stopped_by, result.makespan) == (Status.FEASIBLE, StoppedBy.TIME_LIMIT, 80)
    assert result.message is not None
    assert "left behind" in result.message


def test_one_that_looks_keeps_its_plan_and_bound(tiny: CloudInstance) -> None:
    result = planner.solve(tiny, "slow", time_limit=0.1)
    assert (result.stopped_by, result.makespan, result.bound) == (StoppedBy.TIME_LIMIT, 80, 45)


def test_a_stop_from_outside(tiny: CloudInstance) -> None:
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    result = planner.solve(tiny, "slow", stop=stop)
    assert (result.stopped_by, result.makespan) == (StoppedBy.INTERRUPTED, 80)


def test_an_interrupt_without_a_plan_is_raised(tiny: CloudInstance) -> None:
    with pytest.raises(KeyboardInterrupt):
        planner.solve(tiny, "interrupting")
    assert planner.solve(tiny, "interrupted-late").stopped_by is StoppedBy.INTERRUPTED


def test_a_crash_keeps_its_cause(tiny: CloudInstance) -> None:
    with pytest.raises(SolverCrashed, match="a bug") as caught:
        planner.solve(tiny, "crashing")
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    "settings",
    [
        {"time_limit": 0},
        {"time_limit": -1},
        {"time_limit": float("nan")},
        {"time_limit": float("inf")},
        {"workers": 0},
        {"workers": 10**9},
        {"seed": -1},
        {"seed": 2**31},
    ],
)
def test_settings_out_of_range(tiny: CloudInstance, settings: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        planner.solve(tiny, "exact", **settings)  # type: ignore[arg-type]


def test_work_runs_once_and_its_error_comes_back() -> None:
    assert Interruptible(lambda: 7, Effort()).run() == 7
    with pytest.raises(ZeroDivisionError):
        Interruptible(lambda: Fraction(1, 0), Effort()).run()


def test_one_left_behind_is_told_to_stop_and_remembered() -> None:
    effort = Effort(limit=TimeLimit(0.05))
    release = threading.Event()
    with pytest.raises(LeftBehindError) as caught:
        Interruptible(release.wait, effort).run()
    assert caught.value.stopped_by is StoppedBy.TIME_LIMIT
    assert effort.stop.is_set()
    assert stopping.any_left_behind()
    release.set()
