"""The least budget, deadline, total of VMs or quota that works, all else equal, or a proof that none does.

Each number has two sides: the plan that a search meets shows that a value works, and a search over
`decision.Decisions` that answers "no" one coin, tick or VM below shows that no less does. Where a question
stays open at the work limit the two sides differ. Instances whose times or prices had to be rounded are asked
twice: "yes" comes from numbers rounded up, "no" from the aggregated model over numbers rounded down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from planner.cloud.explanation import Limit
from planner.cloud.instance import CloudInstance
from planner.goal import Goal
from planner.solver import Effort, Silent
from solvers.cloud import bound, fleet
from solvers.cloud.decision import Decisions, Question, Verdict
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.relaxation import next_makespan, relax
from solvers.cloud.ticks import Ticks
from solvers.cpsat import Outcome

ROUNDS = (1.0, 4.0)
"""CP-SAT's deterministic seconds a model may work for a question, and again where that leaves it open."""


@dataclass(frozen=True, slots=True)
class Form:
    """An instance in whole numbers rounded up and down; both are the same where nothing is rounded."""

    up: Ticks
    down: Ticks

    @classmethod
    def of(cls, instance: CloudInstance) -> Form:
        """The instance as it is."""
        up = Ticks.of(instance, "up")
        return cls(up, Ticks.of(instance, "down") if up.rounded else up)

    @property
    def exact(self) -> bool:
        """Whether nothing is rounded."""
        return self.up is self.down

    def within(self, knob: Knob, value: int | None) -> Form:
        """The same with one limit at `value`; None: without it."""
        up = knob.set(self.up, value)
        return Form(up, up if self.exact else knob.set(self.down, value))


class Knob(NamedTuple):
    """One limit: its kind, and the index of the type where it is a type's quota."""

    limit: Limit
    kind: int = -1

    def get(self, ticks: Ticks) -> int | None:
        """Its value in coins, ticks or VMs; None: not limited."""
        match self.limit:
            case Limit.BUDGET:
                return ticks.budget
            case Limit.DEADLINE:
                return ticks.deadline
            case Limit.MAX_VMS:
                return ticks.max_vms
            case Limit.MAX_INSTANCES:
                return ticks.max_instances[self.kind]

    def set(self, ticks: Ticks, value: int | None) -> Ticks:
        """`ticks` with another value of it."""
        match self.limit:
            case Limit.BUDGET:
                return replace(ticks, budget=value)
            case Limit.DEADLINE:
                return replace(ticks, deadline=value)
            case Limit.MAX_VMS:
                return replace(ticks, max_vms=value)
            case Limit.MAX_INSTANCES:
                quotas = list(ticks.max_instances)
                quotas[self.kind] = value
                return replace(ticks, max_instances=tuple(quotas))

    def used(self, ticks: Ticks, vms: Sequence[LoadedVM]) -> int:
        """How much of it a plan needs: the least value that plan keeps."""
        match self.limit:
            case Limit.BUDGET:
                return fleet.cost(ticks, vms)
            case Limit.DEADLINE:
                return fleet.makespan(ticks, vms)
            case Limit.MAX_VMS:
                return len(vms)
            case Limit.MAX_INSTANCES:
                return sum(vm.kind == self.kind for vm in vms)

    def given(self, instance: CloudInstance) -> Fraction:
        """Its exact value in the instance: money, seconds or VMs. Raises `ValueError` where it has none."""
        values: dict[Limit, Fraction | int | None] = {
            Limit.BUDGET: instance.budget,
            Limit.DEADLINE: instance.deadline,
            Limit.MAX_VMS: instance.max_vms,
            Limit.MAX_INSTANCES: instance.instance_types[self.kind].max_instances,
        }
        value = values[self.limit]
        if value is None:
            raise ValueError(f"{instance.name} has no {self.limit}")
        return Fraction(value)

    def name(self, instance: CloudInstance) -> str | None:
        """The name of the type whose quota it is."""
        return instance.instance_types[self.kind].name if self.limit is Limit.MAX_INSTANCES else None

    def true(self, ticks: Ticks, value: int) -> Fraction:
        """A value in money, seconds or VMs."""
        if self.limit is Limit.BUDGET:
            return ticks.money(value)
        return ticks.seconds(value) if self.limit is Limit.DEADLINE else Fraction(value)

    def maybe(self, ticks: Ticks, value: int | None) -> Fraction | None:
        """The same; None stays None."""
        return None if value is None else self.true(ticks, value)


BUDGET, DEADLINE, MAX_VMS = Knob(Limit.BUDGET), Knob(Limit.DEADLINE), Knob(Limit.MAX_VMS)


class Asked(NamedTuple):
    """An answer, the plan behind a "yes", and the least money proven, where it was asked for."""

    verdict: Verdict
    vms: list[LoadedVM] | None = None
    cost_bound: int = 0


class Ask:
    """Is there a plan within all limits of a form? Every answer but "open" is a proof."""

    def __init__(
        self,
        effort: Effort,
        rounds: Sequence[float] = ROUNDS,
        questions: int | None = None,
        patience: int | None = None,
        with_type: int | None = None,
    ) -> None:
        """`rounds` are the work limits of a question and of its repetitions while it stays open.

        After so many `questions`, or so many of them left open (`patience`), every answer is "open"; None: no
        limit. With a `with_type` only plans that rent at least one VM of that type count.
        """
        self.effort = replace(effort, progress=Silent(), start=None)
        self.rounds = rounds
        self._left, self.patience, self._with_type = questions, patience, with_type

    @property
    def over(self) -> bool:
        """Whether no more questions are answered."""
        return self._left == 0 or self.patience == 0 or self.effort.stopped_by is not None

    def __call__(self, form: Form, work: float, cheapest: bool = False) -> Asked:
        """Answer within `work`; `cheapest`: aim at little money, and bound it."""
        if self.over:
            return Asked(Verdict.OPEN)
        if self._left is not None:
            self._left -= 1
        asked = self._answer(form, work, cheapest)
        if self.patience is not None and asked.verdict is Verdict.OPEN:
            self.patience -= 1
        return asked

    def _answer(self, form: Form, work: float, cheapest: bool) -> Asked:
        longest = bound.longest_task(form.down)
        if longest is None or (form.down.deadline is not None and longest > form.down.deadline):
            return Asked(Verdict.NO)
        latest = horizon(form.up)
        merged = latest == bound.serial(form.up)  # so late a deadline does not bind, and VMs can be merged
        goal = Goal.COST if cheapest else Goal.MAKESPAN
        state = Decisions(form.up, self.effort, goal, with_type=self._with_type)
        verdict = state.decide(Question(latest, form.up.budget, cheapest, merged), work)
        vms = None if state.best is None else [vm for vm in state.best if any(vm.content)]
        if form.exact:
            return Asked(verdict, vms, state.cost_bound)
        if verdict is Verdict.YES or self.effort.stopped_by:
            return Asked(Verdict.YES if vms else Verdict.OPEN, vms)
        return self._rounded_down(form.down, work, cheapest)

    def _rounded_down(self, down: Ticks, work: float, cheapest: bool) -> Asked:
        """What the numbers rounded down prove: they allow every true plan."""
        latest = horizon(down)
        relaxed = relax(
            down,
            latest,
            self.effort,
            budget=down.budget,
            minimise_cost=cheapest,
            merged=latest == bound.serial(down),
            work=work,
        )
        no = relaxed.outcome is Outcome.INFEASIBLE
        return Asked(Verdict.NO if no else Verdict.OPEN, None, relaxed.least_cost or 0)


class Least(NamedTuple):
    """The least value of a limit, in coins, ticks or VMs: none below `at_least` works, `works` does.

    `suffices`: whether any value works; None: not settled. `vms` is the plan that keeps `works`.
    """

    suffices: bool | None
    at_least: int | None = None
    works: int | None = None
    vms: list[LoadedVM] | None = None


def least(
    form: Form, knob: Knob, ask: Ask, *, beyond: int | None = None, start: list[LoadedVM] | None = None
) -> Least:
    """The least value of one limit at which a plan exists within all others.

    `beyond` is a value proven not to work; `start` a plan within all others, where one is known: then the
    value just below it is tried first, as it mostly is the answer.
    """
    lower = max(0 if beyond is None else beyond + 1, _cheap_bound(form, knob))
    vms = start
    if vms is None:
        free = form.within(knob, None)
        asked = _persistent(ask, free, cheapest=knob == BUDGET)
        if asked.vms is None:
            no = asked.verdict is Verdict.NO
            return Least(False) if no else Least(None, max(lower, asked.cost_bound if knob == BUDGET else 0))
        lower = max(lower, asked.cost_bound) if knob == BUDGET else lower
        vms = asked.vms
    return _search(form, knob, ask, lower, vms, start is not None or knob == BUDGET)


def _search(form: Form, knob: Knob, ask: Ask, proven: int, vms: list[LoadedVM], from_above: bool) -> Least:
    """Gallop up from `proven`, then bisect; `from_above`: try the value below the known plan's first."""
    upper = knob.used(form.up, vms)
    for work in ask.rounds:
        floor, step, bisecting = proven, 1, False
        while floor < upper and not ask.over:
            if from_above:
                probe = upper - 1
            elif bisecting:
                probe = (floor + upper) // 2
            else:
                probe = min(floor + step - 1, upper - 1)
                step *= 2
            asked = ask(form.within(knob, probe), work, cheapest=knob == BUDGET)
            if asked.vms is not None:
                vms, upper = asked.vms, knob.used(form.up, asked.vms)
                bisecting = True
            else:
                floor = _after(form, knob, probe)
                proven = max(proven, floor) if asked.verdict is Verdict.NO else proven
            if knob == BUDGET:
                # The bound is on plans within the probe, and those above it are dearer.
                proven = max(proven, min(asked.cost_bound, upper))
                floor = max(proven, floor)
            else:
                from_above = False
    return Least(True, min(proven, upper), upper, vms)


def _persistent(ask: Ask, form: Form, cheapest: bool) -> Asked:
    """The answer, with more work as long as it is open."""
    asked = Asked(Verdict.OPEN)
    for work in ask.rounds:
        asked = ask(form, work, cheapest)
        if asked.verdict is not Verdict.OPEN:
            break
    return asked


def _after(form: Form, knob: Knob, value: int) -> int:
    """The next value worth a look: for a deadline, the next that any plan can end at."""
    return next_makespan(form.down, value) if knob == DEADLINE else value + 1


def _cheap_bound(form: Form, knob: Knob) -> int:
    if bound.longest_task(form.down) is None:  # some task can run nowhere
        return 0
    if knob == DEADLINE:
        return bound.least_makespan(form.down)
    return bound.least_cost(form.down) if knob == BUDGET else 0


def horizon(ticks: Ticks) -> int:
    """The latest makespan worth a look."""
    return bound.serial(ticks) if ticks.deadline is None else min(ticks.deadline, bound.serial(ticks))
