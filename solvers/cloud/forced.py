"""The best plan that rents at least one VM of a given type.

The aggregated model with the demand V_t >= 1 is asked first: "no" is a proof, and mostly its fleet can be
packed. Where it cannot, the complete search is asked for each class of tasks with one task of it bound to
the type: a VM of the type runs some task, so these questions together are complete.
"""

from __future__ import annotations

from dataclasses import replace

from planner.cloud.instance import Application, TaskGroup
from solvers.cloud import bound, fleet
from solvers.cloud.decision import Verdict
from solvers.cloud.fleet import Content, LoadedVM
from solvers.cloud.least import Ask, Asked, Form, horizon
from solvers.cloud.packing import construct, spread
from solvers.cloud.relaxation import Relaxed, relax
from solvers.cloud.ticks import Ticks
from solvers.cpsat import Outcome

MOST_CLASSES = 40  # of tasks that are bound to the type one after the other
_MANY = 2**40  # more VMs than any plan has


class AskForced(Ask):
    """As `Ask`, for plans with at least one VM of type `kind`."""

    def __init__(self, ask: Ask, kind: int) -> None:
        """`ask` gives the effort and the work limits."""
        super().__init__(ask.effort, ask.rounds)
        self._plain, self._kind = ask, kind

    def __call__(self, form: Form, work: float, cheapest: bool = False) -> Asked:
        """Answer within `work` for each model."""
        if self.effort.stopped_by:
            return Asked(Verdict.OPEN)
        relaxed = self._relax(form, work, cheapest)
        if relaxed.outcome is Outcome.INFEASIBLE:
            return Asked(Verdict.NO)
        cost_bound = relaxed.least_cost or 0
        vms = self._packed(form, work, cheapest, relaxed)
        if vms is not None:
            return Asked(Verdict.YES, vms, cost_bound)
        return self._class_by_class(form, work, cost_bound)

    def _relax(self, form: Form, work: float, cheapest: bool) -> Relaxed:
        ticks = form.down
        latest = horizon(ticks)
        others = tuple(0 if t == self._kind else _MANY for t in ticks.types)
        return relax(
            ticks,
            latest,
            self.effort,
            budget=ticks.budget,
            cuts=[others],
            minimise_cost=cheapest,
            merged=latest == bound.serial(ticks),
            work=work,
        )

    def _packed(self, form: Form, work: float, cheapest: bool, relaxed: Relaxed) -> list[LoadedVM] | None:
        ticks = form.up
        if not form.exact:
            relaxed = self._relax(Form(ticks, ticks), work, cheapest)
        if relaxed.mix is None:
            return None
        latest = horizon(ticks)
        for mix in (spread(ticks, latest, ticks, relaxed.mix), relaxed.mix):
            vms = construct(ticks, latest, mix)
            if vms is None or not any(vm.kind == self._kind and any(vm.content) for vm in vms):
                continue
            if ticks.budget is None or fleet.cost(ticks, vms) <= ticks.budget:
                return [vm for vm in vms if any(vm.content)]
        return None

    def _class_by_class(self, form: Form, work: float, cost_bound: int) -> Asked:
        able = [c for c in form.up.task_classes if form.up.times[self._kind][c] is not None]
        if len(able) > MOST_CLASSES:
            return Asked(Verdict.OPEN, None, cost_bound)
        verdict = Verdict.NO
        for c in able:
            up = _with_bound_task(form.up, self._kind, c)
            asked = self._plain(
                Form(up, up if form.exact else _with_bound_task(form.down, self._kind, c)), work
            )
            if asked.vms is not None:
                vms = [LoadedVM(vm.kind, _unbound(form.up, c, vm.content)) for vm in asked.vms]
                return Asked(Verdict.YES, vms, cost_bound)
            if asked.verdict is Verdict.OPEN:
                verdict = Verdict.OPEN
        return Asked(verdict, None, cost_bound)


def _with_bound_task(ticks: Ticks, kind: int, c: int) -> Ticks:
    """The same with one class-c task that runs on `kind` only: the last class, an application of its own."""
    application, size = ticks.labels[c]
    instance = ticks.instance
    bound_one = Application(f"{instance.applications[application].name}, bound", (TaskGroup(size, 1),))
    others = [d for d in ticks.task_classes if d != c or ticks.counts[c] > 1]
    return replace(
        ticks,
        instance=replace(instance, applications=(*instance.applications, bound_one)),
        labels=(*(ticks.labels[d] for d in others), (len(instance.applications), size)),
        counts=(*(ticks.counts[d] - (d == c) for d in others), 1),
        times=tuple(
            (*(row[d] for d in others), row[c] if t == kind else None) for t, row in enumerate(ticks.times)
        ),
    )


def _unbound(ticks: Ticks, c: int, content: Content) -> Content:
    """The content of a VM in the classes of the instance itself."""
    own, one = list(content[:-1]), content[-1]
    if ticks.counts[c] == 1:
        own.insert(c, 0)
    own[c] += one
    return tuple(own)
