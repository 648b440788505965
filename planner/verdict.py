"""What a checker says about a plan."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.goal import Goal


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: its name, where (`vms[3]`, or "" for the whole plan), and the numbers."""

    rule: str
    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.rule}: {self.message}" if self.where else f"{self.rule}: {self.message}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a plan is worth in each goal of its kind, and the rules it breaks.

    A value is None where the kind does not have that goal, or the plan is too broken to have the value.
    """

    makespan: Fraction | None
    cost: Fraction | None
    violations: tuple[Violation, ...]
    flow: Fraction | None = None
    load: Fraction | None = None

    @property
    def valid(self) -> bool:
        """Whether no rule is broken."""
        return not self.violations

    def value(self, goal: Goal) -> Fraction | None:
        """The plan's value in that goal."""
        value: Fraction | None = getattr(self, goal.value)
        return value
