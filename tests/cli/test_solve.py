"""`planner solve`: exit codes, and what goes to stdout for each of them."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Planner
from tests.stubs import write_instance


@pytest.mark.parametrize(
    ("solver", "code", "status"),
    [
        ("exact", 0, "optimal"),
        ("feasible", 0, "feasible"),
        ("infeasible", 4, "infeasible"),
        ("unknown", 5, "unknown"),
        ("crashing", 1, "failed"),
        ("lying", 6, "failed"),
        ("invalid", 6, "failed"),
        ("interrupted-late", 0, "feasible"),
    ],
)
def test_code_and_status_of_one_instance(planner: Planner, solver: str, code: int, status: str) -> None:
    ran = planner("solve", "tiny.json", "--solver", solver, "--json")
    assert ran.code == code
    assert json.loads(ran.out)["status"] == status


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["tiny.json", "--solver", "unsupporting"], 2, "billing per second"),
        (["tiny.json", "--solver", "absent"], 2, "pip install no_such_package"),
        (["tiny.json", "--solver", "feasibel"], 2, "did you mean 'feasible'?"),
        (["tiny.json", "--solver", "feasible:ronds=3"], 2, "did you mean 'rounds'?"),
        (["tiny.json", "--solver", "feasible:rounds=x"], 2, "not of type int"),
        (["tiny.json", "--solver", "unknown", "--objective", "cost"], 2, "does not minimise cost"),
        (["tiny.json", "--objective", "speed"], 2, "'speed' is not one of"),
        (["tiny.json", "--time-limit", "0"], 2, "not a positive number"),
        (["tiny.json", "--time-limit", "nan"], 2, "not a positive number"),
        (["tiny.json", "--time-limit", "1e400"], 2, "not a positive number"),
        (["tiny.json", "--workers", "0"], 2, "--workers"),
        (["tiny.json", "--seed", "-1"], 2, "--seed"),
        (["tiny.json", "--ouptut", "x"], 2, "--output"),
        (["tiny.json", "--output", "nowhere/x.json"], 2, "no folder nowhere"),
        (["tiny.json", "--output", "."], 2, "is a folder"),
        ([], 2, "Missing argument"),
        (["missing.json"], 3, "missing.json"),
        (["bad.json"], 3, "budget"),
        (["tiny.json", "--solver", "interrupting"], 130, "interrupted"),
    ],
)
def test_stdout_is_empty_where_there_is_no_result(
    planner: Planner, arguments: list[str], code: int, text: str
) -> None:
    write_instance(Path("bad.json"), budget=-1)
    ran = planner("solve", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert text in ran.err
    assert "Traceback" not in ran.err


def test_a_crash_shows_its_traceback_with_v_only(planner: Planner) -> None:
    quiet = planner("solve", "tiny.json", "--solver", "crashing")
    assert "ZeroDivisionError: a bug" in quiet.err
    assert "Traceback" not in quiet.err
    assert "Traceback" in planner("solve", "tiny.json", "--solver", "crashing", "-v").err


def test_an_error_of_the_program_itself_is_one_line(
    planner: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("planner.cli.solve.gather", lambda *_: 1 // 0)
    ran = planner("solve", "tiny.json")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: internal error: ZeroDivisionError")
    assert len(ran.err.splitlines()) == 1


def test_the_block_says_what_is_proven_and_what_to_rent(planner: Planner) -> None:
    write_instance(Path("eur.json"), currency="EUR", deadline=100)
    ran = planner("solve", "eur.json", "--solver", "feasible:rounds=5")
    assert ran.out.splitlines() == [
        "tiny  feasible",
        "  solver    feasible:rounds=5",
        "  makespan  80 s of 100 s",
        "  cost      2 of 2 EUR",
        "  bound     makespan at least 40 s, gap 50.00 %",
        ran.out.splitlines()[5],
        "",
        "  VMs  type  runtime (s)  cost  tasks",
        "    1  it1            80     2  10 A1",
    ]
    assert ran.out.splitlines()[5].startswith("  stopped   completed, 0.")


def test_infeasible_shows_the_numbers(planner: Planner) -> None:
    ran = planner("solve", "tiny.json", "--solver", "infeasible")
    assert "the budget of 2 is too small: 3 is needed" in ran.out


def test_objective_cost_is_what_bound_and_gap_speak_of(planner: Planner) -> None:
    result = json.loads(planner("solve", "tiny.json", "--objective", "cost", "--json").out)
    assert (result["goal"], result["objective"], result["bound"], result["gap"]) == ("cost", 2, 2, 0)


def test_stdin(planner: Planner, monkeypatch: pytest.MonkeyPatch) -> None:
    data = Path("tiny.json").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert json.loads(planner("solve", "-", "--json").out)["instance"] == "tiny"


def test_output_is_what_stdout_would_be(planner: Planner) -> None:
    ran = planner("solve", "tiny.json", "--solver", "infeasible", "--json", "--output", "out.json")
    assert (ran.code, ran.out) == (4, "")
    written = Path("out.json").read_text(encoding="utf-8")
    printed = planner("solve", "tiny.json", "--solver", "infeasible", "--json").out
    assert _without_time(written) == _without_time(printed)


def test_output_is_not_touched_where_there_is_no_result(planner: Planner) -> None:
    Path("out.json").write_text("before", encoding="utf-8")
    assert planner("solve", "missing.json", "--output", "out.json").code == 3
    assert planner("solve", "tiny.json", "--solver", "unsupporting", "--output", "out.json").code == 2
    assert Path("out.json").read_text(encoding="utf-8") == "before"


def test_the_plan_alone_can_be_checked(planner: Planner) -> None:
    assert planner("solve", "tiny.json", "--plan", "plan.json", "--quiet").err == ""
    assert json.loads(Path("plan.json").read_text(encoding="utf-8"))["format"] == "planner/cloud-plan/1"
    assert planner("check", "tiny.json", "plan.json").code == 0


def test_plan_is_refused_for_several_instances(planner: Planner) -> None:
    write_instance(Path("b.json"), "b")
    ran = planner("solve", "tiny.json", "b.json", "--plan", "plan.json")
    assert (ran.code, ran.out) == (2, "")
    assert not Path("plan.json").exists()


def test_several_print_one_line_each_and_go_on_after_bad_ones(planner: Planner) -> None:
    write_instance(Path("bad.json"), "bad", budget=-1)
    write_instance(Path("second.json"), "second")
    ran = planner("solve", "tiny.json", "bad.json", "second.json", "missing.json", "--json")
    assert ran.code == 3
    assert [json.loads(row)["instance"] for row in ran.out.splitlines()] == ["tiny", "second"]
    assert "bad.json" in ran.err
    assert "missing.json" in ran.err


def test_several_for_people_are_one_line_each(planner: Planner) -> None:
    write_instance(Path("second.json"), "second")
    ran = planner("solve", "tiny.json", "second.json")
    assert ran.out.splitlines() == [
        "tiny    optimal          50 s  cost     2  gap  0.00 %  2 it2",
        "second  optimal          50 s  cost     2  gap  0.00 %  2 it2",
    ]
    assert ran.code == 0


def test_unsupported_among_several_has_its_line(planner: Planner) -> None:
    write_instance(Path("second.json"), "second")
    ran = planner("solve", "tiny.json", "second.json", "--solver", "unsupporting", "--json")
    assert ran.code == 2
    assert [json.loads(row)["status"] for row in ran.out.splitlines()] == ["unsupported"] * 2


def test_a_plan_found_before_the_interrupt_ends_the_batch(planner: Planner) -> None:
    write_instance(Path("second.json"), "second")
    ran = planner("solve", "tiny.json", "second.json", "--solver", "interrupted-late", "--json")
    assert ran.code == 130
    (only,) = [json.loads(row) for row in ran.out.splitlines()]
    assert (only["stopped_by"], only["makespan"]) == ("interrupted", 80)


def test_warnings_of_the_instance_go_to_stderr_unless_quiet(planner: Planner) -> None:
    types = [{"name": name, "price": 1, "seconds_per_unit": {"A1": 10}} for name in ("it2", "twin")]
    write_instance(Path("twins.json"), "twins", instance_types=types)
    ran = planner("solve", "twins.json")
    assert ran.err.startswith("warning: twins")
    assert "warning" not in ran.out
    assert planner("solve", "twins.json", "--quiet").err == ""


def test_markup_and_ordering_characters_in_names_are_shown_as_they_are(planner: Planner) -> None:
    write_instance(Path("odd.json"), "[red]x[/red]\u202e")
    ran = planner("solve", "odd.json")
    assert ran.out.startswith("[red]x[/red]\\u202e  optimal")


def test_verbose_logs_incumbents_and_bounds_on_stderr(planner: Planner) -> None:
    ran = planner("solve", "tiny.json", "--solver", "slow", "--time-limit", "0.2", "--json", "-v")
    assert "tiny · slow: plan 80, bound 45, gap 43.75 %" in ran.err
    assert json.loads(ran.out)["bound"] == 45


def _without_time(text: str) -> dict[str, object]:
    result = json.loads(text)
    del result["seconds"]
    return dict(result)


def test_faults_of_a_file_are_wrapped(planner: Planner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    write_instance(Path("bad.json"), "bad", budget=-1, sizes=1)
    for arguments in (
        ["solve", "bad.json"],
        ["solve", "bad.json", "tiny.json"],
        ["compare", "bad.json", "--solvers", "exact"],
    ):
        lines = planner(*arguments).err.splitlines()
        assert lines[0].startswith("error: bad.json: ")
        assert len(lines) > 2
        assert max(map(len, lines)) <= 60
