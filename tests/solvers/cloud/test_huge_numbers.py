"""Numbers past what doubles and machine integers hold: no crash, and nothing of a library's on stderr."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

import planner
from planner.cloud.instance import CloudInstance
from solvers.cloud.ticks import LARGEST_SUM, Ticks
from tests.instances import bag, cloud, kind

HUGE = 10**27
APPLICATIONS = [bag("A", (1, 1000)), bag("B", (7, 1000))]
TYPES = [kind("a", 1, 8, 3), kind("b", 2, 5, 3)]

EXTREME: dict[str, Callable[[], CloudInstance]] = {
    "fee": lambda: cloud(APPLICATIONS, [kind("a", 1, 8, 3), kind("b", 2, 5, 3, fee=HUGE)], budget=100),
    "quota": lambda: cloud(APPLICATIONS, [kind("a", 1, 8, 3, limit=HUGE), TYPES[1]], budget=100),
    "start-up": lambda: cloud(APPLICATIONS, [kind("a", 1, 8, 3, startup=HUGE), TYPES[1]], budget=100),
    "number of VMs": lambda: cloud(APPLICATIONS, TYPES, max_vms=HUGE, budget=100),
    "quantum": lambda: cloud(APPLICATIONS, TYPES, quantum=HUGE, budget=10 * HUGE),
    "size": lambda: cloud([bag("A", (1, 1000), (HUGE, 30))], [kind("a", 1, 8), kind("b", 2, 5)]),
    "time": lambda: cloud(APPLICATIONS, [kind("a", 1, 8, HUGE), TYPES[1]], quantum=1, minimum=60),
    "price": lambda: cloud(APPLICATIONS, [kind("a", HUGE, 8, 3), TYPES[1]], budget=10 * HUGE),
    "smallness": lambda: cloud([bag("A", (Fraction(1, HUGE), 1000)), APPLICATIONS[1]], TYPES, budget=100),
    "limits together": lambda: cloud(APPLICATIONS, TYPES, budget=HUGE, deadline=HUGE, max_vms=4),
}


@pytest.mark.parametrize("goal", ["makespan", "cost"])
@pytest.mark.parametrize("name", EXTREME)
def test_rounding_takes_them_without_a_word_of_its_libraries(
    name: str, goal: str, capfd: pytest.CaptureFixture[str]
) -> None:
    result = planner.solve(EXTREME[name](), "rounding", goal=goal)
    assert result.status is not planner.Status.FAILED
    assert capfd.readouterr() == ("", "")


def test_limits_past_machine_integers_do_not_bind() -> None:
    ticks = Ticks.of(cloud(APPLICATIONS, [kind("a", 1, 8, 3, limit=HUGE)], max_vms=HUGE))
    assert (ticks.max_vms, ticks.max_instances) == (LARGEST_SUM, (LARGEST_SUM,))


def test_a_budget_is_not_cut_below_what_plans_cost() -> None:
    """Where coins are not coarsened the money of a plan may be more of them than machine integers hold."""
    instance = cloud([bag("A", (3600, 1000))], [kind("a", "1.0000000000000000000001", 1)], budget=2000)
    ticks = Ticks.of(instance, largest=None)
    assert ticks.budget is not None
    assert ticks.money(ticks.budget) > 1999
