"""Nothing is lost however a run ends: kill -9 of client or worker, Ctrl-C, two runs at once."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from pathlib import Path

import psutil
import pytest

from tests.cli.conftest import Planner
from tests.studies.conftest import log_of, start, until, write_study

pytestmark = pytest.mark.slow  # real processes are started and killed

CELLS = 60


@pytest.fixture
def log(folder: Path) -> Path:
    """The log of a study of `CELLS` cells of 0.1 s."""
    write_study(folder / "s.toml", solvers=["logs:path=log;seconds=0.1"], seeds=f"1-{CELLS}")
    return folder / "log"


def status(planner: Planner) -> dict[str, int]:
    found: dict[str, int] = json.loads(planner("study", "status", "s.toml", "--json").out)
    return found


def gone(process: int) -> bool:
    return not psutil.pid_exists(process) or psutil.Process(process).status() == psutil.STATUS_ZOMBIE


def test_kill_of_the_client_loses_cells_in_flight_at_most(planner: Planner, folder: Path, log: Path) -> None:
    for least in (10, 25, 40):
        run = start("study", "run", "s.toml", "--workers", "2", cwd=folder)
        until(lambda: len(log_of(log)) >= least)  # noqa: B023 - called in this very round
        run.send_signal(signal.SIGKILL)
        run.communicate()
        workers = {process for _, process in log_of(log)}
        until(lambda: all(map(gone, workers)), 10)  # noqa: B023
        ran = len(log_of(log))
        found = status(planner)
        assert found["failed"] == 0
        assert found["done"] > 0
    assert planner("study", "run", "s.toml").code == 0
    assert status(planner) == {"total": CELLS, "done": CELLS, "failed": 0, "pending": 0}
    times = Counter(seed for seed, _ in log_of(log))
    assert len(times) == CELLS
    # Two workers with one cell each, three times; what they had done and not yet handed over included.
    assert len(log_of(log)) - CELLS <= 3 * 4, ran


def test_workers_end_with_their_client_even_where_no_thread_of_theirs_runs(folder: Path) -> None:
    write_study(folder / "s.toml", solvers=["logs:path=log", "holds"], time_limit=3600)
    run = start("study", "run", "s.toml", "--workers", "1", cwd=folder)
    until(lambda: len(log_of(folder / "log")) == 1)
    worker = log_of(folder / "log")[0][1]
    until(lambda: psutil.Process(worker).cpu_times().user > 0.5 and not gone(worker))
    run.send_signal(signal.SIGKILL)
    run.communicate()
    until(lambda: gone(worker), 10)


def test_kill_of_a_worker_fails_one_cell(planner: Planner, folder: Path, log: Path) -> None:
    run = start("study", "run", "s.toml", "--workers", "2", cwd=folder)
    until(lambda: len(log_of(log)) >= 10)
    os.kill(log_of(log)[-1][1], signal.SIGKILL)
    _, err = run.communicate()
    assert run.returncode == 1
    assert "the process was ended by SIGKILL; most likely the system ran out of memory" in " ".join(
        err.split()
    )
    assert status(planner) == {"total": CELLS, "done": CELLS - 1, "failed": 1, "pending": 0}
    assert len(log_of(log)) == CELLS
    assert planner("study", "run", "s.toml", "--retry-failed").code == 0


def test_ctrl_c_keeps_what_is_done(planner: Planner, folder: Path, log: Path) -> None:
    run = start("study", "run", "s.toml", "--workers", "2", cwd=folder)
    until(lambda: len(log_of(log)) >= 10)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate()
    assert run.returncode == 130
    assert "cells have no result yet" in err
    assert "pending" in out
    found = status(planner)
    assert 0 < found["done"] < CELLS
    assert found["failed"] == 0
    until(lambda: all(gone(process) for _, process in log_of(log)), 10)
    assert not list(folder.glob("*claimer*"))
    assert planner("study", "run", "s.toml").code == 0
    assert len(log_of(log)) - CELLS <= 4


def test_two_runs_at_once_run_each_cell_once(planner: Planner, folder: Path, log: Path) -> None:
    runs = [start("study", "run", "s.toml", "--workers", "2", "--json", cwd=folder) for _ in range(2)]
    for run in runs:
        out, err = run.communicate()
        assert run.returncode == 0, err
        assert json.loads(out) == {"total": CELLS, "done": CELLS, "failed": 0, "pending": 0}
    assert sorted(seed for seed, _ in log_of(log)) == list(range(1, CELLS + 1))
    assert len({process for _, process in log_of(log)}) == 4
    assert status(planner)["done"] == CELLS


def test_a_run_takes_over_what_a_killed_one_was_at(planner: Planner, folder: Path, log: Path) -> None:
    first = start("study", "run", "s.toml", "--workers", "1", cwd=folder)
    until(lambda: len(log_of(log)) >= 3)
    second = start("study", "run", "s.toml", "--workers", "1", cwd=folder)
    until(lambda: len({process for _, process in log_of(log)}) == 2)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    _, err = second.communicate()
    assert second.returncode == 0, err
    assert status(planner) == {"total": CELLS, "done": CELLS, "failed": 0, "pending": 0}
    assert len(log_of(log)) - CELLS <= 2


def test_shards_and_merge(planner: Planner, log: Path) -> None:
    for index in (1, 2, 3):
        ran = planner("study", "run", "s.toml", "--shard", f"{index}/3", "--store", f"{index}.sqlite")
        assert ran.code == 0
    assert sorted(seed for seed, _ in log_of(log)) == list(range(1, CELLS + 1))
    merged = planner("study", "merge", "s.sqlite", "1.sqlite", "2.sqlite", "3.sqlite")
    assert merged.code == 0
    assert sum(int(line.split(": ")[1].split()[0]) for line in merged.out.splitlines()) == CELLS
    assert status(planner)["done"] == CELLS
