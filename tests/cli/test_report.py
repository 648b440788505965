"""`--report` of compare and simulate: what is written, and what is refused before anything runs."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from planner.cli.app import run
from tests.cli.conftest import ROOT, Planner
from tests.stubs import write_instance

SYSTEM = {
    "format": "planner/grid/1",
    "name": "little",
    "schedulers": 2,
    "steps": 60,
    "resources": {"count": 4, "capacity": {"uniform": [1, 3]}},
    "jobs": {"load": 0.5, "length": {"constant": 2}, "arrivals": "poisson"},
}


def test_compare_writes_a_page(planner: Planner) -> None:
    write_instance(Path("second.json"), "<b>second</b>")
    ran = planner("compare", "tiny.json", "second.json", "--solvers", "exact,unknown", "--report", "out.html")
    assert ran.code == 0
    assert "wrote out.html" in ran.err
    page = Path("out.html").read_text(encoding="utf-8")
    assert "planner compare tiny.json second.json --solvers exact,unknown --report out.html" in page
    assert "2 solvers compared" in page
    assert "&lt;b&gt;second&lt;/b&gt;" in page
    assert "<b>second" not in page
    assert 'id="plan"' in page


def test_the_command_is_quoted_as_a_shell_needs_it(planner: Planner) -> None:
    write_instance(Path("a b.json"), "ab")
    planner("compare", "a b.json", "--solvers", "feasible:rounds=5, exact", "--report", "out.md")
    text = Path("out.md").read_text(encoding="utf-8")
    assert "planner compare 'a b.json' --solvers 'feasible:rounds=5, exact' --report out.md" in text


def test_a_failed_cell_is_told_with_its_traceback(planner: Planner) -> None:
    ran = planner("compare", "tiny.json", "--solvers", "exact,crashing", "--report", "out.html")
    page = Path("out.html").read_text(encoding="utf-8")
    assert ran.code != 0
    assert "1 cell failed" in page
    assert "Traceback (most recent call last)" in page


def test_markdown_and_csv_by_the_ending(planner: Planner) -> None:
    planner("compare", "tiny.json", "--solvers", "exact,feasible", "--report", "out.md")
    planner("compare", "tiny.json", "--solvers", "exact,feasible", "--report", "out.csv")
    assert Path("out.md").read_text(encoding="utf-8").startswith("# tiny: 2 solvers compared\n")
    with Path("out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["solver"], row["makespan"], row["gap"]) for row in rows] == [
        ("exact", "50.0", "0.0"),
        ("feasible", "80.0", "0.375"),
    ]


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("out.pdf", "must end in .html, .md or .csv"),
        ("-", "a file's name is needed"),
        ("no/out.html", "no folder"),
    ],
)
@pytest.mark.parametrize("command", ["compare", "simulate"])
def test_what_cannot_be_written_is_refused_first(
    planner: Planner, command: str, file: str, words: str
) -> None:
    ran = planner(command, "tiny.json", "--report", file)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_a_report_does_not_replace_what_is_read(planner: Planner) -> None:
    Path("tiny.json").rename("tiny.html")
    ran = planner("compare", "tiny.html", "--report", "tiny.html")
    assert ran.code == 2
    assert "would be lost" in ran.err


def test_simulate_writes_a_page_with_curves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("little.json").write_text(json.dumps(SYSTEM), encoding="utf-8")
    code = run(
        ["simulate", "little.json", "--policies", "lls,rs", "--seeds", "1-3", "--report", "out.html", "-q"]
    )
    assert code == 0
    page = Path("out.html").read_text(encoding="utf-8")
    assert "little: lls, rs simulated" in page
    assert re.search(r'<svg [^>]*id="part1-load1"', page)
    assert "bands from the least to the greatest" in page
    assert "1–3" in page


def test_grid_steps_are_reported_with_their_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    step = {
        "format": "planner/grid-step/1",
        "name": "s",
        "resources": [{"name": "r1", "capacity": 4, "backlog": 12}, {"name": "r2", "capacity": 2}],
        "jobs": [{"name": f"j{n}", "length": 10 + n} for n in range(5)],
    }
    Path("s.json").write_text(json.dumps(step), encoding="utf-8")
    assert run(["compare", "s.json", "--solvers", "assignment,mct", "--report", "out.html", "-q"]) == 0
    page = Path("out.html").read_text(encoding="utf-8")
    assert "Grid step: flow of 2 solvers on 1 instance" in page
    assert "keeps 2 resources busy until" in page


@pytest.mark.slow
def test_the_papers_budgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = ROOT / "instances" / "cloud" / "thai2015-160"
    assert (
        run(["compare", str(folder), "--solvers", "exact,heuristic,mi,mp", "--report", "out.html", "-q"]) == 0
    )
    page = Path("out.html").read_text(encoding="utf-8")
    assert "thai2015-160: makespan of mp is" in page
    assert "mp rents only it1" in page
