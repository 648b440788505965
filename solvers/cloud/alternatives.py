"""Beside the best plan: what another type would cost, and what more of a limit would buy."""

from __future__ import annotations

from planner.cloud.explanation import Alternative, Step
from planner.goal import Goal
from solvers.cloud import fleet
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.least import BUDGET, DEADLINE, Ask, Form, Knob, Least, least
from solvers.cloud.ticks import Ticks


def target_of(goal: Goal) -> Knob:
    """The limit whose least value is the optimum of `goal`."""
    return DEADLINE if goal is Goal.MAKESPAN else BUDGET


def alternative(form: Form, target: Knob, best: int, kind: int, ask: Ask) -> Alternative:
    """The best plan among those that `ask` looks for, all with a VM of type `kind`; `best` is that of all."""
    ticks, name = form.up, form.up.instance.instance_types[kind].name
    found = least(form, target, ask, beyond=best - 1 if form.exact else None)
    at_least = target.maybe(ticks, found.at_least)
    limit = target.get(ticks)
    if found.works is not None and found.vms is not None and (limit is None or found.works <= limit):
        return Alternative(
            name, True, at_least, target.true(ticks, found.works), fleet.plan(ticks, found.vms)
        )
    late = limit is not None and found.at_least is not None and found.at_least > limit
    if found.suffices is not False and not late:
        return Alternative(name, None, at_least)
    if ticks.budget is None:
        return Alternative(name, False)
    if target == BUDGET:
        return Alternative(name, False, budget_at_least=at_least, budget=BUDGET.maybe(ticks, found.works))
    money = least(form, BUDGET, ask, beyond=ticks.budget if form.exact else None)
    return Alternative(
        name,
        False,
        budget_at_least=BUDGET.maybe(ticks, money.at_least),
        budget=BUDGET.maybe(ticks, money.works),
    )


def next_value(form: Form, target: Knob, knob: Knob, vms: list[LoadedVM], ask: Ask) -> Step:
    """The least budget (deadline) that allows a better makespan (cost) than `vms`, and the best it allows."""
    ticks = form.up
    found = least(form.within(target, target.used(ticks, vms) - 1), knob, ask, beyond=knob.get(ticks))
    if found.works is None or found.vms is None:
        buys = False if found.suffices is False else None
        return _step(ticks, target, knob, buys, Least(None, found.at_least), None)
    then = least(form.within(knob, found.works), target, ask, start=found.vms)
    return _step(ticks, target, knob, True, found, then)


def one_more(form: Form, target: Knob, knob: Knob, vms: list[LoadedVM], ask: Ask) -> Step:
    """What one more VM in total, or of one type, makes of `vms`, the best plan within the present limits."""
    ticks, best, more = form.up, target.used(form.up, vms), (knob.get(form.up) or 0) + 1
    found = least(form.within(knob, more), target, ask, start=vms)
    if found.works is not None and found.works < best:
        return _step(ticks, target, knob, True, Least(True, more, more), found)
    nothing = found.at_least is not None and found.at_least >= best and form.exact
    return _step(ticks, target, knob, False if nothing else None, Least(None), None)


def _step(ticks: Ticks, target: Knob, knob: Knob, buys: bool | None, to: Least, then: Least | None) -> Step:
    return Step(
        limit=knob.limit,
        type=knob.name(ticks.instance),
        given=knob.given(ticks.instance),
        buys=buys,
        to_at_least=knob.maybe(ticks, to.at_least),
        to=knob.maybe(ticks, to.works),
        value_at_least=None if then is None else target.maybe(ticks, then.at_least),
        value=None if then is None else target.maybe(ticks, then.works),
        plan=None if then is None or then.vms is None else fleet.plan(ticks, then.vms),
    )
