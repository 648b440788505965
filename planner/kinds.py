"""The kinds of problem there are, and what is particular to each: goals, checker, tolerance, usual solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from planner.cloud import checker as cloud_checker
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.goal import Goal
from planner.grid import checker as grid_checker
from planner.grid.plan import GridPlan
from planner.grid.step import GridStep
from planner.verdict import Verdict

Instance = CloudInstance | GridStep
Plan = CloudPlan | GridPlan

GRID_TOLERANCE = Fraction(1, 10**9)
"""Two values of a grid step that differ by this share are equal: the grid's numbers are continuous."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem.

    `goals` are in the order in which plans equal in the first ones are compared. `tolerance` is the share by
    which a bound may exceed a checked value, or stay below it and still prove it optimal.
    """

    name: str
    goals: tuple[Goal, ...]
    check: Callable[[Any, Any], Verdict]
    tolerance: Fraction
    solver: str
    compared: tuple[str, ...]
    """Solvers that are compared where nobody says which."""
    infeasible: str
    """What is said where a solver proves infeasibility and gives no reason."""
    breaks_ties: bool = True
    """Whether the other goal decides among plans equal in the one asked for, and solvers may prove that."""

    def agree(self, bound: Fraction, value: Fraction) -> bool:
        """Whether the two are one value, as far as this kind can tell values apart."""
        return abs(value - bound) <= self.tolerance * abs(value)

    def above(self, bound: Fraction, value: Fraction) -> bool:
        """Whether the bound contradicts the value."""
        return bound > value and not self.agree(bound, value)

    def values(self, goal: Goal, verdict: Verdict) -> tuple[Fraction, ...] | None:
        """The goal's value first, then the others', for comparing plans; None where there are none."""
        order = (goal, *(other for other in self.goals if other is not goal))
        values = [verdict.value(one) for one in order]
        return None if None in values else tuple(value for value in values if value is not None)


CLOUD = Kind(
    name="cloud",
    goals=(Goal.MAKESPAN, Goal.COST),
    check=cloud_checker.check,
    tolerance=Fraction(0),
    solver="exact",
    compared=("exact", "heuristic", "mi", "mp"),
    infeasible="no plan keeps budget, deadline and limits together",
)
GRID_STEP = Kind(
    name="grid-step",
    goals=(Goal.FLOW, Goal.MAKESPAN, Goal.LOAD),
    check=grid_checker.check,
    tolerance=GRID_TOLERANCE,
    solver="assignment",
    compared=("assignment", "makespan", "load", "mct", "lls", "dmms", "rs"),
    infeasible="there are more jobs than max_jobs_per_resource has places for",
    breaks_ties=False,
)

KINDS = {kind.name: kind for kind in (CLOUD, GRID_STEP)}


def kind_of(instance: Instance) -> Kind:
    """The kind of that instance."""
    return GRID_STEP if isinstance(instance, GridStep) else CLOUD
