"""The checker by hand: what a plan is worth, and every rule it can break, each alone."""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from planner.cloud import checker
from planner.cloud.checker import check
from planner.cloud.instance import Application, CloudInstance, TaskGroup
from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from planner.verdict import Verdict, Violation
from tests.instances import Number, bag, cloud, kind, number


def _vm(name: str, *tasks: tuple[str, Number, int], count: int = 1) -> PlannedVM:
    return PlannedVM(name, tuple(PlannedTasks(a, number(size), n) for a, size, n in tasks), count)


def _plan(*vms: PlannedVM) -> CloudPlan:
    return CloudPlan("made", vms)


ALL = _vm("t", ("A", 1, 10), ("B", "0.5", 3))  # of the instance below


def _rules(verdict: Verdict) -> list[tuple[str, str]]:
    return [(violation.rule, violation.where) for violation in verdict.violations]


@pytest.fixture
def instance() -> CloudInstance:
    """Ten tasks of A and three of B; u cannot run B."""
    return cloud([bag("A", (1, 10)), bag("B", ("0.5", 3))], [kind("t", 2, 8, 20), kind("u", 1, 10, None)])


def test_the_papers_example_is_80_or_50_seconds_for_2() -> None:
    paper = cloud([bag("A1", (1, 10))], [kind("it1", 2, 8), kind("it2", 1, 10)], budget=2)
    assert check(paper, _plan(_vm("it1", ("A1", 1, 10)))) == Verdict(Fraction(80), Fraction(2), ())
    assert check(paper, _plan(_vm("it2", ("A1", 1, 5), count=2))) == Verdict(Fraction(50), Fraction(2), ())


def test_makespan_is_the_longest_vm_and_cost_the_sum_of_started_hours(instance: CloudInstance) -> None:
    slow = replace(instance, applications=(bag("A", (100, 10)), instance.applications[1]))
    # u: 5 tasks of 1000 s, two hours, 2; t: 5 of 800 s and 3 of 10 s, two hours, 4
    verdict = check(slow, _plan(_vm("u", ("A", 100, 5)), _vm("t", ("A", 100, 5), ("B", "0.5", 3))))
    assert verdict == Verdict(Fraction(5000), Fraction(6), ())


@pytest.mark.parametrize(
    ("quantum", "minimum", "seconds", "paid"),
    [
        (3600, 0, 1, 3600),
        (3600, 0, 3600, 3600),
        (3600, 0, "3600.000001", 7200),
        (1, 60, 30, 60),
        (1, 60, 60, 60),
        (1, 60, "60.1", 61),
        (60, 90, 1, 120),  # the minimum is rounded up to whole quanta, too
        (600, 0, 600, 600),
        (600, 0, 601, 1200),
        ("0.5", 0, "0.2", "0.5"),
    ],
)
def test_billing(quantum: Number, minimum: Number, seconds: Number, paid: Number) -> None:
    one = cloud([bag("A", (1, 1))], [kind("t", 3600, seconds)], quantum=quantum, minimum=minimum)
    assert check(one, _plan(_vm("t", ("A", 1, 1)))) == Verdict(number(seconds), number(paid), ())


@pytest.mark.parametrize(("own", "seconds"), [(None, 37), (0, 30), (90, 120)])
def test_start_up_is_paid_for_and_a_type_may_have_its_own(own: int | None, seconds: int) -> None:
    one = cloud([bag("A", (1, 3))], [kind("t", 3600, 10, startup=own)], startup=7, quantum=1)
    assert check(one, _plan(_vm("t", ("A", 1, 3)))) == Verdict(Fraction(seconds), Fraction(seconds), ())


def test_the_fee_is_paid_for_every_vm(instance: CloudInstance) -> None:
    types = (replace(instance.instance_types[0], fee=Fraction(1, 3)), instance.instance_types[1])
    plan = _plan(_vm("t", ("A", 1, 2), count=4), _vm("t", ("A", 1, 2), ("B", "0.5", 3)))
    assert check(replace(instance, instance_types=types), plan) == Verdict(
        Fraction(46), 10 + Fraction(5, 3), ()
    )


def test_a_count_is_as_many_vms_written_out(instance: CloudInstance) -> None:
    rest = _vm("t", ("A", 1, 4), ("B", "0.5", 3))
    together = _plan(_vm("u", ("A", 1, 2), count=3), rest)
    apart = _plan(*[_vm("u", ("A", 1, 2))] * 3, rest)
    assert check(instance, together) == check(instance, apart) == Verdict(Fraction(62), Fraction(5), ())


def test_values_are_exact_where_floats_are_not() -> None:
    tenths = cloud(
        [bag("A", ("0.1", 3))], [kind("t", "0.1", 1)], quantum="0.1", deadline="0.3", budget="0.00001"
    )
    verdict = check(tenths, _plan(_vm("t", ("A", "0.1", 3))))
    assert verdict == Verdict(Fraction(3, 10), Fraction(3, 10) * Fraction(1, 10) / 3600, ())


def test_large_numbers_keep_their_last_digit() -> None:
    size = 10**60 + 1
    huge = cloud([bag("A", (size, 1))], [kind("t", 3600, 1)], quantum=1, budget=size, deadline=size)
    plan = _plan(_vm("t", ("A", size, 1)))
    assert check(huge, plan) == Verdict(Fraction(size), Fraction(size), ())
    tight = replace(huge, budget=Fraction(size) - Fraction(1, 3), deadline=Fraction(size - 1))
    assert _rules(check(tight, plan)) == [("deadline", "vms[0]"), ("budget", "")]


@pytest.mark.parametrize(
    ("vms", "broken"),
    [
        pytest.param([_vm("t", ("A", 1, 9), ("B", "0.5", 3))], [("unassigned tasks", "")], id="one too few"),
        pytest.param([_vm("t", ("A", 1, 10))], [("unassigned tasks", "")], id="an application left out"),
        pytest.param([], [("unassigned tasks", ""), ("unassigned tasks", "")], id="nothing"),
        pytest.param([ALL, _vm("u", ("A", 1, 1))], [("tasks assigned twice", "")], id="once more elsewhere"),
        pytest.param(
            [_vm("t", ("A", 1, 11), ("B", "0.5", 3))],
            [("tasks assigned twice", "")],
            id="one too many",
        ),
        pytest.param(
            [_vm("t", ("A", 1, 10)), _vm("u", ("B", "0.5", 3))], [("cannot run", "vms[1]")], id="cannot run"
        ),
        pytest.param(
            [ALL, _vm("u")], [("empty VM", "vms[1]")], id="no tasks at all"
        ),
        pytest.param(
            [ALL, _vm("u", ("A", 1, 0))],
            [("empty VM", "vms[1]")],
            id="no tasks in number",
        ),
        pytest.param(
            [ALL, _vm("u", ("A", 1, 1), count=0)],
            [("count", "vms[1]")],
            id="no VM in number",
        ),
        pytest.param(
            [_vm("t", ("A", 1, 11), ("B", "0.5", 3)), _vm("u", ("A", 1, -1))],
            [("count", "vms[1]")],
            id="a negative number of tasks",
        ),
        pytest.param(
            [_vm("v", ("A", 1, 5)), _vm("t", ("A", 1, 5), ("B", "0.5", 3))],
            [("unknown type", "vms[0]")],
            id="unknown type",
        ),
        pytest.param(
            [_vm("t", ("A", 1, 10), ("B", "0.5", 3), ("C", 1, 1))],
            [("unknown application", "vms[0]")],
            id="unknown application",
        ),
        pytest.param(
            [ALL, _vm("t", ("A", "0.5", 1))], [("unknown size", "vms[1]")], id="unknown size"
        ),
    ],
)  # fmt: skip
def test_each_rule_alone(
    instance: CloudInstance, vms: list[PlannedVM], broken: list[tuple[str, str]]
) -> None:
    assert _rules(check(instance, _plan(*vms))) == broken


def test_what_cannot_run_has_no_makespan_and_no_cost(instance: CloudInstance) -> None:
    verdict = check(instance, _plan(_vm("t", ("A", 1, 10)), _vm("u", ("B", "0.5", 3))))
    assert (verdict.makespan, verdict.cost, verdict.valid) == (None, None, False)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"budget": Fraction(3)}, None),
        ({"budget": Fraction(3) - Fraction(1, 10**30)}, "budget"),
        ({"deadline": Fraction(70)}, None),
        ({"deadline": Fraction(70) - Fraction(1, 10**30)}, "deadline"),
        ({"max_vms": 2}, None),
        ({"max_vms": 1}, "max_vms"),
    ],
)
def test_limits_bind_from_the_first_bit_beyond(
    instance: CloudInstance, changes: dict[str, object], rule: str
) -> None:
    plan = _plan(_vm("u", ("A", 1, 6)), _vm("t", ("A", 1, 4), ("B", "0.5", 3)))
    assert check(instance, plan) == Verdict(Fraction(62), Fraction(3), ())
    slow = _plan(_vm("u", ("A", 1, 7)), _vm("t", ("A", 1, 3), ("B", "0.5", 3)))
    verdict = check(replace(instance, **changes), slow)  # type: ignore[arg-type]
    assert [violation.rule for violation in verdict.violations] == ([] if rule is None else [rule])


def test_every_late_vm_is_named_once(instance: CloudInstance) -> None:
    plan = _plan(
        _vm("u", ("A", 1, 3), count=2), _vm("t", ("A", 1, 1), ("B", "0.5", 3)), _vm("u", ("A", 1, 3))
    )
    verdict = check(replace(instance, deadline=Fraction(29)), plan)
    assert _rules(verdict) == [("deadline", "vms[0]"), ("deadline", "vms[1]"), ("deadline", "vms[2]")]
    assert str(verdict.violations[0]) == "vms[0]: deadline: VM of type 'u' runs 30 s, the deadline is 29 s"


@pytest.mark.parametrize(("limit", "valid"), [(0, False), (2, False), (3, True)])
def test_max_instances_counts_all_vms_of_the_type(instance: CloudInstance, limit: int, valid: bool) -> None:
    types = (replace(instance.instance_types[0], max_instances=limit), instance.instance_types[1])
    plan = _plan(_vm("t", ("A", 1, 4), count=2), _vm("t", ("B", "0.5", 3)), _vm("u", ("A", 1, 2)))
    verdict = check(replace(instance, instance_types=types), plan)
    assert _rules(verdict) == ([] if valid else [("max_instances", "")])


def test_all_that_is_wrong_is_told_at_once(instance: CloudInstance) -> None:
    limited = replace(instance, budget=Fraction(1), deadline=Fraction(10), max_vms=1)
    verdict = check(limited, _plan(_vm("t", ("A", 1, 9), ("B", "0.5", 4)), _vm("t", ("A", 1, 2))))
    assert sorted(rule for rule, _ in _rules(verdict)) == [
        "budget", "deadline", "deadline", "max_vms", "tasks assigned twice", "tasks assigned twice",
    ]  # fmt: skip


def test_a_violation_reads_as_a_sentence_with_its_place() -> None:
    assert str(Violation("max_vms", "", "3 VMs")) == "max_vms: 3 VMs"
    assert str(Violation("count", "vms[2]", "no VM")) == "vms[2]: count: no VM"


@pytest.fixture
def named() -> CloudInstance:
    """A has tasks a and b of size 1, c of size 2, and two of size 1 without names; B has its own task a."""
    one, two = Fraction(1), Fraction(2)
    applications = (
        Application("A", (TaskGroup(one, 2, ("a", "b")), TaskGroup(two, 1, ("c",)), TaskGroup(one, 2))),
        Application("B", (TaskGroup(one, 1, ("a",)),)),
    )
    return replace(cloud([bag("A", (1, 1))], [kind("t", 1, 10, 10)]), applications=applications)


def _ids(application: str, size: int, *ids: str, count: int | None = None) -> PlannedTasks:
    return PlannedTasks(application, Fraction(size), len(ids) if count is None else count, ids)


ALL_BUT_A = (_ids("A", 2, "c"), PlannedTasks("A", Fraction(1), 2), _ids("B", 1, "a"))


@pytest.mark.parametrize(
    ("tasks", "broken"),
    [
        ((_ids("A", 1, "a", "b"),), []),
        ((_ids("A", 1, "b"), _ids("A", 1, "a")), []),
        ((_ids("A", 1, "a"),), [("unassigned tasks", "")]),
        ((_ids("A", 1, "a", "b", "b"),), [("tasks assigned twice", "vms[0]")]),
        ((_ids("A", 1, "a", "z"),), [("unknown task", "vms[0]"), ("unassigned tasks", "")]),
        ((_ids("A", 2, "a"), _ids("A", 1, "b")), [("unknown task", "vms[0]"), ("unassigned tasks", "")]),
        ((_ids("A", 1, "a", "b", count=3),), [("ids", "vms[0]")]),
        ((PlannedTasks("A", Fraction(1), 2),), [("tasks assigned twice", ""), ("unassigned tasks", "")]),
    ],
)
def test_tasks_with_ids_run_by_name(
    named: CloudInstance, tasks: tuple[PlannedTasks, ...], broken: list[tuple[str, str]]
) -> None:
    assert _rules(check(named, _plan(PlannedVM("t", (*tasks, *ALL_BUT_A))))) == broken


def test_tasks_with_ids_cannot_stand_for_anonymous_ones_of_another_size(named: CloudInstance) -> None:
    tasks = (
        _ids("A", 1, "a", "b"),
        PlannedTasks("A", Fraction(1), 2),
        PlannedTasks("A", Fraction(2), 1),
        _ids("B", 1, "a"),
    )
    assert _rules(check(named, _plan(PlannedVM("t", tasks)))) == [("ids", ""), ("unassigned tasks", "")]


def test_a_vm_that_runs_tasks_by_name_stands_for_itself(named: CloudInstance) -> None:
    verdict = check(named, _plan(PlannedVM("t", (_ids("A", 1, "a", "b"), *ALL_BUT_A), count=2)))
    assert ("ids", "vms[0]") in _rules(verdict)


def test_another_instances_plan_is_judged_by_what_it_says(instance: CloudInstance) -> None:
    plan = CloudPlan("another", (_vm("t", ("A", 1, 10), ("B", "0.5", 3)),))
    assert check(instance, plan).valid


def test_the_checker_shares_no_code_with_any_solver() -> None:
    tree = ast.parse(Path(checker.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    ours = {name for name in imported if name and name.split(".")[0] in ("planner", "solvers")}
    assert ours == {"planner.cloud.instance", "planner.cloud.plan", "planner.verdict"}
