"""What a plan's file says besides the plan."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Generic

from planner.errors import Fault, InputError
from planner.goal import Goal
from planner.kinds import KINDS, Kind
from planner.result import PlanT, Status, gap

if TYPE_CHECKING:
    from planner.files.wire.result import ResultWire


@dataclass(frozen=True, slots=True)
class Claims:
    """What a result file says its plan is worth: exact where the file is, None where it says nothing.

    `contradictions` are sentences on places where the file does not even agree with itself.
    """

    goal: Goal
    status: Status
    makespan: Fraction | None = None
    cost: Fraction | None = None
    objective: Fraction | None = None
    bound: Fraction | None = None
    contradictions: tuple[str, ...] = ()
    flow: Fraction | None = None
    load: Fraction | None = None

    def value(self, goal: Goal) -> Fraction | None:
        """The value of that goal that the file claims."""
        value: Fraction | None = getattr(self, goal.value)
        return value


class ResultWithoutPlanError(InputError):
    """A result file that is valid and has no plan, where a plan is needed."""

    def __init__(self, source: str, instance: str, status: Status) -> None:
        """`instance` and `status` are what the result in the file `source` says."""
        self.instance, self.status = instance, status
        super().__init__(source, [Fault("plan", f"this result has no plan: its status is {status}")])


@dataclass(frozen=True, slots=True)
class PlanFile(Generic[PlanT]):
    """A plan read from a plan file (no hash, no claims) or from a result file."""

    plan: PlanT
    instance_sha256: str | None = None
    claims: Claims | None = None


def claims_of(result: ResultWire) -> Claims:
    """The claims in a result file: its `exact` values, or where they are null the numbers beside them."""
    kind = KINDS[result.kind]
    values = {goal: _claimed(result, goal.value) for goal in kind.goals}
    bound = _claimed(result, "bound")
    objective = values[result.goal]
    pairs = [
        *((goal.value, getattr(result, goal.value), value) for goal, value in values.items()),
        ("bound", result.bound, bound),
        ("objective", result.objective, objective),
    ]
    contradictions = [
        f"{name} is {_shown(number)}, but the exact value beside it is {value}"
        for name, number, value in pairs
        if not _agree(number, value)
    ]
    share = gap(result.objective, result.bound)
    if result.gap != share and not _close(result.gap, share, kind.tolerance):
        contradictions.append(f"gap is {_shown(result.gap)}, but objective and bound make it {_shown(share)}")
    if result.status not in (Status.OPTIMAL, Status.FEASIBLE):
        contradictions.append(f"there is a plan, but status is {result.status}")
    if result.status is Status.OPTIMAL and not _same(kind, bound, objective):
        contradictions.append(f"status is optimal, but the bound {bound} is not the objective {objective}")
    return Claims(
        goal=result.goal,
        status=result.status,
        objective=objective,
        bound=bound,
        contradictions=tuple(contradictions),
        **{goal.value: value for goal, value in values.items()},
    )


def _claimed(result: ResultWire, name: str) -> Fraction | None:
    """The exact value of that name, or where it is null the number."""
    exact: Fraction | None = getattr(result.exact, name)
    number: Fraction | None = getattr(result, name)
    return number if exact is None else exact


def _same(kind: Kind, bound: Fraction | None, objective: Fraction | None) -> bool:
    if bound is None or objective is None:
        return bound is objective
    return kind.agree(bound, objective)


def _agree(number: Fraction | None, value: Fraction | None) -> bool:
    if number is None or value is None:
        return number is value
    try:
        return float(number) == float(value)
    except OverflowError:
        return number == value


def _close(number: Fraction | None, value: Fraction | None, tolerance: Fraction) -> bool:
    """Whether they differ by no more than the tolerance or the rounding of objective and bound can cause."""
    most = max(tolerance, Fraction(1, 10**12))
    return number is not None and value is not None and abs(number - value) <= most


def _shown(number: Fraction | None) -> str:
    return "null" if number is None else f"{float(number):.17g}"
