"""An explanation as text: what is in the way and what would do, or what was rented and what was not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.cloud.explanation import Alternative, Change, Limit, NoType, Step, TooLong
from planner.cloud.usage import Kept, Usage
from planner.goal import Goal
from planner.report.layout import Block, Cells, Column, glued, line, paragraph, span, table
from planner.report.names import visible
from planner.report.numbers import counted, duration, number, percent
from planner.report.tables import STYLES
from planner.result import Status, StoppedBy

if TYPE_CHECKING:
    from planner.explanation import Explanation, Price

_INDENT = 2
_SHOWN_TYPES = 12
"""More types than this are not all listed with prices, only the plan's and the alternatives."""

_SHOWN_NAMES = 6
_STOPPED = {
    StoppedBy.TIME_LIMIT: "the time limit came first: what is missing or “at least” was not settled",
    StoppedBy.INTERRUPTED: "interrupted: what is missing or “at least” was not settled",
    StoppedBy.ERROR: "an error came first: what is missing was not settled",
}

_TOO_HARD = (
    "too hard for the work that is spent on it where no time limit is given, so other types and limits were "
    "not tried; more can be settled with --time-limit S"
)


def explanation_block(explanation: Explanation, width: int = 80) -> Block:
    """All of it, for people."""
    status = explanation.status
    block: Block = [line(span(explanation.instance, "strong"), "  ", span(status.value, STYLES[status]))]
    if explanation.plan is None:
        block += _reasons(explanation, width)
        block += _changes(explanation, width)
    else:
        block += _worth(explanation, width)
        block += _limits(explanation.limits, width)
        block += _usages(explanation.usages, width)
        block += _prices(explanation, width)
        block += _alternatives(explanation, width)
        block += _steps(explanation, width)
    stopped = _STOPPED.get(explanation.stopped_by)
    unproven = explanation.bound is None or explanation.best != explanation.bound
    if stopped is None and unproven and status in (Status.FEASIBLE, Status.UNKNOWN):
        stopped = _TOO_HARD
    if stopped is not None:
        block += [(), *paragraph(stopped, width, " " * _INDENT, "warn")]
    return block


def _reasons(explanation: Explanation, width: int) -> Block:
    texts = [_no_type(missing) for missing in explanation.no_type]
    texts += [_too_long(long, explanation) for long in explanation.too_long]
    given = [glued(_limit(change)) for change in explanation.changes if not change.lifted]
    if not texts and len(given) > 1:
        texts = [f"no plan keeps these limits together: {_some(given)}"]
    elif not texts and explanation.message:
        texts = [explanation.message]
    return [row for text in texts for row in paragraph(text, width, " " * _INDENT)]


def _no_type(missing: NoType) -> str:
    if not missing.types:
        return f"application {missing.application!r} runs on no type: every seconds_per_unit is null"
    names = _some([repr(name) for name in missing.types])
    return f"application {missing.application!r} runs only on {names}, of which max_instances allows none"


def _too_long(long: TooLong, explanation: Explanation) -> str:
    deadline = next((change.given for change in explanation.changes if change.limit is Limit.DEADLINE), None)
    late = "" if deadline is None else f", {number(long.seconds - deadline)} s more than the deadline"
    return (
        f"the deadline is too early for a task of {long.application!r} of size {number(long.size)}: on "
        f"{long.type!r}, the quickest type for it, it takes {number(long.seconds)} s, start-up included{late}"
    )


def _changes(explanation: Explanation, width: int) -> Block:
    singles = [change for change in explanation.changes if not change.lifted]
    joint = [change for change in explanation.changes if change.lifted]
    work = [change for change in singles if change.suffices]
    block: Block = []
    if work:
        text = "The change that makes it feasible:"
        if len(work) > 1:
            text = "Each of these changes alone makes it feasible:"
        block += [(), line("  ", text), *_change_table(work, explanation.goal, width)]
    fail = [glued(_limit(change)) for change in singles if change.suffices is False]
    if fail:
        head = "Alone, no value of these is enough: "
        block += [(), *paragraph(head + _some(fail), width, "    ", first="  ")]
    for change in singles:
        if change.suffices is None:
            floor = (
                "" if change.at_least is None else f"; it must be at least {_amount(change, change.at_least)}"
            )
            text = f"Not settled whether {_limit(change)} alone can do it{floor}"
            block += [(), *paragraph(text, width, "    ", first="  ")]
    for lifted in dict.fromkeys(change.lifted for change in joint):
        own = [change for change in joint if change.lifted == lifted]
        without = f"Without any {' and '.join(limit.value for limit in lifted)}"
        needed = [change for change in own if (change.missed_by or 0) > 0]
        if len(needed) < len(own):
            block += [(), line(f"  {without} nothing else has to change.")]
        else:
            text = f"{without} it needs one of:" if len(own) > 1 else f"{without} it needs:"
            block += [(), line("  ", text), *_change_table(own, explanation.goal, width)]
    return block


def _change_table(changes: Sequence[Change], goal: Goal, width: int) -> Block:
    columns = [
        Column("limit"),
        Column("given", right=True),
        Column("least", right=True),
        Column("missed by", right=True),
        Column(f"best plan then, by {goal.value}", wrap=True),
    ]
    rows = []
    for change in changes:
        then = "" if change.makespan is None or change.cost is None else _then(change, goal)
        missed = "" if change.missed_by is None else _amount(change, change.missed_by)
        cells = (_limit(change), _amount(change, change.given), _interval(change), missed, then)
        rows.append(Cells(tuple(span(cell) for cell in cells)))
    return table(columns, rows, width, _INDENT * 2)


def _then(change: Change, goal: Goal) -> str:
    makespan, cost = change.makespan or Fraction(0), change.cost or Fraction(0)
    value = makespan if goal is Goal.MAKESPAN else cost
    unproven = (
        "" if change.value_at_least == value else f", bound {number(change.value_at_least or Fraction(0))}"
    )
    return f"{glued(number(makespan) + ' s')}, {glued('cost ' + number(cost))}{unproven}"


def _interval(change: Change) -> str:
    """The least value: one number where it is proven, else what is known of it."""
    if change.works is None:
        return "" if change.at_least is None else f"at least {_amount(change, change.at_least)}"
    if change.proven or change.at_least is None:
        return _amount(change, change.works)
    return f"{number(change.at_least)} to {_amount(change, change.works)}"


def _worth(explanation: Explanation, width: int) -> Block:
    goal, status = explanation.goal, explanation.status
    unit = f" {visible(explanation.currency)}" if explanation.currency else ""
    makespan, cost = explanation.makespan or Fraction(0), explanation.cost or Fraction(0)
    own = " s" if goal is Goal.MAKESPAN else unit
    proof = ", proven to be the least"
    if status is not Status.OPTIMAL and explanation.bound is not None:
        proof = f", and no plan has less than {number(explanation.bound)}{own}"
        if explanation.best is not None and explanation.best != explanation.objective:
            best = number(explanation.best)
            known = "the least is" if explanation.best == explanation.bound else "the best known plan has"
            proof = f"; {known} {best}{own}"
    of_makespan = proof if goal is Goal.MAKESPAN else ""
    of_cost = proof if goal is Goal.COST else ""
    block = paragraph(f"{duration(makespan)}{of_makespan}", width, " " * 12, first="  makespan  ")
    block += paragraph(f"{number(cost)}{unit}{of_cost}", width, " " * 12, first="  cost      ")
    return block


def _limits(limits: Sequence[Kept], width: int) -> Block:
    texts = []
    for kept in limits:
        unit = " s" if kept.limit is Limit.DEADLINE else ""
        left = "used up" if not kept.slack else f"{number(kept.slack)}{unit} left"
        texts.append(glued(f"{_limit(kept)} {number(kept.given)}{unit}: {left}"))
    return paragraph("; ".join(texts), width, " " * 12, first="  limits    ") if texts else []


def _usages(usages: Iterable[Usage], width: int) -> Block:
    columns = [
        Column("VMs", right=True),
        Column("type"),
        Column("cost", right=True),
        Column("paid (s)", right=True),
        Column("idle (s)", right=True),
        Column("work: share of the application, cost per unit", wrap=True),
    ]
    rows = []
    for usage in usages:
        parts = [
            glued(f"{percent(share.share)} of {share.application} at {number(share.cost_per_unit)}")
            for share in usage.shares
        ]
        cells = (
            str(usage.vms),
            usage.type,
            number(usage.cost),
            number(usage.paid),
            number(usage.idle),
            ", ".join(parts),
        )
        rows.append(Cells(tuple(span(cell) for cell in cells)))
    return [(), *table(columns, rows, width, _INDENT)]


def _prices(explanation: Explanation, width: int) -> Block:
    tried = {one.type for one in explanation.alternatives}
    shown = list(explanation.prices)
    if len(shown) > _SHOWN_TYPES:
        shown = [price for price in shown if price.rented or price.type in tried]
    least = [_least(explanation.prices, a) for a in range(len(explanation.applications))]
    rows = []
    for price in shown:
        parts = []
        for name, value, best in zip(explanation.applications, price.per_unit, least, strict=True):
            if value is not None:
                parts.append(glued(f"{name} {number(value)}" + ("*" if value == best else "")))
        cells = (price.type, "rented" if price.rented else "", ", ".join(parts) or "runs nothing")
        rows.append(Cells(tuple(span(cell) for cell in cells)))
    title = "cost of one unit on a VM that is never idle (* the least)"
    block: Block = [
        (),
        *table([Column("type"), Column(""), Column(title, wrap=True)], rows, width, _INDENT),
    ]
    left = len(explanation.prices) - len(shown)
    if left:
        block.append(line(span(f"  and {counted(left, 'more type')}; --json has them all", "faint")))
    return block


def _least(prices: Sequence[Price], application: int) -> Fraction | None:
    offers = [value for price in prices if (value := price.per_unit[application]) is not None]
    return min(offers, default=None)


def _alternatives(explanation: Explanation, width: int) -> Block:
    if not explanation.alternatives:
        return []
    goal = explanation.goal
    rows = []
    for one in explanation.alternatives:
        rows.append(Cells((span(one.type), span(_alternative(one, explanation)))))
    columns = [Column("with at least one"), Column(f"the least {goal.value} is", wrap=True)]
    return [(), *table(columns, rows, width, _INDENT)]


def _alternative(one: Alternative, explanation: Explanation) -> str:
    unit, best = _unit(explanation.goal), explanation.best
    if one.fits and one.value is not None and best is not None:
        more = f", {number(one.value - best)}{unit} more" if one.value != best else ": as good"
        text = f"{number(one.value)}{unit}{more}"
        return text if one.proven or one.at_least is None else f"{text} (bound {number(one.at_least)}{unit})"
    if one.fits is None:
        return "not settled" + ("" if one.at_least is None else f"; at least {number(one.at_least)}{unit}")
    if one.budget_at_least is None:
        return "none: no such plan within the limits, whatever it costs"
    if one.budget == one.budget_at_least:
        return f"none: such a plan needs a budget of {number(one.budget_at_least)}"
    return f"none: such a plan needs a budget of at least {number(one.budget_at_least)}"


def _steps(explanation: Explanation, width: int) -> Block:
    if not explanation.steps:
        return []
    columns = [
        Column("more of"),
        Column("from", right=True),
        Column("to", right=True),
        Column("buys", wrap=True),
    ]
    rows = []
    for step in explanation.steps:
        to = "" if step.to is None else _amount(step, step.to)
        if step.to is not None and step.to_at_least is not None and step.to_at_least != step.to:
            to = f"{number(step.to_at_least)} to {to}"
        if step.buys is False and step.limit in (Limit.MAX_VMS, Limit.MAX_INSTANCES):
            to = number(step.given + 1)
        cells = (_limit(step), _amount(step, step.given), to, _bought(step, explanation))
        rows.append(Cells(tuple(span(cell) for cell in cells)))
    return [(), *table(columns, rows, width, _INDENT)]


def _bought(step: Step, explanation: Explanation) -> str:
    unit, goal = _unit(explanation.goal), explanation.goal.value
    if step.buys is False:
        return f"nothing: the {goal} stays the same" + ("" if _is_count(step) else ", whatever it is")
    if step.value is None:
        floor = "" if step.to_at_least is None else f"; it takes at least {_amount(step, step.to_at_least)}"
        return f"not settled{floor}"
    less = "" if explanation.best is None else f", {number(explanation.best - step.value)}{unit} less"
    text = f"a {goal} of {number(step.value)}{unit}{less}"
    return text if step.value == step.value_at_least else f"{text} or even better"


def _is_count(step: Step) -> bool:
    return step.limit in (Limit.MAX_VMS, Limit.MAX_INSTANCES)


def _limit(thing: Change | Step | Kept) -> str:
    return thing.limit.value if thing.type is None else f"{thing.limit.value} of {visible(thing.type)}"


def _amount(thing: Change | Step, value: Fraction) -> str:
    return number(value) + (" s" if thing.limit is Limit.DEADLINE else "")


def _unit(goal: Goal) -> str:
    return " s" if goal is Goal.MAKESPAN else ""


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN_NAMES])
    return shown if len(names) <= _SHOWN_NAMES else f"{shown} and {len(names) - _SHOWN_NAMES} more"
