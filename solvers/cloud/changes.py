"""Which single change of a limit makes an infeasible instance feasible, and which does not suffice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from planner.cloud.explanation import Change, Limit, NoType, TooLong
from solvers.cloud import bound, fleet
from solvers.cloud.decision import Verdict
from solvers.cloud.least import BUDGET, DEADLINE, MAX_VMS, Ask, Form, Knob, Least, least
from solvers.cloud.ticks import Ticks


def nowhere(ticks: Ticks) -> Iterator[NoType]:
    """Applications that no VM can run, because no type can or none that can may be rented."""
    for index, application in enumerate(ticks.instance.applications):
        able = [item for item in ticks.instance.instance_types if item.seconds_per_unit[index] is not None]
        if all(item.max_instances == 0 for item in able):
            yield NoType(application.name, tuple(item.name for item in able))


def too_long(form: Form) -> Iterator[TooLong]:
    """For each application the largest tasks that no VM ends by the deadline, not even alone on it.

    Times are exact where nothing is rounded, else at least the ones given.
    """
    ticks, instance = form.down, form.down.instance
    worst: dict[int, TooLong] = {}
    for c in ticks.task_classes:
        offers = [
            (ticks.startup[t] + time, t)
            for t in bound.usable(ticks)
            if (time := ticks.times[t][c]) is not None
        ]
        if ticks.deadline is None or not offers or min(offers)[0] <= ticks.deadline:
            continue
        seconds, t = min(offers)
        application, size = ticks.labels[c]  # classes of one application come by rising size
        worst[application] = TooLong(
            instance.applications[application].name,
            size,
            ticks.counts[c],
            instance.instance_types[t].name,
            ticks.seconds(seconds),
        )
    yield from worst.values()


def knobs(ticks: Ticks) -> list[Knob]:
    """The limits that are given: budget, deadline, total of VMs, quotas in the order of the types."""
    quotas = [Knob(Limit.MAX_INSTANCES, t) for t in ticks.types]
    return [knob for knob in (BUDGET, DEADLINE, MAX_VMS, *quotas) if knob.get(ticks) is not None]


class Changed(NamedTuple):
    """One limit of `form`, changed alone, but for the kinds of limits that were `lifted` from it."""

    form: Form
    knob: Knob
    found: Least
    lifted: tuple[Limit, ...] = ()

    def change(self, target: Knob | None = None, ask: Ask | None = None) -> Change:
        """As it is told; with a `target` and `ask` its plan is the best that the change allows.

        `target` is the limit whose least value is the optimum of the goal.
        """
        ticks, instance, found, knob = self.form.up, self.form.up.instance, self.found, self.knob
        vms, value = found.vms, None
        if target is not None and ask is not None and found.works is not None and vms is not None:
            better = found
            if knob != target:
                better = least(self.form.within(knob, found.works), target, ask, start=vms)
            vms, value = better.vms, better.at_least
        return Change(
            limit=knob.limit,
            type=knob.name(instance),
            given=knob.given(instance),
            suffices=found.suffices,
            at_least=knob.maybe(ticks, found.at_least),
            works=knob.maybe(ticks, found.works),
            plan=None if vms is None else fleet.plan(ticks, vms),
            value_at_least=None if target is None else target.maybe(ticks, value),
            lifted=self.lifted,
        )


def single_changes(form: Form, ask: Ask) -> Iterator[Changed]:
    """Each limit of an instance proven infeasible, changed alone."""
    given = knobs(form.up)
    quotas = [knob for knob in given if knob.limit is Limit.MAX_INSTANCES]
    hopeless = len(quotas) > 1 and not _help_together(form, quotas, ask)
    for knob in given:
        if hopeless and knob in quotas:
            yield Changed(form, knob, Least(False))
        else:
            yield change_alone(form, knob, ask)


def change_alone(form: Form, knob: Knob, ask: Ask) -> Changed:
    """One limit of an instance proven infeasible, changed alone."""
    return Changed(form, knob, least(form, knob, ask, beyond=knob.get(form.up)))


def joint_changes(form: Form, ask: Ask) -> Iterator[Changed]:
    """Where no single change suffices: one limit, with the fewest kinds of others lifted that make it do."""
    given = knobs(form.up)
    kinds = [limit for limit in Limit if any(knob.limit is limit for knob in given)]
    for count in range(1, len(kinds)):
        found = False
        for lifted in combinations(kinds, count):
            free = form
            for knob in given:
                if knob.limit in lifted:
                    free = free.within(knob, None)
            for knob in given:
                if knob.limit not in lifted:
                    changed = Changed(free, knob, least(free, knob, ask), lifted)
                    if changed.found.suffices:
                        found = True
                        yield changed
        if found:
            return


def _help_together(form: Form, given: list[Knob], ask: Ask) -> bool:
    """False: not even all of these limits lifted together make the instance feasible."""
    for knob in given:
        form = form.within(knob, None)
    return ask(form, ask.rounds[-1]).verdict is not Verdict.NO
