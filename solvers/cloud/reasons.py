"""Why an instance has no plan: the application, task, limit or budget in the way, with numbers."""

from __future__ import annotations

from fractions import Fraction

from planner.cloud.explanation import Change, Limit
from planner.cloud.instance import CloudInstance
from planner.solver import Effort
from solvers.cloud import bound
from solvers.cloud.changes import change_alone, knobs
from solvers.cloud.least import Ask, Form, Knob
from solvers.cloud.relaxation import relax
from solvers.cloud.ticks import Ticks
from solvers.cpsat import ModelRefused, Outcome

QUICK_WORK = (0.05,)  # CP-SAT's deterministic seconds for a question behind a message
QUICK_QUESTIONS = 16  # for each limit
MOST_LIMITS = 6
LARGEST_QUICK = 400  # types times entries of tasks


def why_infeasible(ticks: Ticks, effort: Effort) -> str | None:
    """The reason that relaxations can prove, or None. `ticks` must be rounded down, or exact.

    Without a deadline the money named is the least budget that works, and nothing that is infeasible is
    missed; with one, plans that only fail for want of a packing are not recognised here.
    """
    reason = _nowhere_to_run(ticks) or _too_long(ticks)
    if reason is not None:
        return reason
    horizon = bound.serial(ticks) if ticks.deadline is None else ticks.deadline
    merged = ticks.deadline is None
    cheapest = relax(ticks, horizon, effort, budget=None, minimise_cost=True, merged=merged)
    if cheapest.outcome is Outcome.INFEASIBLE:
        return _limits_bind(ticks)
    if ticks.budget is None or cheapest.least_cost is None or cheapest.least_cost <= ticks.budget:
        return None
    needed = ticks.money(cheapest.least_cost)
    exact = merged and cheapest.outcome is Outcome.OPTIMAL and not ticks.rounded
    return too_little_money(ticks, needed, exact)


def too_little_money(ticks: Ticks, needed: Fraction, exact: bool) -> str:
    """The message for a budget below `needed`; `exact`: that budget works, not only none below it does."""
    budget = ticks.instance.budget or Fraction(0)
    within = (
        ""
        if ticks.instance.deadline is None
        else f" with the deadline of {number(ticks.instance.deadline)} s"
    )
    if exact:
        return (
            f"the budget of {number(budget)} is too small{within}: the least budget that works is "
            f"{number(needed)} ({number(needed - budget)} more)"
        )
    return f"the budget of {number(budget)} is too small{within}: no plan costs less than {number(needed)}"


def enough_alone(instance: CloudInstance, effort: Effort) -> str | None:
    """What to add to the reason: which single limit, changed alone, makes an infeasible instance feasible.

    None where the budget alone is enough and no deadline is given, as the reason names the least one already,
    and where the answer would not be quick (`planner explain` takes its time). Work is counted, not timed, so
    the text is always the same.
    """
    groups = sum(len(application.tasks) for application in instance.applications)
    if groups * len(instance.instance_types) > LARGEST_QUICK:
        return None
    form = Form.of(instance)
    given = knobs(form.up)
    if len(given) > MOST_LIMITS or [knob.limit for knob in given] in ([], [Limit.BUDGET]):
        return None
    if any(all(row[c] is None for row in form.up.times) for c in form.up.task_classes):
        return None  # no limit has anything to do with it
    try:
        changes = [_quick_change(form, knob, effort) for knob in given]
    except ModelRefused:
        return None
    limits = [change.limit for change in changes if change.suffices]
    if limits == [Limit.BUDGET] and form.up.deadline is None:
        return None
    enough = [_in_words(change) for change in changes if change.suffices]
    if enough:
        *others, last = enough
        return f"enough alone: {', '.join(others)} or {last}" if others else f"enough alone: {last}"
    if len(given) > 1 and all(change.suffices is False for change in changes):
        return "changing one limit alone is not enough"
    return None


def _quick_change(form: Form, knob: Knob, effort: Effort) -> Change:
    return change_alone(form, knob, Ask(effort, QUICK_WORK, QUICK_QUESTIONS)).change()


def _in_words(change: Change) -> str:
    """`a deadline of 2625 s (1125 s more)`; `or less` where it is not proven to be the least."""
    unit = " s" if change.limit is Limit.DEADLINE else ""
    works, more = number(change.works or Fraction(0)), number(change.missed_by or Fraction(0))
    less = "" if change.proven else " or less"
    name = change.limit.value if change.type is None else f"{change.limit.value} of {change.type!r}"
    what = f"a {name} of " if change.limit in (Limit.BUDGET, Limit.DEADLINE) else f"{name} = "
    return f"{what}{works}{unit}{less} ({more}{unit} more)"


def number(value: Fraction) -> str:
    """A number for a message: exact where it is a short decimal, else rounded to 10 digits."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.10g}"


def _nowhere_to_run(ticks: Ticks) -> str | None:
    usable = bound.usable(ticks)
    if not usable:
        return "no VM may be rented: max_instances is 0 for every instance type"
    for index, application in enumerate(ticks.instance.applications):
        runners = [item for item in ticks.instance.instance_types if item.seconds_per_unit[index] is not None]
        if not runners:
            return (
                f"application {application.name!r} runs on no instance type: every seconds_per_unit is null"
            )
        if all(item.max_instances == 0 for item in runners):
            names = ", ".join(repr(item.name) for item in runners)
            return (
                f"application {application.name!r} runs only on {names}, of which max_instances allows none"
            )
    return None


def _too_long(ticks: Ticks) -> str | None:
    longest = bound.longest_task(ticks)
    deadline = ticks.deadline
    if deadline is None or longest is None or longest <= deadline:
        return None
    worst = max(ticks.task_classes, key=lambda c: _fastest(ticks, c))
    application, size = ticks.labels[worst]
    name = ticks.instance.applications[application].name
    given = number(ticks.instance.deadline or Fraction(0))
    return (
        f"the deadline of {given} s is too early: a task of {name!r} of size {number(size)} takes "
        f"{number(ticks.seconds(longest))} s on its fastest type, start-up included"
    )


def _fastest(ticks: Ticks, c: int) -> int:
    return min(
        ticks.startup[t] + time for t in bound.usable(ticks) if (time := ticks.times[t][c]) is not None
    )


def _limits_bind(ticks: Ticks) -> str:
    limits = []
    if ticks.max_vms is not None:
        limits.append(f"max_vms = {ticks.instance.max_vms}")
    for item in ticks.instance.instance_types:
        if item.max_instances is not None:
            limits.append(f"max_instances of {item.name!r} = {item.max_instances}")
    within = (
        "" if ticks.instance.deadline is None else f" by the deadline of {number(ticks.instance.deadline)} s"
    )
    return f"the limits allow too few VMs to run everything{within}: {', '.join(limits)}"
