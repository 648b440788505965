"""instances/optima.csv, the known optima of the paper's instances, and `exact`, which proves them."""

from __future__ import annotations

import csv
import hashlib
from fractions import Fraction
from functools import cache

import pytest

import planner
from planner import files
from planner.result import Status
from tests.instances import SHIPPED

KNOWN = {
    **{f"thai2015/b{budget}": None for budget in (40, 45, 50, 55)},
    **dict(
        zip(
            [f"thai2015/b{budget}" for budget in (60, 65, 70, 75, 80, 85)],
            [3500, 3234, 3000, 2800, 2625, 2472],
            strict=True,
        )
    ),
    **dict(
        zip(
            [f"thai2015-160/b{budget}" for budget in range(40, 90, 5)],
            [3360, 2990, 2690, 2445, 2240, 2070, 1920, 1794, 1680, 1582],
            strict=True,
        )
    ),
}


@cache
def _rows() -> dict[str, dict[str, str]]:
    with (SHIPPED / "optima.csv").open(encoding="utf-8", newline="") as file:
        return {row["instance"]: row for row in csv.DictReader(file)}


def test_every_instance_has_its_line_with_the_hash_of_its_file() -> None:
    paths = {
        f"{path.parent.name}/{path.stem}": path
        for family in ("thai2015", "thai2015-160", "tiny")
        for path in files.find_instances([SHIPPED / "cloud" / family])
    }
    assert set(_rows()) == set(paths)
    for name, path in paths.items():
        assert _rows()[name]["instance_sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", KNOWN)
def test_exact_proves_the_known_optimum_and_the_file_says_so(name: str) -> None:
    result = planner.solve(files.read(SHIPPED / "cloud" / f"{name}.json"), "exact")
    row = _rows()[name]
    makespan = KNOWN[name]
    assert row["status"] == result.status
    if makespan is None:
        assert result.status is Status.INFEASIBLE
        assert result.message is not None
        assert "the least budget that works is 60 " in result.message
        assert row["least_budget"] == "60"
        assert row["makespan"] == row["cost"] == ""
        return
    assert (result.status, result.makespan, result.bound) == (Status.OPTIMAL, makespan, makespan)
    assert result.tiebreak_proven
    assert (Fraction(row["makespan"]), Fraction(row["cost"])) == (result.makespan, result.cost)


@pytest.mark.parametrize("name", [name for name in _rows() if name.startswith("tiny/")])
def test_the_hand_solved_instances_stand_there_as_solved_by_hand(name: str) -> None:
    row, meta = _rows()[name], files.read(SHIPPED / "cloud" / f"{name}.json").notes.meta
    if "optimum" in meta:
        optimum = meta["optimum"]
        assert isinstance(optimum, dict)
        assert Fraction(row["makespan"]) == Fraction(str(optimum["makespan"]))
        assert Fraction(row["cost"]) == Fraction(str(optimum["cost"]))
    else:
        assert Fraction(row["least_budget"]) == Fraction(str(meta["least_budget"]))
