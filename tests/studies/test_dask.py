"""The engine dask, with real schedulers and workers that are processes and talk over TCP."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import planner as api
from tests.cli.conftest import Planner
from tests.files.samples import SYSTEM
from tests.studies.conftest import ROOT, log_of, start, until, write_study

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

pytestmark = pytest.mark.slow
CELLS = 30


class Cluster:
    """A scheduler, and workers that may be started and killed one by one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        host, port = self.address.removeprefix("tcp://").split(":")
        self._processes = [self._start("scheduler", "--host", host, "--port", port, "--no-dashboard")]
        until(self._listens)

    def worker(self, *more: str) -> subprocess.Popen[bytes]:
        """One more worker, of one thread."""
        options = (
            "--nthreads",
            "1",
            "--no-dashboard",
            "--no-nanny",
            "--local-directory",
            str(self.folder.parent),
        )
        process = self._start("worker", self.address, *options, *more)
        self._processes.append(process)
        return process

    def close(self) -> None:
        """Kill all of it."""
        for process in reversed(self._processes):
            process.kill()
            process.wait()

    def _start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        paths = os.pathsep.join([str(self.folder.parent / "site"), str(ROOT)])
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + what, *arguments],
            env={**os.environ, "PYTHONPATH": paths},
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _listens(self) -> bool:
        host, port = self.address.removeprefix("tcp://").split(":")
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
        except OSError:
            return False
        return True


@pytest.fixture
def cluster(folder: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    found = Cluster(folder)
    yield found
    found.close()


def on(cluster: Cluster) -> tuple[str, ...]:
    return ("--engine", "dask", "--scheduler", cluster.address)


def test_the_same_study_on_a_cluster(planner: Planner, folder: Path, cluster: Cluster) -> None:
    cluster.worker()
    cluster.worker()
    (folder / "system.json").write_text(
        json.dumps({**SYSTEM, "jobs": {"file": "d/jobs.csv"}}), encoding="utf-8"
    )
    (folder / "d").mkdir()
    (folder / "d" / "jobs.csv").write_text("step,scheduler,length\n0,0,5\n", encoding="utf-8")
    write_study(
        folder / "s.toml",
        instances=["*.json"],
        solvers=["mi", "segfault", "raises"],
        policies=["lls"],
        seeds="1-3",
    )
    ran = planner("study", "run", "s.toml", "--json", *on(cluster))
    assert (ran.code, json.loads(ran.out)) == (1, {"total": 12, "done": 6, "failed": 6, "pending": 0}), (
        ran.err
    )
    errors = {record.solver: record.error for record in api.study("s.toml").failures}
    assert errors["segfault"] == "the process was ended by SIGSEGV"
    here = api.study("s.toml", "here.sqlite")
    there = api.study("s.toml", "s.sqlite")
    columns = ["instance", "solver", "seed", "status", "objective", "bound"]
    assert here.frame[columns].equals(there.frame[columns])


def test_a_worker_killed_in_the_middle_and_one_that_comes_later(
    planner: Planner, folder: Path, cluster: Cluster
) -> None:
    write_study(
        folder / "s.toml", solvers=["logs:path=" + str(folder / "log") + ";seconds=0.2"], seeds=f"1-{CELLS}"
    )
    first = cluster.worker()
    run = start("study", "run", "s.toml", *on(cluster), cwd=folder)
    until(lambda: len(log_of(folder / "log")) >= 5)
    first.send_signal(signal.SIGKILL)
    cluster.worker()
    out, err = run.communicate(timeout=60)
    assert run.returncode == 0, (out, err)
    assert json.loads(planner("study", "status", "s.toml", "--json").out)["done"] == CELLS
    assert len(log_of(folder / "log")) <= CELLS + 2


def test_nobody_answers(planner: Planner, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.studies.engine_dask.CONNECT_SECONDS", 1)
    write_study(folder / "s.toml")
    ran = planner("study", "run", "s.toml", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9")
    assert (ran.code, ran.out) == (2, "")
    assert "no dask scheduler answers at tcp://127.0.0.1:9" in " ".join(ran.err.split())
    assert json.loads(planner("study", "status", "s.toml", "--json").out)["pending"] == 1
    for address in ("nonsense", "tcp://"):
        ran = planner("study", "run", "s.toml", "--engine", "dask", "--scheduler", address)
        assert (ran.code, ran.out) == (2, "")


def test_a_scheduler_that_goes_away(
    planner: Planner, folder: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("planner.studies.engine_dask._PATIENCE_SECONDS", 2.0)
    write_study(
        folder / "s.toml", solvers=["logs:path=" + str(folder / "log") + ";seconds=0.3"], seeds="1-20"
    )
    cluster.worker()

    def leave(*_: object) -> None:
        if len(log_of(folder / "log")) > 4:
            cluster.close()

    with pytest.raises(api.PlannerError, match=r"has gone; what was done is stored|gave a cell up"):
        api.study("s.toml", engine="dask", scheduler=cluster.address, on_done=leave)
    assert json.loads(planner("study", "status", "s.toml", "--json").out)["done"] > 2


FAKE = """
from importlib import metadata
if metadata.version.__name__ == "version":  # dask loads a preload twice
    real = metadata.version
    metadata.version = lambda name: "0.0.7" if name == "ortools" else real(name)
"""


DIES = """
import os
from planner.studies import engine_dask
engine_dask.LocalEngine = lambda *_: os._exit(1)
"""


def test_other_versions_on_a_worker(planner: Planner, folder: Path, cluster: Cluster) -> None:
    (folder / "fake.py").write_text(FAKE, encoding="utf-8")
    write_study(folder / "s.toml", solvers=["exact"])
    run = start("study", "run", "s.toml", *on(cluster), cwd=folder)  # no worker is there yet
    cluster.worker("--preload", str(folder / "fake.py"))
    late = run.communicate(timeout=60)
    assert run.returncode == 2, late
    early = planner("study", "run", "s.toml", *on(cluster))
    assert early.code == 2
    for told in (late[1], early.err):
        assert "has other versions than this process: ortools 0.0.7 in place of 9." in " ".join(told.split())
    assert json.loads(planner("study", "status", "s.toml", "--json").out)["pending"] == 1
    assert planner("study", "run", "s.toml").code == 0


def test_a_cell_that_takes_its_worker_down(planner: Planner, folder: Path, cluster: Cluster) -> None:
    """As when the system kills the dask worker for the memory that its cell's process has taken."""
    (folder / "die.py").write_text(DIES, encoding="utf-8")
    write_study(folder / "s.toml")
    for _ in range(5):  # dask itself gives a task up after the fourth
        cluster.worker("--preload", str(folder / "die.py"))
    ran = planner("study", "run", "s.toml", *on(cluster))
    assert ran.code == 1
    assert "took down the dask workers" in " ".join(ran.out.split())


def test_settings_that_do_not_go_together(planner: Planner, folder: Path) -> None:
    write_study(folder / "s.toml")
    for more, part in (
        (("--engine", "dask"), "needs the address of a scheduler"),
        (("--scheduler", "tcp://x:1"), "goes with the engine dask only"),
        (("--engine", "desk"), "'desk' is not one of"),
        (("--shard", "3/2"), "is not of the form i/n"),
        (("--shard", "x"), "is not of the form i/n"),
    ):
        ran = planner("study", "run", "s.toml", *more)
        assert (ran.code, ran.out) == (2, "")
        assert part in " ".join(ran.err.split())


def test_without_the_extra(planner: Planner, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_study(folder / "s.toml")
    monkeypatch.setattr("planner.studies.engine_dask.find_spec", lambda _: None)
    ran = planner("study", "run", "s.toml", "--engine", "dask", "--scheduler", "tcp://x:1")
    assert ran.code == 2
    assert "pip install 'gridcloud-planner[dask]'" in " ".join(ran.err.split())
