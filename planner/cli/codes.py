"""Exit codes: what each outcome ends the command with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from planner.errors import PlannerError
from planner.result import Result, Status, StoppedBy

OK = 0
INTERNAL = 1
INVALID_INPUT = 3
CHECK_FAILED = 6
INTERRUPTED = 130

_ORDER = (130, 1, 6, 3, 2, 5, 4, 0)
"""Of several outcomes, the first of these that occurred is the command's."""

_OF_STATUS = {
    Status.OPTIMAL: 0,
    Status.FEASIBLE: 0,
    Status.UNSUPPORTED: 2,
    Status.INFEASIBLE: 4,
    Status.UNKNOWN: 5,
    Status.FAILED: 1,
}


def of(result: Result[Any], error: PlannerError | None = None) -> int:
    """The code of one result; `error` is what a failed or unsupported one raised."""
    if error is not None:
        return error.exit_code
    if result.status is Status.UNKNOWN and result.stopped_by is StoppedBy.INTERRUPTED:
        return INTERRUPTED
    if crashed(result):
        return INTERNAL
    return _OF_STATUS[result.status]


def crashed(result: Result[Any]) -> bool:
    """Whether the solver failed after it had found the plan, which is good."""
    return result.stopped_by is StoppedBy.ERROR and result.plan is not None


def worst(codes: Iterable[int]) -> int:
    """The code that several outcomes end with together."""
    occurred = set(codes)
    return next((code for code in _ORDER if code in occurred), OK)
