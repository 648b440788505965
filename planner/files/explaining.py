"""Explanations as JSON (`planner/explanation/1`)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from planner.cloud.explanation import Alternative, Change, Step, TooLong
from planner.cloud.usage import Kept, Usage
from planner.files import formats
from planner.files.numbers import nearest
from planner.files.writing import to_wire

if TYPE_CHECKING:
    from planner.explanation import Explanation, Price


def explained(explanation: Explanation) -> dict[str, Any]:
    """The explanation as dicts, lists, text and numbers, ready for JSON (`planner.files.dumps`)."""
    return {
        "format": formats.EXPLANATION,
        "instance": explanation.instance,
        "instance_sha256": explanation.instance_sha256,
        "goal": explanation.goal.value,
        "status": explanation.status.value,
        "stopped_by": explanation.stopped_by.value,
        "seconds": explanation.seconds,
        "message": explanation.message,
        "makespan": _number(explanation.makespan),
        "cost": _number(explanation.cost),
        "bound": _number(explanation.bound),
        "best": _number(explanation.best),
        "exact": {
            "makespan": _text(explanation.makespan),
            "cost": _text(explanation.cost),
            "bound": _text(explanation.bound),
        },
        "no_type": [
            {"application": one.application, "types": list(one.types)} for one in explanation.no_type
        ],
        "too_long": [_too_long(one) for one in explanation.too_long],
        "changes": [_change(one) for one in explanation.changes],
        "limits": [_kept(one) for one in explanation.limits],
        "types": [_usage(one) for one in explanation.usages],
        "prices": [_price(one, explanation.applications) for one in explanation.prices],
        "alternatives": [_alternative(one) for one in explanation.alternatives],
        "steps": [_step(one) for one in explanation.steps],
        "plan": None if explanation.plan is None else to_wire(explanation.plan),
    }


def _too_long(one: TooLong) -> dict[str, Any]:
    return {
        "application": one.application,
        "size": _number(one.size),
        "count": one.count,
        "type": one.type,
        "seconds": _number(one.seconds),
        "exact": _text(one.seconds),
    }


def _change(one: Change) -> dict[str, Any]:
    exact = {
        "given": one.given,
        "at_least": one.at_least,
        "works": one.works,
        "missed_by": one.missed_by,
        "makespan": one.makespan,
        "cost": one.cost,
    }
    return {
        "limit": one.limit.value,
        "type": one.type,
        "lifted": [limit.value for limit in one.lifted],
        "suffices": one.suffices,
        "proven": one.proven,
        **{key: _number(value) for key, value in exact.items()},
        "value_at_least": _number(one.value_at_least),
        "exact": {key: _text(value) for key, value in exact.items()},
    }


def _kept(one: Kept) -> dict[str, Any]:
    return {
        "limit": one.limit.value,
        "type": one.type,
        "given": _number(one.given),
        "used": _number(one.used),
        "slack": _number(one.slack),
    }


def _usage(one: Usage) -> dict[str, Any]:
    shares = [
        {
            "application": share.application,
            "tasks": share.tasks,
            "units": _number(share.units),
            "share": _number(share.share),
            "seconds": _number(share.seconds),
            "cost": _number(share.cost),
            "cost_per_unit": _number(share.cost_per_unit),
        }
        for share in one.shares
    ]
    return {
        "type": one.type,
        "vms": one.vms,
        "cost": _number(one.cost),
        "fees": _number(one.fees),
        "paid_seconds": _number(one.paid),
        "working_seconds": _number(one.working),
        "starting_seconds": _number(one.starting),
        "idle_seconds": _number(one.idle),
        "shares": shares,
    }


def _price(one: Price, applications: tuple[str, ...]) -> dict[str, Any]:
    per_unit = [
        {"application": name, "price": _number(price)}
        for name, price in zip(applications, one.per_unit, strict=True)
    ]
    return {"type": one.type, "rented": one.rented, "per_unit": per_unit}


def _alternative(one: Alternative) -> dict[str, Any]:
    return {
        "type": one.type,
        "fits": one.fits,
        "proven": one.proven,
        "value": _number(one.value),
        "at_least": _number(one.at_least),
        "budget": _number(one.budget),
        "budget_at_least": _number(one.budget_at_least),
    }


def _step(one: Step) -> dict[str, Any]:
    return {
        "limit": one.limit.value,
        "type": one.type,
        "given": _number(one.given),
        "buys": one.buys,
        "proven": one.proven,
        "to": _number(one.to),
        "to_at_least": _number(one.to_at_least),
        "value": _number(one.value),
        "value_at_least": _number(one.value_at_least),
    }


def _number(value: Fraction | None) -> int | float | None:
    return None if value is None else nearest(value)


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
