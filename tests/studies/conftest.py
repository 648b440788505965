"""A folder with an instance and a study, the bad solvers as an installed distribution, and the command."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from planner.cli.app import run as run_app
from solvers import catalog
from tests.cli.conftest import Planner, Ran
from tests.stubs import write_instance
from tests.studies import bad

ROOT = Path(__file__).resolve().parents[2]
SLOW_TO_START = 60.0  # seconds; several processes may start on a machine that is busy


def install(folder: Path) -> Path:
    """Make the bad solvers a distribution in `folder`, which then is to be on the path."""
    info = folder / "badsolvers-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: badsolvers\nVersion: 1.0\n", encoding="utf-8"
    )
    points = "".join(f"{name} = tests.studies.bad:{made.__name__}\n" for name, made in bad.NAMES.items())
    (info / "entry_points.txt").write_text(f"[{catalog.ENTRY_POINTS}]\n{points}", encoding="utf-8")
    return folder


@pytest.fixture
def bad_solvers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The catalog has the bad solvers, too, here and in all processes that are started."""
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.syspath_prepend(str(install(tmp_path / "site")))
    catalog.entries.cache_clear()
    yield
    catalog.entries.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad_solvers: None) -> Path:  # noqa: ARG001
    """The current folder, which holds tiny.json."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    monkeypatch.delenv("COLUMNS", raising=False)
    write_instance(home / "tiny.json")
    return home


@pytest.fixture
def planner(folder: Path, capsys: pytest.CaptureFixture[str]) -> Planner:  # noqa: ARG001
    """Run a command line in `folder`."""

    def call(*arguments: str) -> Ran:
        code = run_app(arguments)
        streams = capsys.readouterr()
        return Ran(code, streams.out, streams.err)

    return call


def write_study(path: Path, **changes: object) -> Path:
    """Write a study of tiny.json and mi with these keys in addition, or in place of others."""
    keys: dict[str, object] = {
        "format": "planner/study/1",
        "name": "s",
        "instances": ["tiny.json"],
        "solvers": ["mi"],
        **changes,
    }
    lines = [f"{key} = {toml(value)}" for key, value in keys.items() if value is not None]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def toml(value: object) -> str:
    """The value as TOML has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def start(*arguments: str, cwd: Path) -> subprocess.Popen[str]:
    """The command in a process of its own, with the bad solvers."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(cwd.parent / "site"), str(ROOT)])}
    return subprocess.Popen(
        [sys.executable, "-m", "planner", *arguments],
        cwd=cwd,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def until(true: Callable[[], bool], seconds: float = SLOW_TO_START) -> None:
    """Wait until it is true; fail where it does not become so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def log_of(path: Path) -> list[tuple[int, int]]:
    """The seeds and processes in the log of the solver `logs`."""
    if not path.exists():
        return []
    rows = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
    return [(int(seed), int(process)) for seed, process in rows]
