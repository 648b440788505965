"""Valid instances with extreme numbers get an answer like any other."""

from __future__ import annotations

from fractions import Fraction

import pytest

import planner
from planner.budgets import plenty
from tests.instances import bag, cloud, kind


@pytest.mark.parametrize("solver", ["exact", "compact"])
def test_a_budget_past_all_machine_integers_is_no_limit(solver: str) -> None:
    """Ten tasks of 10 s, a VM for each."""
    instance = cloud([bag("A", (1, 10))], [kind("m", "0.0416", 10)], budget=10**15, quantum=1, max_vms=10)
    result = planner.solve(instance, solver)
    assert (result.status, result.makespan) == (planner.Status.OPTIMAL, 10)


@pytest.mark.parametrize("solver", ["exact", "heuristic", "rounding"])
def test_a_deadline_too_early_by_far_is_told_at_once(solver: str) -> None:
    instance = cloud([bag("A", (10**15, 1), (1, 1))], [kind("m", 1, 1)], budget=10**13, deadline=1)
    result = planner.solve(instance, solver)
    assert result.status is planner.Status.INFEASIBLE
    assert "takes 1000000000000000 s on its fastest type" in (result.message or "")


def test_more_vms_than_can_be_held_one_by_one() -> None:
    """10^9 tasks without a budget: a VM each; who cannot count VMs that are alike says so."""
    instance = cloud([bag("A", (1, 10**9))], [kind("x", 1, 100), kind("y", 3, 40)])
    for solver in ("exact", "rounding"):
        result = planner.solve(instance, solver)
        assert (result.status, result.makespan, result.cost) == (planner.Status.OPTIMAL, 40, 3 * 10**9)
    for solver in ("heuristic", "mi", "mp"):
        with pytest.raises(planner.Unsupported, match="use the solver 'rounding'"):
            planner.solve(instance, solver)


def test_plenty_of_money_pays_for_a_vm_a_task() -> None:
    """Two tasks, each on a VM of the dearest type that bills one hour."""
    instance = cloud([bag("A", (1, 2))], [kind("x", 1, 10), kind("y", 5, 2, fee=1)], startup=30)
    assert plenty(instance) >= 2 * (Fraction(5) + 1)
