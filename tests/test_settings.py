"""Whatever is handed to the functions of the API, what is wrong with it is said in one sentence."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.cloud.instance import CloudInstance
from planner.errors import InputError, UsageError
from tests.instances import bag, cloud, kind

TINY = cloud([bag("A", (1, 10))], [kind("t", 1, 10)], budget=3)


def compare(instance: CloudInstance, **settings: Any) -> object:
    return planner.compare([instance], ["mi"], **settings)


CALLS: list[Any] = [planner.solve, compare, planner.frontier, planner.explain]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "settings",
    [
        {"seed": "x"},
        {"seed": 1.0},
        {"seed": None},
        {"seed": -1},
        {"seed": 10**5000},
        {"seed": True},
        {"workers": 1.5},
        {"workers": 0},
        {"workers": "2"},
        {"time_limit": "5"},
        {"time_limit": 0},
        {"time_limit": 10**400},
        {"time_limit": float("nan")},
        {"time_limit": 1j},
        {"time_limit": True},
    ],
)
def test_settings_of_the_wrong_type_or_size(call: Any, settings: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"must be .*, not "):
        call(TINY, **settings)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("instance", "path"),
    [
        (replace(TINY, budget=Fraction(-1)), "budget"),
        (replace(TINY, budget=0.5), "budget"),  # type: ignore[arg-type]
        (replace(TINY, deadline=Fraction(-1)), "deadline"),
        (replace(TINY, max_vms=1.5), "max_vms"),  # type: ignore[arg-type]
        (replace(TINY, instance_types=()), "instance_types"),
        (replace(TINY, applications=()), "applications"),
        (replace(TINY, billing=replace(TINY.billing, quantum=Fraction(0))), "billing.quantum"),
        (cloud([bag("A", (1, 10))], [kind("t", -1, 10)]), r"instance_types\[0\].price"),
        (cloud([bag("A", (1, 10))], [kind("t", 1, 10, 10)]), r"instance_types\[0\].seconds_per_unit"),
        (cloud([bag("A", (0, 10))], [kind("t", 1, 10)]), r"applications\[0\].tasks\[0\].size"),
        (cloud([bag("A", (1, -10))], [kind("t", 1, 10)]), r"applications\[0\].tasks\[0\].count"),
    ],
)
def test_instances_that_no_file_could_hold(call: Any, instance: CloudInstance, path: str) -> None:
    with pytest.raises(InputError, match=rf"^made: {path}"):
        call(instance)


@pytest.mark.parametrize("solver", [3, ["exact"]])
def test_a_solver_is_named(solver: Any) -> None:
    with pytest.raises(UsageError, match="a solver's name is needed"):
        planner.solve(TINY, solver)


@pytest.mark.parametrize("instance", [5, None, {"name": "x"}])
def test_an_instance_is_needed(instance: Any) -> None:
    with pytest.raises(UsageError, match="an instance or the name of its file is needed"):
        planner.solve(instance)
