"""What an explanation of a cloud instance says: why nothing is feasible, or why a plan rents what it does.

Times are seconds, money is in the instance's own currency, numbers of VMs are whole; all are exact. Where a
number is not proven it is given as an interval: no value below `at_least` works, and `works` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from planner.cloud.plan import CloudPlan


class Limit(StrEnum):
    """What an instance limits."""

    BUDGET = "budget"
    DEADLINE = "deadline"
    MAX_VMS = "max_vms"
    MAX_INSTANCES = "max_instances"


@dataclass(frozen=True, slots=True)
class NoType:
    """An application that no VM can run: `types` are those that could, but of which none may be rented."""

    application: str
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TooLong:
    """Tasks that take longer than the deadline even on `type`, the quickest that may be rented.

    `seconds` is the time of a VM that runs one such task and nothing else, start-up included.
    """

    application: str
    size: Fraction
    count: int
    type: str
    seconds: Fraction


@dataclass(frozen=True, slots=True)
class Change:
    """One limit of an infeasible instance, changed while all others stay.

    `type` names the type of a `max_instances`. `suffices`: whether any value of it makes the instance
    feasible; None where that is not settled. No value below `at_least` does; `works` does, as `plan` shows:
    the best plan found with it, of which the checker found `makespan` and `cost`; no plan with it has an
    objective below `value_at_least`. `lifted` are limits that are taken away altogether beside the change.
    """

    limit: Limit
    type: str | None
    given: Fraction
    suffices: bool | None
    at_least: Fraction | None = None
    works: Fraction | None = None
    plan: CloudPlan | None = None
    makespan: Fraction | None = None
    cost: Fraction | None = None
    value_at_least: Fraction | None = None
    lifted: tuple[Limit, ...] = ()

    @property
    def proven(self) -> bool:
        """Whether the answer is final: `works` is the least value that works, or no value suffices."""
        return self.suffices is False or (self.works is not None and self.works == self.at_least)

    @property
    def missed_by(self) -> Fraction | None:
        """How far the given value is below the one that works, or below the bound where none is known."""
        least = self.at_least if self.works is None else self.works
        return None if least is None else least - self.given


@dataclass(frozen=True, slots=True)
class Alternative:
    """The best plan that rents at least one VM of a type, beside the best of all plans.

    `fits`: whether there is one within budget, deadline and limits; None where that is not settled. `value`
    is its objective as the checker found it in `plan`, and no such plan is better than `at_least`; both are
    proven to be the same where they are equal. Where none fits, no budget below `budget_at_least` allows one
    by the deadline and within the limits, and `budget` does.
    """

    type: str
    fits: bool | None
    at_least: Fraction | None = None
    value: Fraction | None = None
    plan: CloudPlan | None = None
    budget_at_least: Fraction | None = None
    budget: Fraction | None = None

    @property
    def proven(self) -> bool:
        """Whether the answer is final."""
        return self.fits is False or (self.value is not None and self.value == self.at_least)


@dataclass(frozen=True, slots=True)
class Step:
    """What more of one limit buys: the next value of it that allows a better objective.

    From `given` to `to`, the objective falls from that of the best plan to `value` (the checker's, in `plan`;
    no plan within `to` is better than `value_at_least`). No value below `to_at_least` buys anything. `buys`
    False: no value does (budget, deadline), or the one next VM does not (`max_vms`, `max_instances`, where
    `to` is `given` + 1); None: not settled.
    """

    limit: Limit
    type: str | None
    given: Fraction
    buys: bool | None
    to_at_least: Fraction | None = None
    to: Fraction | None = None
    value_at_least: Fraction | None = None
    value: Fraction | None = None
    plan: CloudPlan | None = None

    @property
    def proven(self) -> bool:
        """Whether the answer is final, both numbers of it."""
        settled = self.to == self.to_at_least and self.value == self.value_at_least
        return self.buys is False or (self.buys is True and settled)


Finding = NoType | TooLong | Change | Alternative | Step
"""What an explainer hands over, one at a time, as soon as it is found."""
