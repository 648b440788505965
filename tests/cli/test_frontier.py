"""`planner frontier`: table, codes, JSON, CSV and pictures."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry

from planner import files
from planner.cli.app import run as run_app
from planner.report.frontier import COLUMNS
from tests.cli.conftest import ROOT, Planner
from tests.stubs import write_instance

THAI = str(ROOT / "instances" / "cloud" / "thai2015-160" / "b60.json")


def test_the_table_reads_well_at_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run_app(["frontier", THAI, "--budgets", "35:50:5", "--overlay", "heuristic,mi,mp"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].split() == ["budget", "makespan", "cost", "bound", "gap", "status", "VMs"]
    assert lines[2].split() == ["35", "-", "-", "-", "-", "infeasible", "-"]
    assert lines[3].split()[:7] == ["40", "3360", "40", "3360", "0.00", "%", "optimal"]
    assert lines[7].split() == ["budget", "heuristic", "mi", "mp"]
    assert lines[9].split() == ["45", "2990", "(+0.00", "%)", "3278", "(+9.63", "%)", "3520", "(+17.73", "%)"]
    assert " ".join(lines[-2:]) == (
        "4 budgets; all proven; 1 too small; the least budget that works is 40; "
        "no other budget between 40 and 50 changes the makespan"
    )


def test_json_satisfies_its_schema(planner: Planner) -> None:
    ran = planner("frontier", "tiny.json", "--budgets", "2,3.1", "--overlay", "feasible:rounds=5", "--json")
    frontier = json.loads(ran.out)
    Draft202012Validator(files.schemas()["planner/frontier/1"], registry=Registry()).validate(frontier)
    assert frontier["format"] == "planner/frontier/1"
    assert frontier["instance"] == "tiny"
    assert frontier["instance_sha256"] == files.read("tiny.json").sha256
    assert [(p["budget"], p["exact_budget"]) for p in frontier["points"]] == [(2, "2"), (3.1, "31/10")]
    assert {point["result"]["format"] for point in frontier["points"]} == {"planner/result/1"}
    (own,) = frontier["overlays"].values()
    assert list(frontier["overlays"]) == ["feasible:rounds=5"]
    assert [point["result"]["bound"] for point in own] == [50, 50]


def test_files_are_written(planner: Planner) -> None:
    ran = planner(
        *("frontier", "tiny.json", "--budgets", "2:4:1"),
        *("--csv", "rows.csv", "--svg", "plot.svg", "--png", "plot.png", "--output", "table.txt"),
    )
    assert (ran.code, ran.out) == (0, "")
    with Path("rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["budget_exact"] for row in rows] == ["2", "3", "4"]
    assert ElementTree.parse("plot.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert Path("plot.png").read_bytes().startswith(b"\x89PNG")
    assert Path("table.txt").read_text(encoding="utf-8").startswith("tiny  solver exact\n")
    assert sorted(path.name for path in Path().iterdir()) == [
        *("plot.png", "plot.svg", "rows.csv", "table.txt", "tiny.json")
    ]


@pytest.mark.parametrize("option", ["--csv", "--svg", "--png"])
def test_what_cannot_be_written_is_told_first(planner: Planner, option: str) -> None:
    ran = planner("frontier", "tiny.json", "--budgets", "2", option, "nowhere/x")
    assert (ran.code, ran.out) == (2, "")
    assert f"{option}: there is no folder nowhere" in ran.err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("--budgets 2,3", 0),
        ("--budgets 2 --overlay unknown", 0),
        ("--budgets 2 --overlay unsupporting", 0),
        ("--budgets 2 --overlay lying", 6),
        ("--budgets 2 --overlay infeasible", 6),
        ("--budgets 2 --overlay interrupting", 130),
        ("--budgets 2,3 --solver infeasible", 6),  # its least budget is the stub exact's, which has a plan
        ("--budgets 2,3 --solver unknown", 5),
        ("--budgets 2,3 --solver crashing", 1),
        ("--budgets 2,3 --solver interrupting", 130),
        ("--budgets 2,3 --solver interrupted-late", 130),
        ("--budgets 2,3 --solver unsupporting", 2),
        ("--budgets 2,3 --solver absent", 2),
        ("--budgets 2,3 --solver exakt", 2),
        ("--budgets 2:3:0", 2),
        ("--budgets 3:2:1", 2),
        ("--budgets 0:1:0.00001", 2),
        ("--budgets two", 2),
        ("--budgets 2 --points 3", 2),
        ("--budgets 2 --to 3", 2),
        ("--points 1", 2),
        ("--from 3 --to 2", 2),
        ("--from -1", 2),
        ("--time-limit 0", 2),
        ("--objective cost", 2),
    ],
)
def test_code(planner: Planner, arguments: str, code: int) -> None:
    ran = planner("frontier", "tiny.json", *arguments.split())
    assert ran.code == code
    assert (ran.err == "") == (code in (0, 5))
    assert "Traceback" not in ran.err
    if code == 2:
        assert ran.out == ""


def test_infeasible_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_app(["frontier", THAI, "--budgets", "10:30:10"]) == 4
    assert "3 budgets; none works; the least budget that works is 40" in capsys.readouterr().out
    assert run_app(["frontier", THAI, "--budgets", "10,40"]) == 0


def test_an_interrupt_prints_the_points_so_far(planner: Planner) -> None:
    ran = planner("frontier", "tiny.json", "--budgets", "2:9:1", "--solver", "interrupted-late", "--json")
    assert [point["budget"] for point in json.loads(ran.out)["points"]] == [9]
    assert "interrupted; 7 budgets have no point" in ran.err


def test_an_invalid_file(planner: Planner) -> None:
    write_instance(Path("bad.json"), budget=-1)
    ran = planner("frontier", "bad.json")
    assert (ran.code, ran.out) == (3, "")


def test_names_cannot_act(planner: Planner) -> None:
    write_instance(Path("odd.json"), "\u202e$x$", currency="$")
    ran = planner("frontier", "odd.json", "--budgets", "2", "--svg", "odd.svg")
    assert ran.code == 0
    assert "\u202e" not in ran.out + Path("odd.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("option", [["--svg", "a.pdf"], ["--png", "a.svg"], ["--svg", "-"], ["--csv", "-"]])
def test_a_file_of_another_kind_is_refused(planner: Planner, option: list[str]) -> None:
    ran = planner("frontier", "tiny.json", "--solver", "exact", *option)
    assert (ran.code, ran.out) == (2, "")
    assert option[0] in ran.err
    assert list(Path().glob("a.*")) == []
