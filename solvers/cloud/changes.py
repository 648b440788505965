"""Which single change of a limit makes an infeasible instance feasible, and which does not suffice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from planner.cloud.explanation import Change, Limit, NoType, TooLong
from solvers.cloud import bound, fleet
from solvers.cloud.decision import Verdict
from solvers.cloud.least import BUDGET, DEADLINE, MAX_VMS, Ask, Form, Knob, Least, least
from solvers.cloud.ticks import Ticks

_GROUPS = (Limit.BUDGET, Limit.DEADLINE, Limit.MAX_VMS, Limit.MAX_INSTANCES)


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


def single_changes(form: Form, ask: Ask, target: Knob) -> Iterator[Change]:
    """Each limit of an instance proven infeasible, changed alone.

    The plan of a change that suffices is the best in the goal of `target`, the limit whose least value is the
    optimum.
    """
    given = knobs(form.up)
    quotas = [knob for knob in given if knob.limit is Limit.MAX_INSTANCES]
    hopeless = len(quotas) > 1 and not _help_together(form, quotas, ask)
    for knob in given:
        if hopeless and knob in quotas:
            found = Least(False)
        else:
            found = least(form, knob, ask, beyond=knob.get(form.up))
        best = _best_with(form, knob, found, target, ask)
        yield _change(form, knob, found, (), target, best)


def changes_of(form: Form, given: Iterable[Knob], ask: Ask) -> list[Change]:
    """These limits of an instance proven infeasible, each changed alone."""
    return [
        _change(form, knob, least(form, knob, ask, beyond=knob.get(form.up)), (), None, None)
        for knob in given
    ]


def _help_together(form: Form, given: list[Knob], ask: Ask) -> bool:
    """False: not even all of these limits lifted together make the instance feasible."""
    for knob in given:
        form = form.within(knob, None)
    return ask(form, ask.rounds[-1]).verdict is not Verdict.NO


def joint_changes(form: Form, ask: Ask, target: Knob) -> Iterator[Change]:
    """Where no single change suffices: one limit, with the fewest kinds of others lifted that make it do."""
    given = knobs(form.up)
    kinds = [limit for limit in _GROUPS if any(knob.limit is limit for knob in given)]
    for count in range(1, len(kinds)):
        found = False
        for lifted in combinations(kinds, count):
            free = form
            for knob in given:
                if knob.limit in lifted:
                    free = free.within(knob, None)
            for knob in given:
                if knob.limit in lifted:
                    continue
                changed = least(free, knob, ask)
                if changed.suffices:
                    found = True
                    best = _best_with(free, knob, changed, target, ask)
                    yield _change(free, knob, changed, lifted, target, best)
        if found:
            return


def _best_with(form: Form, knob: Knob, found: Least, target: Knob, ask: Ask) -> Least | None:
    """The best plan with a change that works, in the goal of `target`."""
    if found.works is None or found.vms is None:
        return None
    if knob == target:
        return found
    return least(form.within(knob, found.works), target, ask, start=found.vms)


def _change(
    form: Form,
    knob: Knob,
    found: Least,
    lifted: tuple[Limit, ...],
    target: Knob | None,
    best: Least | None,
) -> Change:
    ticks, instance = form.up, form.up.instance
    vms = found.vms if best is None else best.vms
    return Change(
        limit=knob.limit,
        type=knob.name(instance),
        given=knob.given(instance),
        suffices=found.suffices,
        at_least=knob.maybe(ticks, found.at_least),
        works=knob.maybe(ticks, found.works),
        plan=None if vms is None else fleet.plan(ticks, vms),
        value_at_least=None if best is None or target is None else target.maybe(ticks, best.at_least),
        lifted=lifted,
    )
