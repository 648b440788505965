"""What a good file says is what the domain gets, exactly."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from pathlib import Path

import pytest

from planner import files
from planner.cloud.instance import Billing, TaskGroup
from planner.cloud.plan import CloudPlan
from planner.errors import InputError
from planner.files import PlanFile
from planner.goal import Goal
from planner.result import Status
from tests.files.samples import INSTANCE, PLAN, RESULT, changed, faults_of, save


def test_defaults_are_those_of_the_format(tmp_path: Path) -> None:
    instance = files.read(save(tmp_path, changed(INSTANCE, lambda tree: tree.pop("budget"))))
    assert instance.budget is None
    assert instance.deadline is None
    assert instance.startup == 0
    assert instance.billing == Billing(Fraction(3600), Fraction(0))
    assert instance.max_vms is None
    assert [kind.fee for kind in instance.instance_types] == [0, 0]
    assert [kind.startup for kind in instance.instance_types] == [None, None]
    assert instance.applications[0].tasks == (
        TaskGroup(Fraction(1), 10),
        TaskGroup(Fraction(2), 2, ("x", "y")),
    )


def test_speeds_follow_the_order_of_the_applications(tmp_path: Path) -> None:
    def turn(tree: dict[str, object]) -> None:
        tree["instance_types"][1]["seconds_per_unit"] = {"B2": 3, "A1": 10}  # type: ignore[index]

    instance = files.read(save(tmp_path, changed(INSTANCE, turn)))
    assert [kind.seconds_per_unit for kind in instance.instance_types] == [(8, None), (10, 3)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("0.0116", Fraction(29, 2500)),
        ("1e-5", Fraction(1, 100_000)),
        ("1E3", Fraction(1000)),
        ("-0.0", Fraction(0)),
        ("1e15", Fraction(10**15)),
        ("0.1234567890123456789", Fraction(1234567890123456789, 10**19)),
        ("0.123456789012345678901234567890", Fraction(123456789012345678901234567890, 10**30)),
    ],
)
def test_numbers_are_exact(tmp_path: Path, text: str, value: Fraction) -> None:
    content = files.dumps(INSTANCE).replace('"budget": 2', f'"budget": {text}')
    assert files.read(save(tmp_path, content)).budget == value


def test_five_point_zero_is_an_integer(tmp_path: Path) -> None:
    content = (
        json.dumps(INSTANCE)
        .replace('"count": 10', '"count": 5.0')
        .replace('"budget"', '"max_vms": 1e1, "budget"')
    )
    instance = files.read(save(tmp_path, content))
    assert (instance.applications[0].tasks[0].count, instance.max_vms) == (5, 10)
    assert type(instance.max_vms) is int


def test_the_hash_is_that_of_the_bytes(tmp_path: Path) -> None:
    path = save(tmp_path, INSTANCE)
    assert files.read(path).sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_notes_may_stand_anywhere_and_are_kept(tmp_path: Path) -> None:
    notes = {"source": "s", "description": "d\nd", "currency": "EUR", "meta": {"id": 17e17, "x": [1.5, None]}}

    def note(tree: dict[str, object]) -> None:
        applications: list[dict[str, object]] = tree["applications"]  # type: ignore[assignment]
        types: list[dict[str, object]] = tree["instance_types"]  # type: ignore[assignment]
        tree["billing"] = dict(notes)
        for place in (tree, applications[0], applications[0]["tasks"][0], types[0]):  # type: ignore[index]
            place.update(notes)  # type: ignore[attr-defined]

    instance = files.read(save(tmp_path, changed(INSTANCE, note)))
    application = instance.applications[0]
    for holder in (instance, application, application.tasks[0], instance.instance_types[0]):
        assert (holder.notes.source, holder.notes.currency) == ("s", "EUR")
        assert holder.notes.meta == {"id": 17 * 10**17, "x": [Fraction(3, 2), None]}


def test_odd_names_are_names(tmp_path: Path) -> None:
    for name in (" ", "ä", "a.b[0]", "\U0001f600", "[key]", "__proto__", '"'):

        def rename(tree: dict[str, object], name: str = name) -> None:
            tree["applications"][0]["name"] = name  # type: ignore[index]
            for kind in tree["instance_types"]:  # type: ignore[attr-defined]
                kind["seconds_per_unit"][name] = kind["seconds_per_unit"].pop("A1")

        path = save(tmp_path, changed(INSTANCE, rename))
        assert files.read(path).applications[0].name == name


def test_a_million_ids_load_in_seconds(tmp_path: Path) -> None:
    def many(tree: dict[str, object]) -> None:
        tree["applications"][0]["tasks"] = [{"size": 1, "ids": [f"task-{n}" for n in range(10**6)]}]  # type: ignore[index]

    assert files.read(save(tmp_path, changed(INSTANCE, many))).task_count == 10**6 + 1


def test_a_plan_file_has_no_hash_and_no_claims(tmp_path: Path) -> None:
    found = files.read_plan(save(tmp_path, PLAN))
    assert (found.instance_sha256, found.claims) == (None, None)
    assert found.plan.fleet == {"it2": 3}
    assert found.plan.vms[0].count == 2
    assert found.plan.vms[1].tasks[0].ids == ("x", "y")
    assert found.plan.vms[1].tasks[0].count == 2
    assert found.plan.vms[1].tasks[1].size == Fraction(1, 2)


def test_a_plan_of_nothing_is_for_the_checker_to_judge(tmp_path: Path) -> None:
    empty = changed(PLAN, lambda tree: tree.update(vms=[{"type": "it1", "tasks": []}]))
    assert files.read_plan(save(tmp_path, empty)).plan.vms[0].tasks == ()
    none = changed(PLAN, lambda tree: tree.update(vms=[]))
    assert files.read_plan(save(tmp_path, none)).plan.vms == ()


def test_a_result_file_gives_its_exact_claims(tmp_path: Path) -> None:
    found = files.read_plan(save(tmp_path, RESULT))
    claims = found.claims
    assert claims is not None
    assert found.instance_sha256 == "0" * 64
    assert (claims.goal, claims.status) == (Goal.MAKESPAN, Status.OPTIMAL)
    assert (claims.makespan, claims.cost) == (50, Fraction(10, 3))
    assert (claims.objective, claims.bound) == (50, 50)
    assert claims.contradictions == ()


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("makespan", 49, "makespan is 49"),
        ("cost", 3.3, "cost is 3.29"),
        ("bound", None, "bound is null"),
        ("objective", 51, "objective is 51"),
        ("gap", 0.5, "gap is 0.5"),
        ("status", "infeasible", "there is a plan, but status is infeasible"),
        ("exact", {"makespan": "49", "cost": "10/3", "bound": "49"}, "makespan is 50"),
        ("exact", {"makespan": "50", "cost": "10/3", "bound": "49"}, "the bound 49 is not the objective 50"),
    ],
)
def test_a_result_that_contradicts_itself_says_so(
    tmp_path: Path, key: str, value: object, words: str
) -> None:
    claims = files.read_plan(save(tmp_path, changed(RESULT, lambda tree: tree.update({key: value})))).claims
    assert claims is not None
    assert any(words in sentence for sentence in claims.contradictions)


def test_a_result_without_a_plan_is_refused(tmp_path: Path) -> None:
    tree = changed(RESULT, lambda tree: tree.update(plan=None, status="infeasible"))
    found = faults_of(save(tmp_path, tree), files.read_plan)
    assert str(found[0]) == "plan: this result has no plan: its status is infeasible"


@pytest.mark.parametrize(
    ("sample", "key", "value", "place", "message"),
    [
        (PLAN, "vms", None, "vms", "must be a list, not null"),
        (PLAN, "vms", [{"type": "t", "count": 0, "tasks": []}], "vms[0].count", "at least 1"),
        (
            PLAN,
            "vms",
            [{"type": "t", "tasks": [{"application": "A", "size": 1}]}],
            "vms[0].tasks[0]",
            "needs a count",
        ),
        (RESULT, "goal", "speed", "goal", "must be 'makespan' or 'cost'"),
        (RESULT, "seed", 1.5, "seed", "a whole number"),
        (RESULT, "bound", "5", "bound", "a number or null"),
        (RESULT, "bound", 1e308 * 10, "bound", "Infinity is not a number"),
        (RESULT, "instance_sha256", "abc", "instance_sha256", "SHA-256"),
        (RESULT, "tiebreak_proven", 1, "tiebreak_proven", "true, false or null"),
        (RESULT, "versions", {"a": 1}, "versions", "version texts"),
        (RESULT, "exact", {"makespan": "1/0", "cost": None, "bound": None}, "exact.makespan", '"10/3"'),
        (RESULT, "exact", {"makespan": 50, "cost": None, "bound": None}, "exact.makespan", "not 50"),
        (RESULT, "plan", {"format": "x", "instance": "i", "vms": []}, "plan.format", "planner/cloud-plan/1"),
    ],
)
def test_wrong_values_of_plans_and_results(
    tmp_path: Path, sample: dict[str, object], key: str, value: object, place: str, message: str
) -> None:
    found = faults_of(
        save(tmp_path, changed(sample, lambda tree: tree.update({key: value}))), files.read_plan
    )
    assert [fault.path for fault in found] == [place]
    assert message in found[0].message


def test_any_file_is_read_by_its_format(tmp_path: Path) -> None:
    assert files.read_any(save(tmp_path, INSTANCE)) == files.read(save(tmp_path, INSTANCE))
    plan, result = files.read_any(save(tmp_path, PLAN)), files.read_any(save(tmp_path, RESULT))
    assert isinstance(plan, PlanFile)
    assert isinstance(result, PlanFile)
    assert isinstance(plan.plan, CloudPlan)
    assert plan.plan == result.plan
    with pytest.raises(InputError, match="planner/result/1"):
        files.read_any(save(tmp_path, {"format": "no"}))


def test_an_instance_in_place_of_a_plan_is_told_apart(tmp_path: Path) -> None:
    found = faults_of(save(tmp_path, INSTANCE), files.read_plan)
    assert "this file is a cloud instance" in found[0].message
