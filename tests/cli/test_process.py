"""What only shows in a process of its own: signals, pipes, descriptors, and what gets imported."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, start
from tests.stubs import write_instance

HEAVY = ["click", "numpy", "ortools", "pandas", "pulp", "pydantic", "rich", "simplejson"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_instance(tmp_path / "tiny.json")
    return tmp_path


def _imported(code: str) -> list[str]:
    script = f"import sys\n{code}\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    return list(json.loads(done.stdout.splitlines()[-1].replace("'", '"')))


def test_import_planner_imports_nothing_heavy() -> None:
    assert _imported("import planner; dir(planner)") == []


def test_names_of_the_package_do_not_import_backends() -> None:
    assert _imported("import planner; planner.solve, planner.compare, planner.Result") == []


def test_help_imports_click_only() -> None:
    assert _imported("from planner.cli.app import run; run(['--help'])") == ["click"]


def test_help_of_every_command_imports_click_only() -> None:
    code = "from planner.cli.app import COMMANDS, run\nfor name in COMMANDS: run([name, '--help'])"
    assert _imported(code) == ["click"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(("solver", "bound"), [("slow", 45), ("deaf", 0)])
def test_a_signal_prints_the_best_plan_so_far(folder: Path, number: int, solver: str, bound: int) -> None:
    process = start("solve", "tiny.json", "--solver", solver, "--json", cwd=folder)
    assert process.stderr is not None
    assert process.stderr.readline() == "READY\n"
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    result = json.loads(out)
    assert (result["status"], result["stopped_by"], result["makespan"]) == ("feasible", "interrupted", 80)
    assert result["bound"] == bound
    assert process.returncode == 0
    assert "Traceback" not in err


def test_a_solver_that_overruns_the_limit_is_left_behind(folder: Path) -> None:
    started = time.monotonic()
    process = start("solve", "tiny.json", "--solver", "deaf", "--json", "--time-limit", "0.5", cwd=folder)
    out, _ = process.communicate(timeout=20)
    assert time.monotonic() - started < 15
    assert json.loads(out)["stopped_by"] == "time_limit"
    assert json.loads(out)["makespan"] == 80
    assert process.returncode == 0


def test_an_interrupted_comparison_prints_what_it_has(folder: Path) -> None:
    write_instance(folder / "zeta.json", "zeta")
    process = start("compare", ".", "--solvers", "exact,slow", "--json", cwd=folder)
    assert process.stderr is not None
    assert process.stderr.readline() == "READY\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    results = json.loads(out)["results"]
    assert [(r["instance"], r["solver"]) for r in results] == [("tiny", "exact"), ("tiny", "slow")]
    assert results[1]["bound"] == 50  # shared although the run was interrupted
    assert process.returncode == 130
    assert "2 of 4 cells have no result" in err


def test_what_solvers_print_does_not_reach_stdout(folder: Path) -> None:
    process = start("solve", "tiny.json", "--solver", "chatty", "--json", cwd=folder)
    out, err = process.communicate(timeout=20)
    assert json.loads(out)["status"] == "optimal"
    assert "chatter" not in err
    loud = start("solve", "tiny.json", "--solver", "chatty", "--json", "-v", cwd=folder)
    out, err = loud.communicate(timeout=20)
    assert len(out.splitlines()) == 1
    assert "chatter of a library" in err
    assert "chatter of a child" in err


@pytest.mark.parametrize(
    "arguments", [["solve", "tiny.json"], ["--help"], ["solvers", "--no-test"], ["schema"]]
)
def test_a_reader_that_has_gone_is_no_error(folder: Path, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = start(*arguments, cwd=folder, stdout=writer)
    os.close(writer)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", [["solve", "tiny.json"], ["--help"]])
def test_a_full_disk_is_told_in_one_line(folder: Path, arguments: list[str]) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = start(*arguments, cwd=folder, stdout=full)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 1
    assert err.startswith("error: ")
    assert len(err.splitlines()) == 1


def test_no_colours_and_no_progress_in_a_pipe(folder: Path) -> None:
    process = start("compare", "tiny.json", "--solvers", "exact,feasible", cwd=folder)
    out, err = process.communicate(timeout=20)
    assert "\x1b" not in out
    assert err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colours_on_a_terminal_unless_no_color(folder: Path, no_color: str, coloured: bool) -> None:
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": no_color, "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.stubs", "solve", "tiny.json"],
        cwd=folder,
        env=environment,
        stdout=theirs,
        stderr=subprocess.PIPE,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    process.communicate(timeout=20)
    os.close(ours)
    assert b"makespan" in shown
    assert (b"\x1b[" in shown) is coloured


def test_python_m_planner() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "planner", "slove"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'solve'?" in done.stderr
