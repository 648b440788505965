"""`planner compare`: the table, its codes, CSV and JSON."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from planner.cli.app import run
from planner.report.rows import COLUMNS
from tests.cli.conftest import ROOT, Planner
from tests.stubs import write_instance


def test_the_table_reads_well_at_80_columns(planner: Planner) -> None:
    write_instance(Path("second.json"), "second")
    ran = planner("compare", "tiny.json", "second.json", "--solvers", "exact,feasible:rounds=5,unknown")
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert max(len(line) for line in lines) <= 80
    assert lines[0].split() == ["solver", "status", "makespan", "cost", "bound", "gap", "seconds", "VMs"]
    assert lines[2] == "tiny"
    assert lines[3].split()[:7] == ["exact", "optimal", "50", "2", "50", "0.00", "%"]
    assert lines[4].split()[:7] == ["feasible:rounds=5", "feasible", "80", "2", "50", "37.50", "%"]
    assert lines[5].split()[:6] == ["unknown", "unknown", "-", "-", "50", "-"]
    assert lines[6] == "    unknown: found nothing"
    summary = lines[lines.index("feasible:rounds=5") + 1].split()
    assert summary[:8] == ["0/2", "37.50", "%", "37.50", "%", "60.00", "%", "2/2"]


def test_json_is_one_comparison(planner: Planner) -> None:
    ran = planner("compare", "tiny.json", "--solvers", "exact", "--solvers", "feasible", "--json")
    comparison = json.loads(ran.out)
    assert comparison["format"] == "planner/comparison/1"
    assert [result["solver"] for result in comparison["results"]] == ["exact", "feasible"]
    assert {result["format"] for result in comparison["results"]} == {"planner/result/1"}
    assert comparison["results"][1]["bound"] == 50


def test_csv_has_all_rows_and_exact_values(planner: Planner) -> None:
    types = [{"name": "it1", "price": 2, "seconds_per_unit": {"A1": 8.05}}]
    write_instance(Path("odd.json"), 'a,b"c', instance_types=types)
    ran = planner("compare", "odd.json", "--solvers", "feasible,unknown", "--csv", "rows.csv")
    assert ran.code == 0
    with Path("rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(COLUMNS)
    assert (rows[0]["instance"], rows[0]["makespan"], rows[0]["makespan_exact"]) == ('a,b"c', "80.5", "161/2")
    assert (rows[1]["makespan"], rows[1]["plan" if "plan" in rows[1] else "fleet"]) == ("", "")


@pytest.mark.parametrize(
    ("solvers", "code"),
    [
        ("exact,feasible", 0),
        ("exact,unknown,unsupporting", 0),
        ("infeasible,unknown", 0),
        ("exact,crashing", 1),
        ("exact,lying", 6),
        ("exact,invalid", 6),
        ("exact,infeasible", 6),
        ("exact,overclaiming", 6),
        ("exact,lying,crashing", 1),
        ("exact,interrupting", 130),
        ("exact,interrupted-late", 0),
        ("interrupted-late,exact", 130),
        ("exact,absent", 2),
        ("exact,exakt", 2),
        ("exact,,feasible", 2),
        ("", 2),
    ],
)
def test_code(planner: Planner, solvers: str, code: int) -> None:
    ran = planner("compare", "tiny.json", "--solvers", solvers)
    assert ran.code == code
    assert (ran.out == "") == (code == 2)
    assert "Traceback" not in ran.err


def test_a_bound_above_a_checked_plan_fails_the_one_who_claimed_it(planner: Planner) -> None:
    ran = planner("compare", "tiny.json", "--solvers", "exact,overclaiming,feasible", "--json")
    statuses = {result["solver"]: result["status"] for result in json.loads(ran.out)["results"]}
    assert statuses == {"exact": "optimal", "overclaiming": "failed", "feasible": "feasible"}
    assert "bound 80 exceeds the checked makespan 50 of a plan of exact" in ran.err


def test_an_invalid_file_is_told_with_the_others_and_nothing_runs(planner: Planner) -> None:
    write_instance(Path("bad.json"), "bad", budget=-1, deadline="soon")
    write_instance(Path("worse.json"), "worse", applications=[])
    paths = ["tiny.json", "bad.json", "worse.json", "missing.json"]
    ran = planner("compare", *paths, "--solvers", "exact", "--csv", "rows.csv")
    assert (ran.code, ran.out) == (3, "")
    for text in ("bad.json: budget", "bad.json: deadline", "worse.json: applications", "missing.json"):
        assert text in ran.err
    assert not Path("rows.csv").exists()


def test_a_file_given_twice_is_compared_once(planner: Planner) -> None:
    ran = planner("compare", "tiny.json", ".", "--solvers", "exact,exact", "--json")
    assert len(json.loads(ran.out)["results"]) == 1


def test_output_is_what_stdout_would_be(planner: Planner) -> None:
    ran = planner("compare", "tiny.json", "--solvers", "unknown,exact", "--output", "table.txt")
    assert ran.out == ""
    assert ran.err == "wrote table.txt\n"
    table = Path("table.txt").read_text(encoding="utf-8")
    assert (
        table.splitlines()[0]
        == planner("compare", "tiny.json", "--solvers", "unknown,exact").out.splitlines()[0]
    )


def test_columns_widen_the_table_and_numbers_are_never_cut(
    planner: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    types = [{"name": "t" * 30, "price": 2, "seconds_per_unit": {"A1": 98765432101.5}}]
    write_instance(Path("big.json"), "big", instance_types=types, budget=None)
    monkeypatch.setenv("COLUMNS", "40")
    narrow = planner("compare", "tiny.json", "--solvers", "exact,feasible")
    assert "37.50 %" in narrow.out
    assert "optimal" in narrow.out


def test_results_beside_the_instances_are_skipped(planner: Planner) -> None:
    Path("folder").mkdir()
    write_instance(Path("folder/a.json"), "a")
    write_instance(Path("folder/b.json"), "b")
    assert planner("solve", "folder/a.json", "--json", "-o", "folder/out.json").code == 0
    for command in (["compare", "folder", "--solvers", "exact"], ["solve", "folder"]):
        ran = planner(*command)
        assert ran.code == 0
        assert ran.err == "note: folder/out.json holds planner/result/1, skipped\n"
    assert planner("compare", "folder", "--solvers", "exact", "--quiet").err == ""
    assert planner("compare", "folder/out.json", "--solvers", "exact").code == 3
    assert "result for a" in planner("validate", "folder").out


@pytest.mark.parametrize(
    ("objective", "solvers"), [("makespan", ["exact", "heuristic", "mi", "mp"]), ("cost", ["exact"])]
)
def test_the_default_solvers_are_those_that_can_do_the_goal(
    objective: str, solvers: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    tiny = str(ROOT / "instances" / "cloud" / "tiny" / "tiny.json")
    assert run(["compare", tiny, "--objective", objective, "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert [result["solver"] for result in results] == solvers


def test_rows_go_to_a_file_only(planner: Planner) -> None:
    ran = planner("compare", "tiny.json", "--solvers", "exact", "--csv", "-")
    assert (ran.code, ran.out) == (2, "")
    assert "--csv: a file's name is needed" in ran.err


def test_an_interrupt_before_the_first_result_leaves_earlier_files_alone(
    planner: Planner, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.csv"
    kept.write_text("earlier", encoding="utf-8")
    ran = planner("compare", "tiny.json", "--solvers", "interrupting", "--csv", str(kept), "-o", "out.txt")
    assert (ran.code, ran.out) == (130, "")
    assert kept.read_text(encoding="utf-8") == "earlier"
    assert not Path("out.txt").exists()
