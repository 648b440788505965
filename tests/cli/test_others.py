"""`planner validate`, `solvers`, `schema`, and the group itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from planner.cli import selftest
from planner.cli.app import COMMANDS
from solvers import catalog
from tests import stubs
from tests.cli.conftest import Planner
from tests.stubs import write_instance


def test_validate_lists_every_fault_of_every_file(planner: Planner) -> None:
    write_instance(Path("bad.json"), "bad", budget=-1, deadlin=3)
    ran = planner("validate", ".", "missing.json")
    assert ran.code == 3
    assert "ok     tiny.json  instance tiny: 10 tasks, 1 application, 2 types" in ran.out
    assert "fault  bad.json: 2 faults" in ran.out
    assert "budget" in ran.out
    assert 'did you mean "deadline"' in ran.out
    assert "fault  missing.json: 1 fault" in ran.out


def test_validate_takes_plans_and_results(planner: Planner) -> None:
    planner("solve", "tiny.json", "--json", "--output", "result.json", "--plan", "plan.json")
    planner("solve", "tiny.json", "--solver", "infeasible", "--json", "--output", "none.json")
    ran = planner("validate", "result.json", "plan.json", "none.json", "--json")
    assert ran.code == 0
    assert [file["kind"] for file in json.loads(ran.out)["files"]] == ["result", "plan", "result"]
    assert "result for tiny: infeasible, no plan" in planner("validate", "none.json").out


def test_validate_warns_without_failing(planner: Planner) -> None:
    types = [{"name": name, "price": 1, "seconds_per_unit": {"A1": 10}} for name in ("it2", "twin")]
    write_instance(Path("twins.json"), "twins", instance_types=types)
    ran = planner("validate", "twins.json", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["files"][0]["warnings"]


def test_schema_lists_and_prints(planner: Planner) -> None:
    formats = planner("schema").out.splitlines()
    assert "planner/cloud/1" in formats
    assert json.loads(planner("schema", "--json").out)["formats"] == formats
    schema = json.loads(planner("schema", "planner/cloud/1").out)
    assert schema["properties"]["budget"]
    for name in ("cloud", "cloud-1", "cloud/1"):
        assert json.loads(planner("schema", name).out) == schema
    ran = planner("schema", "clod")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean 'cloud'?" in ran.err


def test_solvers_tests_each_and_names_the_fix(planner: Planner, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [entry for entry in catalog.entries() if entry.name in ("exact", "feasible", "absent")]
    monkeypatch.setattr(catalog, "_ENTRIES", tuple(kept))
    monkeypatch.setattr(catalog, "_RULES", ())
    catalog.entries.cache_clear()
    ran = planner("solvers")
    assert ran.code == 0
    assert "passed" in ran.out
    assert "not installed" in ran.out
    assert "pip install no_such_package" in ran.out
    assert "rounds=3, polite=true" in ran.out
    listed = {one["name"]: one for one in json.loads(planner("solvers", "--json").out)["solvers"]}
    assert listed["exact"]["self_test"]["passed"] is True
    assert (listed["absent"]["installed"], listed["absent"]["self_test"]) == (False, None)
    assert listed["feasible"]["options"] == {"rounds": 3, "polite": True}


@pytest.mark.parametrize(
    ("name", "proves", "text"),
    [
        ("crashing", "nothing", "ZeroDivisionError"),
        ("lying", "nothing", "exceeds"),
        ("unknown", "nothing", "found no plan"),
        ("feasible", "optimum", "claims to prove optima"),
    ],
)
def test_a_solver_that_does_not_work_fails_its_test(
    planner: Planner, monkeypatch: pytest.MonkeyPatch, name: str, proves: str, text: str
) -> None:
    target = f"tests.stubs:{stubs.STUBS[name].__name__}"
    monkeypatch.setattr(catalog, "_ENTRIES", (catalog.Entry(name, target, "cloud", "stub", proves),))
    catalog.entries.cache_clear()
    ran = planner("solvers")
    assert ran.code in (1, 6)
    assert "failed" in ran.out
    assert text in ran.out
    assert planner("solvers", "--no-test").code == 0


def test_the_self_test_has_the_optimum_it_says() -> None:
    from planner.cloud.checker import check

    verdict = check(selftest.INSTANCE, stubs.two_small(selftest.INSTANCE))
    assert verdict.valid
    assert verdict.makespan == selftest.OPTIMUM


def test_commands_and_their_summaries_agree(planner: Planner) -> None:
    overview = planner("--help")
    assert overview.code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in overview.out
        assert planner(name, "--help").code == 0


def test_version(planner: Planner) -> None:
    assert planner("--version").out.startswith("planner 0.")


def test_an_unknown_command_names_the_nearest(planner: Planner) -> None:
    ran = planner("slove", "x")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean 'solve'?" in ran.err
    assert planner("--verison").code == 2
    bare = planner()
    assert (bare.code, bare.out) == (2, "")
    assert "Commands:" in bare.err
