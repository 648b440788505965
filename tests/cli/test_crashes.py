"""A solver that crashes after it had a plan: the plan is kept, and nobody can miss the crash."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Planner
from tests.stubs import write_instance

TOLD = "error: solver 'crashing-late' failed on 'tiny': ZeroDivisionError: a bug"


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "tiny.json", "--solver", "crashing-late"),
        ("solve", "tiny.json", "second.json", "--solver", "crashing-late"),
        ("compare", "tiny.json", "--solvers", "crashing-late,feasible"),
        ("frontier", "tiny.json", "--budgets", "2,3", "--solver", "crashing-late"),
        ("frontier", "tiny.json", "--budgets", "2,3", "--overlay", "crashing-late"),
    ],
)
def test_it_is_told_and_gives_the_code(planner: Planner, arguments: tuple[str, ...]) -> None:
    write_instance(Path("second.json"), "second")
    ran = planner(*arguments)
    assert ran.code == 1
    assert TOLD in ran.err
    assert "80" in ran.out


def test_its_result_says_what_stopped_it(planner: Planner) -> None:
    ran = planner("solve", "tiny.json", "--solver", "crashing-late", "--json")
    result = json.loads(ran.out)
    assert (result["stopped_by"], result["status"], result["makespan"]) == ("error", "feasible", 80)
