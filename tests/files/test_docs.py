"""The examples in docs/formats.md are true."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from planner import files
from planner.cloud.checker import check
from planner.errors import InputError
from planner.explanation import explain
from planner.grid.system import Trace
from planner.kinds import GRID_STEP
from planner.report.simulation import to_wire
from planner.simulating import simulate

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
INSTANCE, PLAN, STEP, GRID_PLAN, SYSTEM, RESULT, EXPLANATION, SIMULATION, WRONG = re.findall(
    r"```json\n(.*?)```", TEXT, re.DOTALL
)
TRACE, MESSAGES = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)


def saved(folder: Path, text: str) -> Path:
    (folder / "example.json").write_text(text, encoding="utf-8")
    return folder / "example.json"


def test_the_plan_is_a_valid_plan_of_the_instance(tmp_path: Path) -> None:
    instance = files.read(saved(tmp_path, INSTANCE))
    verdict = check(instance, files.read_plan(saved(tmp_path, PLAN)).plan)
    assert verdict.violations == ()
    assert files.warnings(instance) == ()


def test_the_plan_of_the_step_is_worth_what_the_text_says(tmp_path: Path) -> None:
    step = files.read_instance(saved(tmp_path, STEP))
    verdict = GRID_STEP.check(step, files.read_plan(saved(tmp_path, GRID_PLAN)).plan)
    assert verdict.violations == ()
    assert files.warnings(step) == ()
    assert (verdict.flow, verdict.makespan) == (Fraction("17.5"), Fraction("10.5"))


def test_the_system_and_its_trace(tmp_path: Path) -> None:
    system = files.read_system(saved(tmp_path, SYSTEM))
    assert files.warnings(system) == ()
    (tmp_path / "trace.csv").write_text(TRACE, encoding="utf-8")
    tree = {**json.loads(SYSTEM), "jobs": {"file": "trace.csv"}}
    traced = files.read_system(saved(tmp_path, json.dumps(tree)))
    assert isinstance(traced.jobs, Trace)
    assert traced.jobs.schedulers.tolist() == [0, 1, 1]


def test_the_result_is_true_for_the_shipped_instance(tmp_path: Path) -> None:
    found = files.read_plan(saved(tmp_path, RESULT))
    instance = files.read(ROOT / "instances" / "cloud" / "tiny" / "tiny.json")
    verdict = check(instance, found.plan)
    assert found.instance_sha256 == instance.sha256
    assert found.claims is not None
    assert found.claims.contradictions == ()
    assert (found.claims.makespan, found.claims.cost) == (verdict.makespan, verdict.cost)


def test_the_explanation_is_the_one_of_the_shipped_instance() -> None:
    instance = files.read(ROOT / "instances" / "cloud" / "tiny" / "infeasible.json")
    example = json.loads(EXPLANATION)
    assert {**files.explained(explain(instance)), "seconds": example["seconds"]} == example


def test_the_simulation_is_that_of_the_system(tmp_path: Path) -> None:
    found = to_wire(simulate(saved(tmp_path, SYSTEM), "lls"))
    example = json.loads(SIMULATION)
    (run,), (expected,) = found["runs"], example["runs"]
    assert found["bound"]["mean_alor"] == pytest.approx(example["bound"]["mean_alor"], rel=0.01)
    assert found.keys() == example.keys()
    assert run.keys() == expected.keys()
    for key in ("policy", "seed", "steps", "jobs", "makespan", "regret"):
        assert run[key] == expected[key]
    for key in ("messages", "fairness", "utilisation"):
        assert run[key] == pytest.approx(expected[key], rel=1e-3)
    assert run["alor"]["mean"] == pytest.approx(expected["alor"]["mean"], rel=1e-3)
    assert run["response_time"] == pytest.approx(expected["response_time"], rel=1e-3)
    assert [event["what"] for event in run["events"]] == [event["what"] for event in expected["events"]]


def test_the_errors_are_those_of_the_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wrong.json").write_text(WRONG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        files.read("wrong.json")
    assert str(caught.value) == MESSAGES.strip()
