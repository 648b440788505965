"""`planner explain`: what people and programs read, exit codes, limits on time, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from planner import files
from planner.cli.app import run
from tests.cli.conftest import ROOT, Ran

INSTANCES = ROOT / "instances" / "cloud"
TINY = str(INSTANCES / "tiny" / "tiny.json")
Explain = Callable[..., Ran]


@pytest.fixture
def explain(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Explain:
    """Run `planner explain` in an empty folder, with the real solvers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def call(*arguments: str) -> Ran:
        code = run(["explain", *arguments])
        streams = capsys.readouterr()
        return Ran(code, streams.out, streams.err)

    return call


def changed(name: str, **values: object) -> str:
    """A shipped instance with other values, as a file here."""
    tree = json.loads((INSTANCES / f"{name}.json").read_text(encoding="utf-8"))
    Path("changed.json").write_text(json.dumps({**tree, **values}), encoding="utf-8")
    return "changed.json"


def test_an_infeasible_budget(explain: Explain) -> None:
    ran = explain(str(INSTANCES / "thai2015" / "b55.json"))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "thai2015-b55  infeasible\n"
        "  the budget of 55 is too small: the least budget that works is 60 (5 more)\n"
        "\n"
        "  The change that makes it feasible:\n"
        "    limit   given  least  missed by  best plan then, by makespan\n"
        "    budget     55     60          5  3500 s, cost 60\n"
    )


def test_limits_in_conflict(explain: Explain) -> None:
    ran = explain(changed("tiny/deadline", deadline=1500, budget=7, max_vms=4))
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "deadline  infeasible",
        "  no plan keeps these limits together: budget, deadline, max_vms",
        "",
        "  Each of these changes alone makes it feasible:",
        "    limit      given   least  missed by  best plan then, by makespan",
        "    deadline  1500 s  2000 s      500 s  2000 s, cost 3",
        "    max_vms        4       6          2  1000 s, cost 6",
        "",
        "  Alone, no value of these is enough: budget",
    ]


def test_a_task_too_long_and_changes_that_go_together(explain: Explain) -> None:
    ran = explain(changed("tiny/deadline", deadline=900, budget=0, max_vms=None))
    assert ran.out.splitlines() == [
        "deadline  infeasible",
        "  the deadline is too early for a task of 'A1' of size 1: on 'it1', the quickest",
        "  type for it, it takes 1000 s, start-up included, 100 s more than the deadline",
        "",
        "  Alone, no value of these is enough: budget, deadline",
        "",
        "  Without any budget it needs:",
        "    limit     given   least  missed by  best plan then, by makespan",
        "    deadline  900 s  1000 s      100 s  1000 s, cost 6",
        "",
        "  Without any deadline it needs:",
        "    limit   given  least  missed by  best plan then, by makespan",
        "    budget      0      2          2  3000 s, cost 2",
    ]


def test_quotas_of_which_one_is_not_enough(explain: Explain) -> None:
    types = [
        {"name": "a", "price": 1, "max_instances": 0, "seconds_per_unit": {"A": 1, "B": None}},
        {"name": "b", "price": 1, "max_instances": 0, "seconds_per_unit": {"A": None, "B": 1}},
    ]
    bags = [{"name": name, "tasks": [{"size": 1, "count": 1}]} for name in "AB"]
    ran = explain(changed("tiny/deadline", applications=bags, instance_types=types), "--quiet")
    assert "  application 'A' runs only on 'a', of which max_instances allows none\n" in ran.out
    assert "  Without any max_instances nothing else has to change.\n" in ran.out
    assert ran.err == ""


def test_a_feasible_plan(explain: Explain) -> None:
    ran = explain(TINY)
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "tiny  optimal",
        "  makespan  50 s, proven to be the least",
        "  cost      2",
        "  limits    budget 2: used up",
        "",
        "  VMs  type  cost  paid (s)  idle (s)  work: share of the application, cost per",
        "                                       unit",
        "    2  it2      2      7200      7100  100.00 % of A1 at 0.2",
        "",
        "  type          cost of one unit on a VM that is never idle (* the least)",
        "  it1           A1 0.00444444",
        "  it2   rented  A1 0.00277778*",
        "",
        "  with at least one  the least makespan is",
        "  it1                80 s, 30 s more",
        "",
        "  more of  from  to  buys",
        "  budget      2   3  a makespan of 40 s, 10 s less",
    ]


@pytest.mark.parametrize("path", sorted(INSTANCES.glob("t*/*.json")), ids=lambda path: path.stem)
def test_json_is_as_its_schema_says_and_text_fits(explain: Explain, path: Path) -> None:
    ran = explain(str(path), "--json")
    assert ran.code == 0
    tree = json.loads(ran.out)
    Draft202012Validator(files.schemas()["planner/explanation/1"]).validate(tree)
    assert all(change["proven"] for change in tree["changes"])
    assert all(one["proven"] for one in [*tree["alternatives"], *tree["steps"]])
    assert (tree["status"] == "infeasible") is bool(tree["changes"])
    text = explain(str(path)).out
    assert max(map(len, text.splitlines())) <= 80


def test_the_numbers_in_json(explain: Explain) -> None:
    tree: dict[str, Any] = json.loads(explain(str(INSTANCES / "tiny" / "infeasible.json"), "--json").out)
    (change,) = tree["changes"]
    assert change == {
        "limit": "budget",
        "type": None,
        "lifted": [],
        "suffices": True,
        "proven": True,
        "given": 5,
        "at_least": 6,
        "works": 6,
        "missed_by": 1,
        "makespan": 3600,
        "cost": 6,
        "value_at_least": 3600,
        "exact": {
            "given": "5",
            "at_least": "6",
            "works": "6",
            "missed_by": "1",
            "makespan": "3600",
            "cost": "6",
        },
    }
    assert tree["plan"] is None
    assert (tree["makespan"], tree["types"], tree["steps"]) == (None, [], [])


def test_a_given_plan(explain: Explain, capsys: pytest.CaptureFixture[str]) -> None:
    run(["solve", TINY, "--solver", "mi", "--json", "--output", "mi.json"])
    capsys.readouterr()
    ran = explain(TINY, "mi.json")
    assert ran.code == 0
    assert ran.out.splitlines()[:2] == ["tiny  feasible", "  makespan  80 s; the least is 50 s"]


def test_a_result_without_a_plan_is_that_of_the_instance(
    explain: Explain, capsys: pytest.CaptureFixture[str]
) -> None:
    instance = str(INSTANCES / "tiny" / "infeasible.json")
    run(["solve", instance, "--json", "--output", "none.json"])
    capsys.readouterr()
    ran = explain(instance, "none.json")
    assert (ran.code, ran.out) == (0, explain(instance).out)
    assert "none.json has no plan" in ran.err


def test_the_goal_is_that_of_the_result_unless_told(
    explain: Explain, capsys: pytest.CaptureFixture[str]
) -> None:
    instance = str(INSTANCES / "tiny" / "deadline.json")
    run(["solve", instance, "--objective", "cost", "--json", "--output", "cost.json"])
    capsys.readouterr()
    assert json.loads(explain(instance, "cost.json", "--json").out)["goal"] == "cost"
    assert json.loads(explain(instance, "cost.json", "--objective", "makespan", "--json").out)["best"] == 2000


def test_bad_calls(explain: Explain) -> None:
    assert explain("-", "-").code == 2
    assert explain(TINY, "--alternatives", "-1").code == 2
    assert explain("missing.json").code == 3
    assert explain(TINY, TINY).code == 3
    plan = {
        "format": "planner/cloud-plan/1",
        "instance": "tiny",
        "vms": [{"type": "it1", "count": 1, "tasks": [{"application": "A1", "size": 1, "count": 9}]}],
    }
    Path("plan.json").write_text(json.dumps(plan), encoding="utf-8")
    ran = explain(TINY, "plan.json")
    assert (ran.code, ran.out) == (6, "")
    assert "9 of 10 tasks" in ran.err


def test_without_any_time_there_is_the_plan_of_the_heuristic(
    explain: Explain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("planner.explanation._FIRST_PLAN", 60.0)
    ran = explain(str(INSTANCES / "thai2015" / "b60.json"), "--time-limit", "0.000001", "--json")
    tree = json.loads(ran.out)
    assert (ran.code, tree["stopped_by"]) == (0, "time_limit")
    assert tree["status"] in ("feasible", "optimal")
    assert tree["makespan"] >= 3500


HARD = {
    "format": "planner/cloud/1",
    "name": "hard",
    "budget": 400,
    "billing": {"quantum": 1, "minimum": 60},
    "startup": 7,
    "applications": [
        {"name": f"A{a}", "tasks": [{"size": 3 * a + 2 * k + 7, "count": 9 + k} for k in range(9)]}
        for a in range(4)
    ],
    "instance_types": [
        {
            "name": f"t{t}",
            "price": 1 + 0.37 * t,
            "max_instances": 9,
            "seconds_per_unit": {f"A{a}": 97 - 9 * t + (a * t) % 5 for a in range(4)},
        }
        for t in range(9)
    ],
}


def test_the_time_limit_holds_and_says_so(explain: Explain) -> None:
    Path("hard.json").write_text(json.dumps(HARD), encoding="utf-8")
    started = time.perf_counter()
    ran = explain("hard.json", "--time-limit", "2", "--quiet")
    assert time.perf_counter() - started < 2 * 1.05 + 1 + 0.5
    assert ran.code == 0
    assert "the time limit came first" in ran.out


def test_ctrl_c_prints_what_is_known(tmp_path: Path) -> None:
    (tmp_path / "hard.json").write_text(json.dumps(HARD), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "planner", "explain", "hard.json", "--json", "-v"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    for line in process.stderr:  # until there is a plan
        if "plan " in line:
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    tree = json.loads(out)
    assert tree["stopped_by"] == "interrupted"
    assert tree["plan"] is not None
    assert "Traceback" not in err
