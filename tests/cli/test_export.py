"""`planner export`, and solver milp with its backends on the command line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import pulp
import pytest

from planner.cli.app import run as run_app
from tests.cli.conftest import ROOT, Planner, Ran
from tests.instances import SHIPPED
from tests.stubs import write_instance

TINY = SHIPPED / "cloud" / "tiny"


@pytest.fixture
def planner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Planner:
    """Run a command line in `tmp_path`, with the real solvers."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Ran:
        with warnings.catch_warnings():
            code = run_app([str(argument) for argument in arguments])
        streams = capsys.readouterr()
        return Ran(code, streams.out, streams.err)

    return call


def cbc(path: Path) -> Fraction:
    """The optimum that CBC finds in a file, run by hand as anyone would."""
    program = pulp.PULP_CBC_CMD.pulp_cbc_path
    run = subprocess.run([program, str(path), "solve"], capture_output=True, text=True, check=True)
    assert "read with 0 errors" in run.stdout or path.suffix == ".lp"
    found = re.search(r"^Objective value:\s+(\S+)$", run.stdout, re.MULTILINE)
    assert found, run.stdout
    return Fraction(found[1])


@pytest.mark.parametrize("form", ["mps", "lp"])
@pytest.mark.parametrize(
    ("name", "objective", "optimum"),
    [
        ("tiny", "makespan", 25),  # 50 s in ticks of 2 s
        ("tiny", "cost", 1),
        ("decimals", "makespan", 4),
        ("decimals", "cost", 1),
        ("cannot-run", "makespan", None),
        ("max-vms", "cost", None),
    ],
)
def test_cbc_finds_the_optimum_in_the_file(
    planner: Planner, tmp_path: Path, form: str, name: str, objective: str, optimum: int | None
) -> None:
    file = tmp_path / f"program.{form}"
    source = TINY / f"{name}.json"
    ran = planner("export", source, "--format", form, "--objective", objective, "--output", file)
    assert (ran.code, ran.out) == (0, "")
    assert f"wrote {file}" in ran.err
    found = cbc(file)
    if optimum is not None:
        assert found == optimum
    unit = re.search(r"in (?:ticks|coins) of (\d+(?:/\d+)?)", file.read_text().splitlines()[1])
    assert unit
    solved = planner("solve", source, "--objective", objective, "--json")
    result = json.loads(solved.out)
    assert found * Fraction(unit[1]) == Fraction(result["exact"][objective])


@pytest.mark.parametrize("form", ["mps", "lp"])
def test_every_byte_is_the_same_in_every_run(form: str) -> None:
    source = SHIPPED / "cloud" / "thai2015" / "b60.json"
    one, two = (
        subprocess.run(
            [sys.executable, "-m", "planner", "export", str(source), "--format", form],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in "12"
    )
    assert one == two
    assert "x(it3,2,A1,5)" in one


@pytest.mark.parametrize("form", ["mps", "lp"])
def test_odd_names_are_read(planner: Planner, tmp_path: Path, form: str) -> None:
    long = "m" * 40
    types = [
        {"name": name, "price": 1, "seconds_per_unit": {"e1 <= \\ App": 10}}
        for name in ("a b", "a_b", "größe", "3*x", long, long + "m")
    ]
    applications = [{"name": "e1 <= \\ App", "tasks": [{"size": 1, "count": 3}, {"size": 2.5, "count": 1}]}]
    file = write_instance(
        tmp_path / "odd.json", "odd: * \\ 日", budget=6, instance_types=types, applications=applications
    )
    ran = planner("export", file, "--format", form, "--output", f"odd.{form}")
    assert ran.code == 0, ran.err
    text = (tmp_path / f"odd.{form}").read_text(encoding="utf-8")
    assert text.isascii()
    assert cbc(tmp_path / f"odd.{form}") * 5 == 25


@pytest.mark.parametrize("form", ["mps", "lp"])
def test_an_infeasible_instance_is_exported_and_infeasible(
    planner: Planner, tmp_path: Path, form: str
) -> None:
    file = write_instance(tmp_path / "poor.json", "poor", budget=0)
    out = tmp_path / f"poor.{form}"
    assert planner("export", file, "--format", form, "--output", out).code == 0
    program = pulp.PULP_CBC_CMD.pulp_cbc_path
    run = subprocess.run([program, str(out), "solve"], capture_output=True, text=True, check=True)
    assert "nfeasible" in run.stdout


def test_what_cannot_be_exported(planner: Planner, tmp_path: Path) -> None:
    file = write_instance(tmp_path / "tiny.json")
    assert planner("export", file, "--format", "xls").code == 2
    assert planner("export", "missing.json").code == 3
    many = [{"name": "A1", "tasks": [{"size": 1, "count": 10**6}]}]
    ran = planner("export", write_instance(tmp_path / "many.json", budget=None, applications=many))
    assert (ran.code, ran.out) == (2, "")
    assert "coefficients" in ran.err


def test_a_backend_chooses_the_solver(planner: Planner, tmp_path: Path) -> None:
    file = write_instance(tmp_path / "tiny.json")
    ran = planner("solve", file, "--backend", "cbc", "--json")
    result = json.loads(ran.out)
    assert (ran.code, result["solver"], result["status"]) == (0, "milp", "optimal")
    assert result["options"] == {"backend": "cbc"}
    assert planner("solve", file, "--solver", "exact", "--backend", "CBC").code == 2


@pytest.mark.parametrize(
    ("backend", "code", "status"),
    [
        ("Right", 0, "optimal"),
        ("LyingAtTheLimit", 0, "feasible"),
        ("LyingOutright", 0, "feasible"),
        ("Chatty", 0, "optimal"),
        ("Infeasible", 5, "unknown"),
        ("NothingFound", 5, "unknown"),
        ("Hanging", 5, "unknown"),
        ("OverBudget", 6, "failed"),
        ("Fractional", 6, "failed"),
        ("Overclaiming", 6, "failed"),
        ("Crashing", 1, "failed"),
        ("Raising", 1, "failed"),
    ],
)
def test_exit_codes_of_faulty_backends(
    planner: Planner, tmp_path: Path, backend: str, code: int, status: str
) -> None:
    file = write_instance(tmp_path / "tiny.json")
    module = f"tests.solvers.cloud.backends:{backend}"
    ran = planner("solve", file, "--backend", module, "--json", "--time-limit", "3")
    result = json.loads(ran.out)
    assert (ran.code, result["status"]) == (code, status), ran.err
    if code:
        assert result["plan"] is None
    assert "Traceback" not in ran.err


def test_a_missing_backend(planner: Planner, tmp_path: Path) -> None:
    ran = planner("solve", write_instance(tmp_path / "tiny.json"), "--backend", "SPC")
    assert (ran.code, ran.out) == (2, "")
    assert "PuLP finds: " in ran.err


def test_the_ending_of_the_output_decides_the_format(planner: Planner, tmp_path: Path) -> None:
    planner("export", str(TINY / "tiny.json"), "-o", str(tmp_path / "a.lp"))
    planner("export", str(TINY / "tiny.json"), "-o", str(tmp_path / "a.mps"))
    assert "subject to" in (tmp_path / "a.lp").read_text(encoding="utf-8").lower()
    assert "ROWS" in (tmp_path / "a.mps").read_text(encoding="utf-8")
    planner("export", str(TINY / "tiny.json"), "--format", "mps", "-o", str(tmp_path / "b.lp"))
    assert "ROWS" in (tmp_path / "b.lp").read_text(encoding="utf-8")
