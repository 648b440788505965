"""What stands behind an outcome: the limits in the way of any plan, or the alternatives to the best plan.

Found through `solvers.catalog`; `planner.explanation` has the checker judge every plan that is handed over.
"""

from __future__ import annotations

from collections.abc import Sequence

from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.explainer import Keep
from planner.goal import Goal
from planner.solver import Effort
from solvers.cloud import fleet
from solvers.cloud.alternatives import alternative, next_value, one_more, target_of
from solvers.cloud.changes import joint_changes, knobs, nowhere, single_changes, too_long
from solvers.cloud.least import BUDGET, DEADLINE, Ask, Form
from solvers.cloud.reasons import enough_alone

MOST_STEPS = 8  # limits of which it is asked what more of them buys
PATIENCE = 4  # questions left open, each after all its work, before the rest is left open, too


class Explain:
    """Explains one instance at a time (planner.explainer.Explainer)."""

    def enough_alone(self, instance: CloudInstance, effort: Effort) -> str | None:
        """Which single change would make an infeasible instance feasible, in words, where that is quick."""
        return enough_alone(instance, effort)

    def infeasible(self, instance: CloudInstance, goal: Goal, effort: Effort, keep: Keep) -> None:
        """What is in the way, and which changes of the limits would do; `instance` is proven infeasible."""
        form = Form.of(instance)
        hopeless = False
        for missing in nowhere(form.down):
            keep(missing)
            hopeless = hopeless or not missing.types
        for long in too_long(form):
            keep(long)
        if hopeless:  # no limit has anything to do with it
            return
        ask, target = Ask(effort, patience=_patience(effort)), target_of(goal)
        found = []
        for changed in single_changes(form, ask):
            found.append(changed)
            keep(changed.change())
        if all(changed.found.suffices is False for changed in found):
            for changed in joint_changes(form, ask):
                found.append(changed)
                keep(changed.change())
        for changed in found:  # once all limits are known, as this can take longer
            if changed.found.suffices:
                keep(changed.change(target, ask))

    def alternatives(
        self,
        instance: CloudInstance,
        goal: Goal,
        best: CloudPlan,
        types: Sequence[int],
        effort: Effort,
        keep: Keep,
    ) -> None:
        """For each of the types (indices) the best plan that rents it; `best` is proven to be optimal."""
        form, target = Form.of(instance), target_of(goal)
        value = target.used(form.up, fleet.loaded(form.up, best))
        patience = _patience(effort)
        for kind in types:
            ask = Ask(effort, patience=patience, with_type=kind)
            keep(alternative(form, target, value, kind, ask))
            patience = ask.patience

    def steps(self, instance: CloudInstance, goal: Goal, best: CloudPlan, effort: Effort, keep: Keep) -> None:
        """What more of each limit buys; `best` is proven to be optimal within the present ones."""
        form, target = Form.of(instance), target_of(goal)
        ask, vms = Ask(effort, patience=_patience(effort)), fleet.loaded(form.up, best)
        given = [knob for knob in knobs(form.up) if knob != target]
        # Those that are used up come first, as they are the likeliest to buy something.
        given.sort(key=lambda knob: knob.used(form.up, vms) < (knob.get(form.up) or 0))
        for knob in given[:MOST_STEPS]:
            step = next_value if knob in (BUDGET, DEADLINE) else one_more
            keep(step(form, target, knob, vms, ask))


def _patience(effort: Effort) -> int | None:
    """How many questions may stay open: a time limit ends it by itself, and without one this does."""
    return PATIENCE if effort.limit.seconds is None else None
