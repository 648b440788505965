"""What several solvers' results on one instance say together: a bound that one proves holds for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from planner.goal import Goal
from planner.kinds import KINDS
from planner.report.names import label
from planner.result import Result, Status, StoppedBy


def share(results: Sequence[Result[Any]]) -> tuple[Result[Any], ...]:
    """The results of one instance, each with the best certified bound of them all.

    A plan that meets the shared bound becomes `optimal`; `unknown` becomes `infeasible` where another
    solver proved that. A result whose proof contradicts a checked plan (a bound above the plan's objective,
    infeasibility, a tie-break) becomes `failed`, and nothing it claims is used. Bounds are shared among
    results of one goal; infeasibility and plans speak for every goal, as budget and deadline always bind.
    """
    honest = tuple(_judged(result, results) for result in results)
    refuted = next((result for result in honest if result.status is Status.INFEASIBLE), None)
    return tuple(_improved(result, honest, refuted) for result in honest)


def _judged(result: Result[Any], results: Sequence[Result[Any]]) -> Result[Any]:
    """The result itself, or a failed one where a checked plan of another contradicts its proof."""
    for other in results:
        if other.plan is None or other is result:
            continue
        value = other.value(result.goal)
        if result.status is Status.INFEASIBLE:
            return _failed(result, f"called infeasible, yet the checker accepts a plan of {label(other)}")
        if value is not None and result.bound is not None and KINDS[result.kind].above(result.bound, value):
            text = (
                f"bound {result.bound} exceeds the checked {result.goal} {value} of a plan of {label(other)}"
            )
            return _failed(result, text)
        if (
            result.tiebreak_proven
            and value == result.objective
            and _second(other, result) < _second(result, result)
        ):
            text = f"called best among equals, yet {label(other)} has a better plan of the same {result.goal}"
            return _failed(result, text)
    return result


def _improved(result: Result[Any], honest: Sequence[Result[Any]], refuted: Result[Any] | None) -> Result[Any]:
    if result.status is Status.UNKNOWN and refuted is not None:
        message = f"{refuted.message} (proven by {label(refuted)})" if refuted.message else refuted.message
        return replace(result, status=Status.INFEASIBLE, bound=None, message=message)
    if result.status not in (Status.OPTIMAL, Status.FEASIBLE, Status.UNKNOWN):
        return result
    peers = [other for other in honest if other.goal is result.goal and other.status is not Status.FAILED]
    bound = max((peer.bound for peer in peers if peer.bound is not None), default=None)
    if bound is None or bound == result.bound:
        return result
    if result.objective is None or not KINDS[result.kind].agree(bound, result.objective):
        return replace(result, bound=bound)
    proven = any(
        peer.tiebreak_proven and peer.objective == bound and _second(peer, result) == _second(result, result)
        for peer in peers
    )
    tie = proven if KINDS[result.kind].breaks_ties else None
    return replace(result, status=Status.OPTIMAL, bound=result.objective, tiebreak_proven=tie)


def _failed(result: Result[Any], message: str) -> Result[Any]:
    """A contradicted result keeps who, what and how long, and loses all it claimed."""
    return replace(
        result,
        status=Status.FAILED,
        stopped_by=StoppedBy.ERROR,
        bound=None,
        makespan=None,
        cost=None,
        plan=None,
        flow=None,
        load=None,
        tiebreak_proven=None,
        message=f"{result.instance}: {message}",
    )


def _second(result: Result[Any], judged: Result[Any]) -> Fraction:
    """What decides among plans equal in the goal of `judged`: the other goal."""
    value = result.cost if judged.goal is Goal.MAKESPAN else result.makespan
    return Fraction(0) if value is None else value
