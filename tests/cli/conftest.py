"""The command in this process, with stub solvers, and what came of it."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from planner.cli.app import run as run_app
from solvers import catalog
from tests import stubs

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Planner = Callable[..., Ran]


@pytest.fixture
def stub_solvers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The catalog holds only `tests.stubs`."""
    monkeypatch.setattr(catalog, "_ENTRIES", catalog._ENTRIES)
    monkeypatch.setattr(catalog, "_BOUNDS", catalog._BOUNDS)
    stubs.install()
    yield
    catalog.entries.cache_clear()


@pytest.fixture
def planner(
    stub_solvers: None,  # noqa: ARG001 - wanted for what it does
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Planner:
    """Run a command line in `tmp_path`, which holds tiny.json."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    stubs.write_instance(tmp_path / "tiny.json")

    def call(*arguments: str) -> Ran:
        with warnings.catch_warnings():
            code = run_app(arguments)
        streams = capsys.readouterr()
        return Ran(code, streams.out, streams.err)

    return call


def start(*arguments: str, cwd: Path, **keywords: object) -> subprocess.Popen[str]:
    """The command with stub solvers in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("COLUMNS", None)
    return subprocess.Popen(
        [sys.executable, "-m", "tests.stubs", *arguments],
        cwd=cwd,
        env=environment,
        text=True,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **keywords},  # type: ignore[call-overload]
    )
