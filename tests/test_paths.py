"""What takes an instance or system also takes the file that holds it."""

from __future__ import annotations

from pathlib import Path

import pytest

import planner

INSTANCES = Path(__file__).parents[1] / "instances"
TINY = INSTANCES / "cloud" / "tiny" / "tiny.json"
SMALL = INSTANCES / "grid" / "small-60.json"


def test_a_frontier_of_a_file() -> None:
    assert [point.result.makespan for point in planner.frontier(TINY, budgets="2").points] == [50]


def test_an_explanation_of_a_file() -> None:
    assert planner.explain(str(TINY)).makespan == 50


def test_a_snapshot_of_a_file() -> None:
    assert planner.snapshot(SMALL, "lls", 2) == planner.snapshot(planner.read(SMALL), "lls", 2)


def test_a_file_of_another_kind_is_refused() -> None:
    for call in (planner.frontier, planner.explain):
        with pytest.raises(planner.InputError):
            call(SMALL)
    with pytest.raises(planner.InputError):
        planner.snapshot(TINY, "lls", 2)


@pytest.mark.parametrize("policies", [object(), [object()], ["lls", 3]])
def test_policies_are_named_by_text(policies: object) -> None:
    with pytest.raises(planner.UsageError, match="named by text"):
        planner.simulate(SMALL, policies)  # type: ignore[arg-type]
