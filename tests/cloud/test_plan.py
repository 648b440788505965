"""Plans: the fleet they rent, and what counts as the same."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from planner.notes import Notes

TASKS = (PlannedTasks("A", Fraction(1), 2),)


def test_the_fleet_counts_vms_by_type_in_the_plans_order() -> None:
    plan = CloudPlan("x", (PlannedVM("u", TASKS, 2), PlannedVM("t", TASKS), PlannedVM("u", TASKS)))
    assert list(plan.fleet.items()) == [("u", 3), ("t", 1)]
    assert CloudPlan("x", ()).fleet == {}


def test_notes_do_not_make_another_plan() -> None:
    plan = CloudPlan("x", (PlannedVM("u", TASKS),))
    assert replace(plan, notes=Notes(source="elsewhere")) == plan
    assert replace(plan, instance="y") != plan
