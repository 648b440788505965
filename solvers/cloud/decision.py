"""Is there a plan that ends by T for at most B? Decided completely, for one T and B at a time.

In this order: the aggregated model over units, the same over classes, construction of the fleet it names, and
a complete model where that stalls (patterns where they are few, else the slots of the fleet). A fleet that
provably cannot be packed is cut off, and the cut serves every later question it holds for. The proof is in
docs/model-cloud.md, sections 6 and 7.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import count

from planner.goal import Goal
from planner.solver import Effort, Silent
from solvers.cloud import fleet
from solvers.cloud.contents import least_money
from solvers.cloud.diving import dive
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.packing import construct, spread
from solvers.cloud.patterns import Pattern, cover, enumerate_patterns
from solvers.cloud.relaxation import Fleet, Mix, Relaxed, largest_fleet, relax
from solvers.cloud.slots import Packed, pack_into
from solvers.cloud.ticks import Ticks
from solvers.cloud.units import in_units
from solvers.cpsat import Outcome

MOST_CUTS = 8  # at one makespan, before a complete model of it is tried
FEW_PATTERNS = 100  # so few are tried whatever the size of the slot model
MOST_SLOTS = 60  # of a fleet that the slot model is tried on
SLOT_MODEL = 20_000  # variables of the slot model of everything, for each unit of work
LARGEST_SLOT_MODEL = 400_000  # variables; it would need more than a gigabyte
MORE_THAN_ANY = 2**40  # VMs


class Verdict(Enum):
    """Whether a plan ends by T within the money."""

    YES = "yes"
    NO = "no"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Question:
    """Is there a plan that ends by `makespan` for at most `budget` coins?

    `cheapest`: of all plans the aggregated model shall name the cheapest. `merged`: one VM a type is enough,
    as no deadline binds.
    """

    makespan: int
    budget: int | None
    cheapest: bool = False
    merged: bool = False


@dataclass(frozen=True, slots=True)
class Cut:
    """No plan with at most these VMs ends by `makespan` for at most `budget`."""

    makespan: int
    budget: int | None
    vms: Fleet

    def holds(self, makespan: int, budget: int | None) -> bool:
        """Whether it also rules the fleet out at this makespan and budget: both no larger."""
        cheaper = self.budget is None or (budget is not None and budget <= self.budget)
        return makespan <= self.makespan and cheaper


@dataclass
class Decisions:
    """Questions about one instance, and what their answers have shown so far.

    `best` is the best plan met, in the order of `goal`, then the other goal; `best_makespan` and `best_cost`
    are its worth. `cost_bound` is the least money any plan takes by the makespan that was asked about last
    with `cheapest`, as far as it is proven. With a `with_type` only plans that rent a VM of that type count.
    `beyond` is the number of variables of a model that would have been needed and was too large to build.
    """

    ticks: Ticks
    effort: Effort
    goal: Goal = Goal.MAKESPAN
    look_inside: bool = True  # at contents; not again inside the rest that their rounding leaves
    cuts: list[Cut] = field(default_factory=list)
    best: list[LoadedVM] | None = None
    best_makespan: int = 0
    best_cost: int = 0
    cost_bound: int = 0
    build_seconds: float = 0.0
    with_type: int | None = None
    beyond: int = 0
    _patterns: dict[int, list[Pattern] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._units = None if self.ticks.rounded else in_units(self.ticks)
        self._always: list[Fleet] = []
        if self.with_type is not None:  # whoever has more than all of the others has one of the type
            self._always = [tuple(0 if t == self.with_type else MORE_THAN_ANY for t in self.ticks.types)]

    def offer(self, vms: list[LoadedVM]) -> bool:
        """Keep a plan if it is better than the best one; whether it is."""
        makespan, cost = fleet.makespan(self.ticks, vms), fleet.cost(self.ticks, vms)
        new, old = (makespan, cost), (self.best_makespan, self.best_cost)
        if self.goal is Goal.COST:
            new, old = new[::-1], old[::-1]
        better = self.best is None or new < old
        if better:
            self.best, self.best_makespan, self.best_cost = vms, makespan, cost
            self.effort.progress.incumbent(fleet.plan(self.ticks, vms))
        return better

    def decide(self, question: Question, work: float) -> Verdict:
        """Answer, with no model working longer than `work`; a plan found is kept."""
        verdict = self.glance(question, work)
        if verdict is not Verdict.OPEN:
            return verdict
        for attempt in count():
            relaxed = self._relax(self.ticks, question, work)
            if relaxed.mix is None:
                return Verdict.NO if relaxed.outcome is Outcome.INFEASIBLE else Verdict.OPEN
            mix = spread(self.ticks, question.makespan, self.ticks, relaxed.mix)
            if self._packs(question, mix) or self._packs(question, relaxed.mix):
                return Verdict.YES
            if attempt == 0 and self.look_inside and self.with_type is None:
                verdict = self._over_contents(question, work)
                if verdict is not Verdict.OPEN:
                    return verdict
            vms = relaxed.mix.vms
            patterns = self._patterns_at(question.makespan)
            if patterns is not None and len(patterns) <= sum(vms) * len(self.ticks.counts):
                packed = self._cover(question, patterns, work)
                if packed.outcome is not Outcome.UNKNOWN:
                    return _verdict(packed)
            if attempt < MOST_CUTS and sum(vms) <= MOST_SLOTS:
                packed = self._pack_into(question, vms, work)
                if packed.outcome is Outcome.INFEASIBLE:
                    self.cuts.append(Cut(question.makespan, question.budget, vms))
                    continue
                if packed.vms is not None:
                    return Verdict.YES
            return self._decide_completely(question, work)
        raise AssertionError("the loop returns")

    def glance(self, question: Question, work: float) -> Verdict:
        """The quick part of `decide`: the aggregated model over units, and construction of what it names."""
        if question.budget is not None and question.budget < 0:
            return Verdict.NO
        if self._units is None:
            return Verdict.OPEN
        relaxed = self._relax(self._units, question, work)
        if relaxed.outcome is Outcome.INFEASIBLE:
            return Verdict.NO
        if relaxed.mix is None:
            return Verdict.OPEN
        mix = spread(self.ticks, question.makespan, self._units, relaxed.mix)
        return Verdict.YES if self._packs(question, mix) else Verdict.OPEN

    def _relax(self, ticks: Ticks, question: Question, work: float) -> Relaxed:
        relaxed = relax(
            ticks,
            question.makespan,
            self.effort,
            budget=question.budget,
            cuts=self._always
            + [cut.vms for cut in self.cuts if cut.holds(question.makespan, question.budget)],
            minimise_cost=question.cheapest,
            merged=question.merged,
            work=work,
        )
        self.build_seconds += relaxed.build_seconds
        if relaxed.least_cost is not None:
            self.cost_bound = max(self.cost_bound, relaxed.least_cost)
        return relaxed

    def _packs(self, question: Question, mix: Mix) -> bool:
        vms = construct(self.ticks, question.makespan, mix, self.effort)
        if vms is None or (question.budget is not None and fleet.cost(self.ticks, vms) > question.budget):
            return False
        if self.with_type is not None and all(vm.kind != self.with_type for vm in vms if any(vm.content)):
            return False
        self.offer(vms)
        return True

    def _over_contents(self, question: Question, work: float) -> Verdict:
        """A no from the linear program over contents, or a yes from its rounding; else open."""
        known = [] if self.best is None else self.best
        contents = least_money(self.ticks, question.makespan, question.budget, self.effort, known)
        if contents is None:
            return Verdict.OPEN
        if contents.excluded:
            return Verdict.NO
        quiet = replace(self.effort, progress=Silent())

        def pack(rest: Ticks) -> list[LoadedVM] | None:
            inner = Decisions(rest, quiet, look_inside=False)
            inner.decide(Question(question.makespan, rest.budget), work / 4)
            return inner.best

        vms = dive(self.ticks, question.budget, contents, pack)
        if vms is None:
            return Verdict.OPEN
        self.offer(vms)
        return Verdict.YES

    def _decide_completely(self, question: Question, work: float) -> Verdict:
        """The same without the aggregated model: over patterns where they are few, else over VM slots."""
        most = largest_fleet(self.ticks, question.makespan, question.budget)
        patterns = self._patterns_at(question.makespan)
        slots = sum(most) * len(self.ticks.counts)
        if patterns is not None and len(patterns) <= max(slots, FEW_PATTERNS):
            return _verdict(self._cover(question, patterns, work))
        if slots <= min(SLOT_MODEL * max(1.0, work), LARGEST_SLOT_MODEL):
            return _verdict(self._pack_into(question, most, work))
        if slots > LARGEST_SLOT_MODEL:
            self.beyond = slots
        return Verdict.OPEN

    def _patterns_at(self, makespan: int) -> list[Pattern] | None:
        """The patterns at this makespan; the last ones are kept, for the tie-break asks again."""
        if self.with_type is not None:  # that tasks are covered by patterns of a type does not make it needed
            return None
        if makespan not in self._patterns:
            self._patterns = {makespan: enumerate_patterns(self.ticks, makespan)}
        return self._patterns[makespan]

    def _cover(self, question: Question, patterns: list[Pattern], work: float) -> Packed:
        return self._kept(cover(self.ticks, patterns, self.effort, question.budget, work))

    def _pack_into(self, question: Question, vms: Fleet, work: float) -> Packed:
        return self._kept(
            pack_into(self.ticks, question.makespan, vms, self.effort, question.budget, work, self.with_type)
        )

    def _kept(self, packed: Packed) -> Packed:
        self.build_seconds += packed.build_seconds
        if packed.vms is not None:
            self.offer(packed.vms)
        return packed


def _verdict(packed: Packed) -> Verdict:
    if packed.vms is not None:
        return Verdict.YES
    return Verdict.NO if packed.outcome is Outcome.INFEASIBLE else Verdict.OPEN
