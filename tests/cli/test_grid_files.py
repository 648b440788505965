"""Commands on files of the grid: which take steps, which take systems, and what they say of the others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from planner.cli.app import run as run_app
from tests.cli.conftest import Ran
from tests.files.samples import GRID_PLAN, INSTANCE, PLAN, STEP, STEP_RESULT, SYSTEM

Planner = Callable[..., Ran]


@pytest.fixture
def planner(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Planner:
    """Run a command line, with the real solvers, in a folder that holds a file of each kind."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    named: dict[str, dict[str, Any]] = {
        "step": STEP,
        "system": SYSTEM,
        "plan": GRID_PLAN,
        "cloud": INSTANCE,
        "cloud-plan": PLAN,
    }
    for name, tree in named.items():
        write(f"{name}.json", tree)

    def call(*arguments: str) -> Ran:
        code = run_app(arguments)
        streams = capsys.readouterr()
        return Ran(code, streams.out, streams.err)

    return call


def write(name: str, tree: object) -> str:
    Path(name).write_text(json.dumps(tree), encoding="utf-8")
    return name


def test_check_of_a_plan(planner: Planner) -> None:
    ran = planner("check", "step.json", "plan.json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "step  valid",
        "  flow      17.5  (total completion time of the new jobs, in steps)",
        "  makespan  10.5  (steps until the last resource is empty)",
        "  load      6.75  (mean load (ALoR) at the end of the step)",
    ]


def test_check_as_json(planner: Planner) -> None:
    ran = planner("check", "step.json", "plan.json", "--json")
    verdict = json.loads(ran.out)
    assert list(verdict) == [
        *("format", "instance", "instance_sha256", "valid"),
        *("makespan", "cost", "flow", "load", "exact", "violations", "warnings"),
    ]
    assert (verdict["valid"], verdict["makespan"], verdict["cost"]) == (True, 10.5, None)
    assert (verdict["flow"], verdict["load"]) == (17.5, 6.75)
    assert verdict["exact"] == {"makespan": "21/2", "cost": None, "flow": "35/2", "load": "27/4"}


def test_a_verdict_on_a_cloud_plan_has_no_values_of_the_grid(planner: Planner) -> None:
    verdict = json.loads(planner("check", "cloud.json", "cloud-plan.json", "--json").out)
    assert list(verdict["exact"]) == ["makespan", "cost"]
    assert "flow" not in verdict


@pytest.mark.parametrize(
    ("assignments", "rule"),
    [
        ([{"job": "j1", "resource": "r1", "position": 1}], "placement"),
        ([*GRID_PLAN["assignments"], {"job": "j9", "resource": "r1", "position": 2}], "unknown job"),
        ([*GRID_PLAN["assignments"][:2], {"job": "j2", "resource": "r2", "position": 3}], "positions"),
        (
            [{"job": f"j{n}", "resource": "r1", "position": n} for n in (1, 2, 3)],
            "'r1' gets 3 jobs, the limit is 2",
        ),
    ],
)
def test_a_plan_that_breaks_a_rule(planner: Planner, assignments: object, rule: str) -> None:
    ran = planner("check", "step.json", write("bad.json", {**GRID_PLAN, "assignments": assignments}))
    assert ran.code == 6
    assert "step  invalid" in ran.out
    assert rule in ran.out


def test_another_name_is_a_warning_and_none_is_not(planner: Planner) -> None:
    ran = planner("check", "step.json", write("other.json", {**GRID_PLAN, "instance": "other"}))
    assert ran.code == 0
    assert "'other'" in ran.err
    nameless = {key: value for key, value in GRID_PLAN.items() if key != "instance"}
    ran = planner("check", "step.json", write("nameless.json", nameless))
    assert (ran.code, ran.err) == (0, "")


def test_another_hash_is_a_violation(planner: Planner) -> None:
    ran = planner("check", "step.json", write("result.json", STEP_RESULT))
    assert ran.code == 6
    assert "other instance" in ran.out


EXACT = STEP_RESULT["exact"]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({}, None),
        ({"flow": 17.5000000001, "objective": 17.5000000001, "exact": {**EXACT, "flow": None}}, None),
        ({"flow": 18, "objective": 18, "exact": {**EXACT, "flow": "18"}}, "says flow 18, it is 17.5"),
        ({"load": 6, "exact": {**EXACT, "load": "6"}}, "says load 6, it is 6.75"),
        ({"makespan": 11, "exact": {**EXACT, "makespan": "11"}}, "says makespan 11, it is 10.5"),
        ({"bound": 17.6, "exact": {**EXACT, "bound": "88/5"}, "status": "feasible"}, "bound"),
    ],
)
def test_what_a_result_claims_is_compared_with_the_tolerance_of_the_grid(
    planner: Planner, change: dict[str, Any], text: str | None
) -> None:
    result = {**STEP_RESULT, "instance_sha256": None, **change}
    ran = planner("check", "step.json", write("result.json", result))
    assert ran.code == (0 if text is None else 6)
    assert text is None or text in ran.out


@pytest.mark.parametrize(
    ("instance", "plan", "code", "text"),
    [
        ("step.json", "cloud-plan.json", 3, "this file is a cloud plan"),
        ("cloud.json", "plan.json", 3, "this file is a grid plan"),
        ("cloud.json", "result.json", 3, "this result is of kind grid-step"),
        ("system.json", "plan.json", 2, "use planner simulate"),
    ],
)
def test_files_that_do_not_go_together(
    planner: Planner, instance: str, plan: str, code: int, text: str
) -> None:
    write("result.json", STEP_RESULT)
    ran = planner("check", instance, plan)
    assert (ran.code, ran.out) == (code, "")
    assert text in " ".join(ran.err.split())


def test_what_solve_writes_is_valid(planner: Planner) -> None:
    ran = planner("solve", "step.json", "--json", "--output", "result.json", "--plan", "own.json")
    assert ran.code == 0
    result = json.loads(Path("result.json").read_text())
    assert (result["kind"], result["goal"], result["status"]) == ("grid-step", "flow", "optimal")
    assert result["objective"] == result["flow"]
    assert result["cost"] is None
    assert json.loads(Path("own.json").read_text()) == result["plan"]
    assert result["plan"]["instance"] == "step"
    for name in ("result.json", "own.json"):
        assert planner("check", "step.json", name).code == 0
        assert planner("validate", name).code == 0


def test_an_objective_of_the_grid(planner: Planner) -> None:
    result = json.loads(planner("solve", "step.json", "--objective", "load", "--json").out)
    assert (result["goal"], result["objective"]) == ("load", result["load"])


@pytest.mark.parametrize("command", ["solve", "compare"])
def test_a_system_is_to_be_simulated(planner: Planner, command: str) -> None:
    ran = planner(command, "system.json")
    assert (ran.code, ran.out) == (2, "")
    assert "system.json: is a grid system, which is not solved; use planner simulate" in " ".join(
        ran.err.split()
    )


def test_a_system_among_instances_does_not_stop_them(planner: Planner) -> None:
    ran = planner("solve", "system.json", "step.json")
    assert ran.code == 2
    assert ran.out.startswith("step  optimal")


def test_in_a_folder_steps_are_instances_and_systems_are_skipped(planner: Planner) -> None:
    ran = planner("solve", ".", "--solver", "assignment", "--json")
    assert [json.loads(line)["kind"] for line in ran.out.splitlines()] == ["cloud", "grid-step"]
    assert "system.json holds planner/grid/1, skipped" in ran.err
    assert "plan.json holds planner/grid-plan/1, skipped" in ran.err


@pytest.mark.parametrize("command", ["explain", "frontier", "export"])
@pytest.mark.parametrize("name", ["step.json", "system.json"])
def test_commands_for_the_cloud_only_say_what_they_need(planner: Planner, command: str, name: str) -> None:
    ran = planner(command, name)
    assert (ran.code, ran.out) == (3, "")
    assert "a cloud instance is needed here" in " ".join(ran.err.split())


def test_validate_tells_what_each_file_is(planner: Planner) -> None:
    write("result.json", STEP_RESULT)
    ran = planner("validate", ".", "--json")
    assert ran.code == 0
    kinds = {file["path"]: file["kind"] for file in json.loads(ran.out)["files"]}
    assert kinds == {
        "cloud.json": "instance",
        "cloud-plan.json": "plan",
        "plan.json": "plan",
        "result.json": "result",
        "step.json": "instance",
        "system.json": "system",
    }
    lines = {line.split()[1]: line for line in planner("validate", ".").out.splitlines()}
    assert lines["step.json"].endswith("instance step: 3 jobs, 2 resources")
    assert lines["system.json"].endswith("system system: 2 schedulers, 2 resources, 20 steps")
    assert lines["plan.json"].endswith("plan for step: 3 jobs on 2 resources")
    assert lines["result.json"].endswith("result for step: 3 jobs on 2 resources")


def test_validate_warns_of_a_load_and_tells_faults_of_a_trace(planner: Planner) -> None:
    write("busy.json", {**SYSTEM, "jobs": {"load": 1, "length": {"constant": 3}}})
    ran = planner("validate", "busy.json")
    assert ran.code == 0
    assert "warning: jobs.load: 1 is more work than the resources can do" in " ".join(ran.out.split())
    Path("t.csv").write_text("step,scheduler,length\n0,north,0\n")
    ran = planner("validate", write("traced.json", {**SYSTEM, "jobs": {"file": "t.csv"}}))
    assert ran.code == 3
    assert "jobs.file: t.csv, line 2: length must be greater than 0, not 0" in ran.out


def test_schemas_by_short_names(planner: Planner) -> None:
    for name in ("grid", "grid-step", "grid-plan"):
        assert json.loads(planner("schema", name).out)["title"].endswith(f"(planner/{name}/1)")


def test_no_output_may_replace_a_system(planner: Planner) -> None:
    before = Path("system.json").read_bytes()
    assert planner("simulate", ".", "--output", "system.json").code != 0
    assert planner("simulate", "system.json", "--output", "system.json").code == 2
    assert Path("system.json").read_bytes() == before


def test_nor_the_trace_of_one(planner: Planner) -> None:
    content = "step,scheduler,length\n0,north,3\n"
    Path("t.csv").write_text(content)
    write("traced.json", {**SYSTEM, "jobs": {"file": "t.csv"}})
    Path("link.csv").symlink_to("t.csv")
    for output in ("t.csv", "./t.csv", "link.csv"):
        ran = planner("simulate", "traced.json", "--csv", output)
        assert ran.code == 2
        assert "is read by this command and would be lost" in " ".join(ran.err.split())
    assert planner("validate", ".", "--output", "t.csv").code == 2
    assert Path("t.csv").read_text() == content
