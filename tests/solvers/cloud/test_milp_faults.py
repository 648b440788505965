"""Backends that lie, crash, hang or print: what becomes of the run, and what is left of the backend."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import planner
from planner.cloud.checker import check
from planner.errors import BackendMissing, CheckFailed
from planner.goal import Goal
from planner.result import Result, Status, StoppedBy
from planner.solver import Answer, Effort, TimeLimit
from solvers.cloud.milp.session import BackendFailed
from solvers.cloud.milp.solver import Milp
from tests.cli.conftest import ROOT
from tests.instances import SHIPPED, bag, cloud, kind
from tests.solvers.cloud import backends
from tests.solvers.cloud.backends import TINY

started: list[subprocess.Popen[str]] = []
"""Commands in processes of their own."""


def solve(backend: type[backends.Stub], **keywords: object) -> Result:
    options = {"backend": f"{backends.HERE}:{backend.__name__}"}
    return planner.solve(TINY, "milp", options=options, **keywords)  # type: ignore[arg-type]


def answer(backend: type[backends.Stub], goal: Goal = Goal.MAKESPAN, effort: Effort | None = None) -> Answer:
    return Milp(f"{backends.HERE}:{backend.__name__}").solve(TINY, goal, effort or Effort())


def _alive() -> dict[int, tuple[int, str]]:
    """Parent and command line of every process by its id, the dead left out."""
    columns = ["ps", "-ww", "-eo", "pid=,ppid=,stat=,args="]
    listed = subprocess.run(columns, capture_output=True, text=True, check=True).stdout
    rows = (line.split(None, 3) for line in listed.splitlines())
    return {int(row[0]): (int(row[1]), row[-1]) for row in rows if row[2][0] != "Z"}


def _backends(ancestor: int) -> set[int]:
    """Ids of the processes below `ancestor` that run a backend."""
    alive = _alive()
    family = {ancestor}
    for _ in range(6):  # generations
        family |= {pid for pid, (parent, _) in alive.items() if parent in family}
    return {
        pid for pid in family & alive.keys() if "milp.child" in alive[pid][1] or "hanging" in alive[pid][1]
    }


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No process and no temporary file outlives a run."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    yield
    for process in started:
        if process.poll() is None:  # a test failed half-way
            process.kill()
            process.communicate()
    started.clear()
    _until(lambda: not _backends(os.getpid()))
    assert list(tmp_path.iterdir()) == []


def test_a_right_backend_without_a_bound_proves_nothing() -> None:
    found = answer(backends.Right)
    assert found.plan is not None
    assert check(TINY, found.plan).makespan == 50
    assert (found.bound, found.tiebreak_proven) == (None, False)
    result = solve(backends.Right)
    assert (result.makespan, result.cost) == (50, 2)
    assert result.status is Status.OPTIMAL or (result.bound is not None and result.bound < 50)


@pytest.mark.parametrize("backend", [backends.LyingAtTheLimit, backends.LyingOutright])
def test_a_word_is_no_proof_of_the_optimum(backend: type[backends.Stub]) -> None:
    assert answer(backend).bound is None
    result = solve(backend)
    assert (result.status, result.makespan) == (Status.FEASIBLE, 80)
    assert result.bound is not None
    assert result.bound <= 50


@pytest.mark.parametrize(
    ("backend", "words"),
    [
        (backends.OverBudget, "bill of 3 coins exceeds the budget of 2"),
        (backends.TooFew, "9 of 10 tasks"),
        (backends.Fractional, "= 4.5 is no whole number"),
        (backends.OutOfBounds, "= 11"),
        (backends.NoValues, "= None"),
        (backends.NotANumber, "= nan"),
    ],
)
def test_values_that_break_a_rule_are_an_error(backend: type[backends.Stub], words: str) -> None:
    with pytest.raises(CheckFailed, match=words) as error:
        solve(backend)
    assert error.value.exit_code == 6
    assert backend.__name__ in str(error.value)


def test_infeasible_though_feasible_is_no_proof() -> None:
    assert not answer(backends.Infeasible).infeasible
    result = solve(backends.Infeasible)
    assert (result.status, result.plan) == (Status.UNKNOWN, None)
    assert "no proof" in (result.message or "")


def test_infeasible_with_a_deadline_is_no_proof_either() -> None:
    instance = cloud([bag("A1", (1, 10))], [kind("it1", 2, 8), kind("it2", 1, 10)], budget=2, deadline=60)
    backend = f"{backends.HERE}:Infeasible"
    result = planner.solve(instance, "milp", options={"backend": backend})
    assert (result.status, result.plan) == (Status.UNKNOWN, None)


def test_values_of_no_solution_are_not_shown() -> None:
    result = solve(backends.NothingFound)
    assert (result.status, result.plan) == (Status.UNKNOWN, None)
    assert "without a plan" in (result.message or "")


def test_a_plan_is_a_plan_whatever_the_status_says() -> None:
    assert solve(backends.Modest).makespan == 80


@pytest.mark.parametrize(
    ("backend", "words"),
    [
        (backends.Raising, "the backend broke"),
        (backends.Crashing, "signal 6 and no answer: last words"),
        (backends.Exiting, "ended with code 7"),
    ],
)
def test_a_crash_is_told(backend: type[backends.Stub], words: str) -> None:
    with pytest.raises(BackendFailed, match=words) as error:
        solve(backend)
    assert error.value.exit_code == 1


def test_a_crash_in_the_tie_break_leaves_the_plan() -> None:
    result = solve(backends.CrashingLater)
    assert result.makespan == 50
    assert result.stopped_by is StoppedBy.ERROR
    assert "the tie-break failed" in (result.message or "")


def test_a_backend_that_ignores_the_limit_is_killed_with_its_children() -> None:
    # Its child would be an orphan without ancestors here: all ids are noted while it runs.
    seen: set[int] = set()
    watch = threading.Timer(0.7, lambda: seen.update(_backends(os.getpid())))
    watch.start()
    started = time.monotonic()
    found = answer(backends.Hanging, effort=Effort(TimeLimit(1.0)))
    assert time.monotonic() - started < 2.5
    assert (found.plan, found.stopped_by) == (None, StoppedBy.TIME_LIMIT)
    assert "was killed" in (found.message or "")
    watch.join()
    assert seen
    _until(lambda: not seen & _alive().keys())
    assert solve(backends.Hanging, time_limit=0.5).status is Status.UNKNOWN


def test_a_backend_is_asked_before_it_is_killed() -> None:
    result = solve(backends.StoppingLate, time_limit=1.0)
    assert (result.status, result.makespan) == (Status.FEASIBLE, 80)
    assert result.stopped_by is StoppedBy.TIME_LIMIT


@pytest.mark.parametrize("backend", [backends.Hanging, backends.StoppingLate])
def test_the_stop_flag_is_heard(backend: type[backends.Stub]) -> None:
    stop = threading.Event()
    timer = threading.Timer(1.0, stop.set)
    timer.start()
    found = answer(backend, effort=Effort(TimeLimit(60), stop=stop))
    timer.join()
    assert found.stopped_by is StoppedBy.INTERRUPTED
    assert (found.plan is None) is (backend is backends.Hanging)


def _command(backend: str, folder: Path) -> subprocess.Popen[str]:
    """`planner solve` in a process of its own, once its backend runs."""
    instance = SHIPPED / "cloud" / "tiny" / "tiny.json"
    options = ["--json", "--backend", f"{backends.HERE}:{backend}"]
    mark = {"PLANNER_TEST_MARK": str(folder / "running"), "TMPDIR": str(folder)}
    process = subprocess.Popen(
        [sys.executable, "-m", "planner", "solve", str(instance), *options],
        env={**os.environ, "PYTHONPATH": str(ROOT), **mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    started.append(process)
    _until((folder / "running").exists)
    (folder / "running").unlink()
    return process


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    assert condition()


@pytest.mark.parametrize(("backend", "code"), [("StoppingLate", 0), ("Hanging", 130)])
def test_ctrl_c_prints_the_plan_of_a_backend_that_listens(backend: str, code: int, tmp_path: Path) -> None:
    process = _command(backend, tmp_path)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == code, err
    if code == 0:
        assert json.loads(out)["makespan"] == 80
        assert json.loads(out)["stopped_by"] == "interrupted"
    else:
        assert out == ""


def test_a_planner_that_dies_leaves_no_backend_behind(tmp_path: Path) -> None:
    process = _command("Hanging", tmp_path)
    _until(lambda: len(_backends(process.pid)) == 2)
    running = _backends(process.pid)
    process.kill()
    process.communicate(timeout=20)
    _until(lambda: not running & _alive().keys())
    for left in tmp_path.iterdir():  # nobody was there any more to remove it
        shutil.rmtree(left)


def test_nothing_is_started_after_the_stop() -> None:
    effort = Effort()
    effort.stop.set()
    assert answer(backends.Hanging, effort=effort).stopped_by is StoppedBy.INTERRUPTED


def test_what_a_backend_prints_goes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    assert solve(backends.Chatty).makespan == 50
    assert capfd.readouterr().out == ""


def test_an_unknown_backend_is_missing_and_the_others_are_named() -> None:
    with pytest.raises(BackendMissing, match=r"not known to PuLP; PuLP finds: .*PULP_CBC_CMD") as error:
        planner.solve(TINY, "milp:backend=SPC")
    assert error.value.exit_code == 2
    with pytest.raises(BackendMissing, match="'MOSEK' is not installed here"):
        planner.solve(TINY, "milp:backend=MOSEK")


def test_a_bound_of_the_backend_counts_less_its_tolerance() -> None:
    assert answer(backends.Bounding).bound == 50
    assert solve(backends.Bounding).status is Status.OPTIMAL


def test_a_bound_above_the_plan_is_an_error() -> None:
    with pytest.raises(CheckFailed, match="bound 82 exceeds the plan's checked makespan 80"):
        solve(backends.Overclaiming)


def test_an_infinite_bound_is_none() -> None:
    assert answer(backends.Unbounded).bound is None
