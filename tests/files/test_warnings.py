"""Legal, and most likely not meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from planner import files
from tests.files.samples import INSTANCE, STEP, SYSTEM, TRACED, changed, save


@pytest.mark.parametrize(
    ("types", "rest", "place", "words"),
    [
        (
            [{"price": 1, "seconds_per_unit": {"A1": 10, "B2": 3}}],
            {},
            "instance_types[2]",
            "same price and speeds",
        ),
        (
            [{"price": 9, "seconds_per_unit": {"A1": None, "B2": None}}],
            {},
            "instance_types[2].seconds_per_unit",
            "cannot run any application",
        ),
        (
            [{"price": 0, "seconds_per_unit": {"A1": 1, "B2": 1}}],
            {},
            "instance_types[2]",
            "free and unlimited",
        ),
        (
            [{"price": 9, "max_instances": 0, "seconds_per_unit": {"A1": 1, "B2": 1}}],
            {},
            "instance_types[2].max_instances",
            "can never be rented",
        ),
        (
            [{"price": 9, "startup": 60, "seconds_per_unit": {"A1": 1, "B2": 1}}],
            {"deadline": 60},
            "instance_types[2]",
            "not ready before the deadline",
        ),
    ],
)
def test_a_warning_has_its_place(
    tmp_path: Path, types: list[dict[str, Any]], rest: dict[str, Any], place: str, words: str
) -> None:
    def add(tree: dict[str, Any]) -> None:
        tree["instance_types"] += [{"name": "new", **kind} for kind in types]
        tree.update(rest)

    found = files.warnings(files.read(save(tmp_path, changed(INSTANCE, add))))
    assert [fault.path for fault in found] == [place]
    assert words in found[0].message


@pytest.mark.parametrize("limit", [{"max_instances": 3}, {"fee": 1}])
def test_owned_machines_with_a_limit_or_a_fee_are_fine(tmp_path: Path, limit: dict[str, int]) -> None:
    tree = changed(INSTANCE, lambda tree: tree["instance_types"][0].update(price=0, **limit))
    assert files.warnings(files.read(save(tmp_path, tree))) == ()


def test_an_application_that_nothing_runs(tmp_path: Path) -> None:
    tree = changed(INSTANCE, lambda tree: tree["instance_types"][1]["seconds_per_unit"].update(B2=None))
    found = files.warnings(files.read(save(tmp_path, tree)))
    assert [fault.path for fault in found] == ["applications[1]"]
    assert 'no instance type can run "B2"' in found[0].message


@pytest.mark.parametrize(("load", "warned"), [(0.6, False), (0.999, False), (1, True), (1.5, True)])
def test_a_load_that_no_policy_can_serve(tmp_path: Path, load: float, warned: bool) -> None:
    tree = changed(SYSTEM, lambda tree: tree["jobs"].update(load=load))
    found = files.warnings(files.read(save(tmp_path, tree)))
    assert [fault.path for fault in found] == ["jobs.load"] * warned
    assert all("no policy is stable" in fault.message for fault in found)


def test_a_trace_has_no_load_to_warn_of(tmp_path: Path) -> None:
    assert files.warnings(files.read(save(tmp_path, TRACED))) == ()


@pytest.mark.parametrize(("limit", "warned"), [(None, False), (2, False), (1, True)])
def test_more_jobs_than_places(tmp_path: Path, limit: int | None, warned: bool) -> None:
    tree = changed(STEP, lambda tree: tree.update(max_jobs_per_resource=limit))
    found = files.warnings(files.read(save(tmp_path, tree)))
    assert [str(fault) for fault in found] == [
        "max_jobs_per_resource: 3 jobs, and places for 2 only: no plan exists"
    ] * warned
