"""Whoever refuses an instance for its size names a solver that takes it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from planner.cloud.instance import CloudInstance
from planner.errors import Unsupported
from planner.goal import Goal
from planner.solver import Effort
from solvers.cloud.compact import Compact
from solvers.cloud.milp.export import Export
from solvers.cloud.milp.solver import Milp
from tests.instances import bag, cloud, kind

REFUSING: dict[str, Callable[[CloudInstance], object]] = {
    "compact": lambda instance: Compact().solve(instance, Goal.MAKESPAN, Effort()),
    "milp": lambda instance: Milp().solve(instance, Goal.MAKESPAN, Effort()),
    "export": lambda instance: Export().write(instance, Goal.MAKESPAN, "lp"),
}


@pytest.mark.parametrize("name", REFUSING)
@pytest.mark.parametrize(("tasks", "advised"), [(500, "exact"), (10**9, "rounding")])
def test_the_advice_goes_by_the_number_of_tasks(name: str, tasks: int, advised: str) -> None:
    sizes = [(size, tasks) for size in range(1, 40)]
    with pytest.raises(Unsupported, match=f"use '{advised}'$"):
        REFUSING[name](cloud([bag("A", *sizes)], [kind("a", 1, 1), kind("b", 2, 3)]))
