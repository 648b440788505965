"""What is wrong on the command line, in words for people who do not know the library that reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Planner
from tests.stubs import write_instance


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("solve", "tiny.json", "--seed", "x"), "'x' is not a valid whole number"),
        (("solve", "tiny.json", "--workers", "1.5"), "'1.5' is not a valid whole number"),
        (("frontier", "tiny.json", "--points", "x"), "'x' is not a valid whole number"),
        (("explain", "tiny.json", "--alternatives", "x"), "'x' is not a valid whole number"),
        (("solve", "tiny.json", "--time-limit", "x"), "'x' is not a valid number"),
    ],
)
def test_values_of_options(planner: Planner, arguments: tuple[str, ...], words: str) -> None:
    ran = planner(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_a_frontier_of_very_many_tasks_says_what_ends_it(planner: Planner) -> None:
    applications = [{"name": "A1", "tasks": [{"size": 1, "count": 30_000}]}]
    write_instance(Path("many.json"), "many", applications=applications)
    hint = "--solver rounding has good ones in seconds"
    assert hint in planner("frontier", "many.json", "--budgets", "2,3").err
    assert hint not in planner("frontier", "many.json", "--budgets", "2,3", "--time-limit", "9").err
    assert hint not in planner("frontier", "tiny.json", "--budgets", "2,3").err
