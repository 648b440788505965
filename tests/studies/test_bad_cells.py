"""One bad cell never takes a study down: crashes, memory, time, wrong answers."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import planner as api
from tests.cli.conftest import Planner
from tests.studies.conftest import write_study

pytestmark = pytest.mark.slow  # cells run into their limits


def run(folder: Path, **keys: object) -> api.StudyResult:
    return api.study(write_study(folder / "s.toml", **keys))


def test_crashes_are_failures_with_what_is_known_and_the_others_go_on(folder: Path) -> None:
    bad = ["segfault", "exits", "raises", "lies", "out-of-memory"]
    result = run(folder, solvers=[*bad, "mi", "exact"], seeds=[1, 2], workers=2)
    assert (result.counts.done, result.counts.failed, result.counts.pending) == (4, 10, 0)
    told = {record.solver: (record.error or "", record.traceback or "") for record in result.failures}
    assert told.keys() == set(bad)
    assert told["segfault"][0] == "the process was ended by SIGSEGV"
    assert "in solve" in told["segfault"][1]
    assert told["exits"][0] == "the solver ended its process with exit code 3"
    assert "ZeroDivisionError: a bug" in told["raises"][0]
    assert "in solve" in told["raises"][1]
    assert "bound 81 exceeds" in told["lies"][0]
    assert "MemoryError" in told["out-of-memory"][0] + told["out-of-memory"][1]
    assert sorted(set(result.failure_codes)) == [1, 6]


def test_the_memory_limit(folder: Path) -> None:
    result = run(folder, solvers=["hog", "mi", "mp"], memory_limit=700, workers=1)
    assert result.counts.done == 2
    (failure,) = result.failures
    assert failure.error is not None
    assert failure.error.startswith("killed with ")
    assert "the memory limit is 700 MB" in failure.error


def test_a_limit_below_what_a_worker_needs_fails_cells_and_ends(folder: Path) -> None:
    result = run(folder, solvers=["logs:path=log;seconds=1"], memory_limit=20, seeds=[1, 2], workers=1)
    assert result.counts.failed == 2


def test_a_solver_that_ignores_its_limit_is_left_behind_with_an_answer(folder: Path) -> None:
    result = run(folder, solvers=["deaf", "mi"], time_limit=0.5, seeds=[1, 2], workers=1)
    assert (result.counts.done, result.counts.failed) == (4, 0)
    assert {record.status for record in result.records if record.solver == "deaf"} == {"unknown"}


def test_one_that_stops_its_whole_process_is_killed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.studies.hand.GRACE", 4.0)
    started = time.monotonic()
    result = run(folder, solvers=["holds", "mi"], time_limit=1, workers=1)
    assert time.monotonic() - started < 60
    assert (result.counts.done, result.counts.failed) == (1, 1)
    assert result.failures[0].error == "killed 4 s after the time limit of 1 s, as it did not stop"


def test_a_simulation_at_its_time_limit(folder: Path) -> None:
    system = {
        "format": "planner/grid/1",
        "name": "long",
        "schedulers": 2,
        "steps": 10_000_000,
        "resources": {"count": 2, "capacity": {"uniform": [1, 10]}},
        "jobs": {"load": 0.1, "length": {"constant": 100}, "arrivals": "poisson"},
    }
    (folder / "long.json").write_text(json.dumps(system), encoding="utf-8")
    result = run(folder, instances="long.json", solvers=None, policies=["lls"], time_limit=2, no_bound=True)
    assert "the time limit of 2 s was over after" in str(result.failures[0].error)


def test_an_answer_of_any_status_is_one(planner: Planner, folder: Path) -> None:
    infeasible = json.loads((folder / "tiny.json").read_text(encoding="utf-8")) | {"name": "no", "budget": 0}
    (folder / "no.json").write_text(json.dumps(infeasible), encoding="utf-8")
    write_study(
        folder / "s.toml", instances=["*.json"], solvers=["exact", "mi"], objective=["makespan", "cost"]
    )
    ran = planner("study", "run", "s.toml", "--json")
    assert (ran.code, json.loads(ran.out)) == (0, {"total": 8, "done": 8, "failed": 0, "pending": 0})
    statuses = {record.status for record in api.study("s.toml").records}
    assert statuses == {"optimal", "feasible", "infeasible", "unsupported"}


def test_exit_codes_of_failures(planner: Planner, folder: Path) -> None:
    for solvers, code in ((["raises", "mi"], 1), (["lies", "mi"], 6), (["lies", "raises"], 1)):
        write_study(folder / "s.toml", solvers=solvers)
        ran = planner("study", "run", "s.toml", "--store", f"{solvers[0]}-{solvers[1]}.sqlite")
        assert ran.code == code
        assert "failed" in ran.err
        assert "Traceback" not in ran.err


def test_failures_are_kept_and_run_again_when_asked_for(planner: Planner, folder: Path) -> None:
    write_study(folder / "s.toml", solvers=["fails-once:path=flag", "mi"])
    assert planner("study", "run", "s.toml").code == 1
    status = planner("study", "status", "s.toml")
    assert status.code == 0
    assert "2 cells: 1 done, 1 failed, 0 pending" in status.out
    assert "ZeroDivisionError: the first time" in " ".join(status.out.split())
    assert "in solve" in planner("study", "status", "s.toml", "-v").err
    assert planner("study", "run", "s.toml").code == 1
    assert json.loads(planner("study", "status", "s.toml", "--json").out)["failed"] == 1
    assert planner("study", "run", "s.toml", "--retry-failed").code == 0
    assert json.loads(planner("study", "status", "s.toml", "--json").out)["failed"] == 0


def test_a_file_that_changes_in_the_meantime(folder: Path) -> None:
    def change(_: object) -> None:
        with (folder / "tiny.json").open("a", encoding="utf-8") as file:
            file.write("\n")

    result = api.study(write_study(folder / "s.toml"), on_start=change)
    assert "was changed while the study ran" in str(result.failures[0].error)


def test_workers_that_cannot_start(planner: Planner, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "sitecustomize.py").write_text(
        "import os\nos.write(2, b'no way')\nos._exit(9)\n", encoding="utf-8"
    )
    write_study(folder / "s.toml")
    monkeypatch.syspath_prepend(str(folder))
    ran = planner("study", "run", "s.toml")
    assert ran.code == 1
    assert "a worker process could not start: no way" in ran.err
    assert json.loads(planner("study", "status", "s.toml", "--json").out)["pending"] == 1
