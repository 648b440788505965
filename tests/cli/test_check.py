"""`planner check`: the verdict, and what a result claims."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Planner
from tests.stubs import write_instance

PLAN = {
    "format": "planner/cloud-plan/1",
    "instance": "tiny",
    "vms": [{"type": "it2", "count": 2, "tasks": [{"application": "A1", "size": 1, "count": 5}]}],
}


def _write(name: str, tree: object) -> str:
    Path(name).write_text(json.dumps(tree), encoding="utf-8")
    return name


def test_a_valid_plan(planner: Planner) -> None:
    ran = planner("check", "tiny.json", _write("plan.json", PLAN))
    assert ran.code == 0
    assert ran.out.splitlines() == ["tiny  valid", "  makespan  50 s", "  cost      2 of 2"]


def test_a_broken_rule_is_named_with_its_vm(planner: Planner) -> None:
    write_instance(Path("late.json"), deadline=45)
    ran = planner("check", "late.json", _write("plan.json", PLAN))
    assert ran.code == 6
    assert ran.out.splitlines()[0] == "tiny  invalid, 1 violation"
    assert "  vms[0]: deadline: VM of type 'it2' runs 50 s, the deadline is 45 s" in ran.out


def test_json(planner: Planner) -> None:
    vm = {**PLAN["vms"][0], "count": 3}  # type: ignore[dict-item]
    ran = planner("check", "tiny.json", _write("plan.json", {**PLAN, "vms": [vm]}), "--json")
    verdict = json.loads(ran.out)
    assert ran.code == 6
    assert verdict["format"] == "planner/check/1"
    assert verdict["valid"] is False
    assert (verdict["makespan"], verdict["cost"], verdict["exact"]) == (
        50,
        3,
        {"makespan": "50", "cost": "3"},
    )
    assert [v["rule"] for v in verdict["violations"]] == ["tasks assigned twice", "budget"]


def test_another_name_is_a_warning(planner: Planner) -> None:
    ran = planner("check", "tiny.json", _write("plan.json", {**PLAN, "instance": "other"}), "--json")
    assert ran.code == 0
    assert "'other'" in ran.err
    assert len(json.loads(ran.out)["warnings"]) == 1


def test_a_result_of_our_own_is_valid(planner: Planner) -> None:
    planner("solve", "tiny.json", "--solver", "feasible", "--json", "--output", "result.json")
    assert planner("check", "tiny.json", "result.json").code == 0


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"makespan": 79, "objective": 79}, "79"),
        ({"cost": 1}, "cost"),
        (
            {"exact": {"makespan": "79", "cost": "2", "bound": "40"}, "makespan": 79, "objective": 79},
            "makespan 79, it is 80",
        ),
        ({"objective": 2}, "objective"),
        (
            {"bound": 81, "exact": {"makespan": "80", "cost": "2", "bound": "81"}},
            "bound 81, the plan's makespan is 80",
        ),
        ({"status": "optimal"}, "optimal"),
        ({"status": "infeasible"}, "infeasible"),
        ({"instance_sha256": "0" * 64}, "other instance"),
    ],
)
def test_what_a_result_claims_must_be_so(planner: Planner, changes: dict[str, object], text: str) -> None:
    planner("solve", "tiny.json", "--solver", "feasible", "--json", "--output", "result.json")
    result = json.loads(Path("result.json").read_text(encoding="utf-8"))
    ran = planner("check", "tiny.json", _write("result.json", {**result, **changes}))
    assert ran.code == 6
    assert text in ran.out


def test_a_result_without_a_plan_is_invalid_input(planner: Planner) -> None:
    planner("solve", "tiny.json", "--solver", "unknown", "--json", "--output", "result.json")
    ran = planner("check", "tiny.json", "result.json")
    assert (ran.code, ran.out) == (3, "")
    assert "no plan" in ran.err


def test_bad_calls(planner: Planner) -> None:
    assert planner("check", "-", "-").code == 2
    assert planner("check", "tiny.json").code == 2
    assert planner("check", "missing.json", "missing.json").code == 3
    assert planner("check", "tiny.json", "tiny.json").code == 3
