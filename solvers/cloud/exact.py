"""The proven optimum, without a VM index: bound, fleet, packing, cuts.

For a fixed makespan T the aggregated model (relaxation.py) either proves that no plan ends by T or names a
fleet; `packing.construct` packs it, or a complete model does (slots.py, patterns.py), or the fleet provably
cannot be packed and is cut off. Feasibility is monotone in T, so galloping and bisection over T find the
least one. Why this is exact: docs/model-cloud.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import count

from planner.cloud.instance import CloudInstance
from planner.errors import Unsupported
from planner.result import Goal, StoppedBy
from planner.solver import Answer, Effort, Silent
from solvers.cloud import bound, fleet
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.packing import construct, spread
from solvers.cloud.patterns import Pattern, cover, enumerate_patterns
from solvers.cloud.pipeline.find import Heuristic
from solvers.cloud.reasons import too_little_money, why_infeasible
from solvers.cloud.relaxation import Fleet, Mix, largest_fleet, next_makespan, relax
from solvers.cloud.slots import Packed, pack_into
from solvers.cloud.ticks import Ticks
from solvers.cloud.units import in_units
from solvers.cpsat import Outcome

FIRST_WORK = 1.0  # CP-SAT's deterministic seconds a model may take before the search tries elsewhere first
MORE_WORK = 4.0  # factor from one round to the next
TIEBREAK_WORK = 4.0  # for each model of the least-cost tie-break, which is best effort
MOST_CUTS = 8  # at one makespan, before a complete model of it is tried
FEW_PATTERNS = 100  # so few are tried whatever the size of the slot model
MOST_SLOTS = 60
LARGEST_SLOT_MODEL = 20_000  # variables


class Verdict(Enum):
    """Whether a plan ends by T within the money."""

    YES = "yes"
    NO = "no"
    OPEN = "open"


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
class _Search:
    """What is known so far about one instance."""

    ticks: Ticks
    effort: Effort
    cuts: list[Cut] = field(default_factory=list)
    best: list[LoadedVM] | None = None
    best_value: tuple[int, int] | None = None  # makespan in ticks, cost in coins
    patterns: dict[int, list[Pattern] | None] = field(default_factory=dict)
    build_seconds: float = 0.0

    def __post_init__(self) -> None:
        self.units = None if self.ticks.rounded else in_units(self.ticks)

    def upper(self, horizon: int) -> int:
        """No makespan from here on needs a look: the best plan's, or the one after the horizon."""
        return horizon + 1 if self.best_value is None else self.best_value[0]

    def cheapen(self, makespan: int) -> Verdict:
        """Make the best plan as cheap as its makespan allows; NO: no plan by `makespan` is cheaper still."""
        verdict = Verdict.YES
        while verdict is Verdict.YES and self.best_value is not None:
            verdict = self.decide(makespan, self.best_value[1] - 1, TIEBREAK_WORK, cheapest=True)
        return verdict

    def offer(self, vms: list[LoadedVM]) -> None:
        """Keep a plan if it is better than the best one."""
        value = fleet.makespan(self.ticks, vms), fleet.cost(self.ticks, vms)
        if self.best_value is None or value < self.best_value:
            self.best, self.best_value = vms, value
            self.effort.progress.incumbent(fleet.plan(self.ticks, vms))

    def decide(
        self, makespan: int, budget: int | None, work: float | None, *, cheapest: bool = False
    ) -> Verdict:
        """Is there a plan that ends by `makespan` for at most `budget` coins? A plan found is kept."""
        if budget is not None and budget < 0:
            return Verdict.NO
        rough = self._decide_in_units(makespan, budget, work, cheapest)
        if rough is not Verdict.OPEN:
            return rough
        for attempt in count():
            known = [cut.vms for cut in self.cuts if cut.holds(makespan, budget)]
            relaxed = relax(
                self.ticks,
                makespan,
                self.effort,
                budget=budget,
                cuts=known,
                minimise_cost=cheapest,
                work=work,
            )
            self.build_seconds += relaxed.build_seconds
            if relaxed.mix is None:
                return Verdict.NO if relaxed.outcome is Outcome.INFEASIBLE else Verdict.OPEN
            mix = spread(self.ticks, makespan, self.ticks, relaxed.mix)
            if self._packs(makespan, mix, budget) or self._packs(makespan, relaxed.mix, budget):
                return Verdict.YES
            vms = relaxed.mix.vms
            patterns = self._patterns(makespan)
            if patterns is not None and len(patterns) <= sum(vms) * len(self.ticks.counts):
                packed = self._kept(cover(self.ticks, patterns, self.effort, budget, work))
                if packed.outcome is not Outcome.UNKNOWN:
                    return _verdict(packed)
            if attempt < MOST_CUTS and sum(vms) <= MOST_SLOTS:
                packed = self._kept(pack_into(self.ticks, makespan, vms, self.effort, budget, work))
                if packed.outcome is Outcome.INFEASIBLE:
                    self.cuts.append(Cut(makespan, budget, vms))
                    continue
                if packed.vms is not None:
                    return Verdict.YES
            return self._decide_completely(makespan, budget, work)
        raise AssertionError("the loop returns")

    def _decide_in_units(
        self, makespan: int, budget: int | None, work: float | None, cheapest: bool
    ) -> Verdict:
        """The same from the aggregated model over units: a quick no, often a quick yes, else open."""
        if self.units is None:
            return Verdict.OPEN
        known = [cut.vms for cut in self.cuts if cut.holds(makespan, budget)]
        relaxed = relax(
            self.units, makespan, self.effort, budget=budget, cuts=known, minimise_cost=cheapest, work=work
        )
        self.build_seconds += relaxed.build_seconds
        if relaxed.mix is None:
            return Verdict.NO if relaxed.outcome is Outcome.INFEASIBLE else Verdict.OPEN
        mix = spread(self.ticks, makespan, self.units, relaxed.mix)
        return Verdict.YES if self._packs(makespan, mix, budget) else Verdict.OPEN

    def _packs(self, makespan: int, mix: Mix, budget: int | None) -> bool:
        vms = construct(self.ticks, makespan, mix)
        if vms is None or (budget is not None and fleet.cost(self.ticks, vms) > budget):
            return False
        self.offer(vms)
        return True

    def _decide_completely(self, makespan: int, budget: int | None, work: float | None) -> Verdict:
        """The same without the aggregated model: over patterns where they are few, else over VM slots."""
        most = largest_fleet(self.ticks, makespan, budget)
        patterns = self._patterns(makespan)
        slots = sum(most) * len(self.ticks.counts)
        if patterns is not None and len(patterns) <= max(slots, FEW_PATTERNS):
            return _verdict(self._kept(cover(self.ticks, patterns, self.effort, budget, work)))
        if slots <= LARGEST_SLOT_MODEL:
            return _verdict(self._kept(pack_into(self.ticks, makespan, most, self.effort, budget, work)))
        return Verdict.OPEN

    def _patterns(self, makespan: int) -> list[Pattern] | None:
        """The patterns at this makespan; the last ones are kept, for the tie-break asks again."""
        if makespan not in self.patterns:
            self.patterns = {makespan: enumerate_patterns(self.ticks, makespan)}
        return self.patterns[makespan]

    def _kept(self, packed: Packed) -> Packed:
        self.build_seconds += packed.build_seconds
        if packed.vms is not None:
            self.offer(packed.vms)
        return packed


def _verdict(packed: Packed) -> Verdict:
    if packed.vms is not None:
        return Verdict.YES
    return Verdict.NO if packed.outcome is Outcome.INFEASIBLE else Verdict.OPEN


@dataclass(frozen=True, slots=True)
class Exact:
    """Least makespan within the budget, then least cost, each with its proof (docs/model-cloud.md)."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        """Search until the optimum is proven, or `effort` ends; the best plan and bound so far come out."""
        if goal is not Goal.MAKESPAN:
            raise Unsupported(f"solver 'exact' does not minimise {goal.value} yet")
        ticks = Ticks.of(instance, "up")
        state = _Search(ticks, effort)
        start = Heuristic().solve(instance, goal, effort).plan
        if start is not None:
            state.offer(fleet.loaded(ticks, start))
        else:
            reason = why_infeasible(Ticks.of(instance, "down"), effort)
            if reason is not None:
                return Answer(infeasible=True, message=reason, resolution=ticks.resolution)
        return _finish(state, _least_makespan(state))


def _least_makespan(state: _Search) -> int:
    """Search until no makespan below the best plan's is open; returns the least T not proven impossible."""
    ticks, budget, effort = state.ticks, state.ticks.budget, state.effort
    proven = bound.least_makespan(ticks)
    horizon = bound.serial(ticks) if ticks.deadline is None else ticks.deadline
    work = FIRST_WORK
    while proven < state.upper(horizon) and not effort.stopped_by:
        probe, floor, step, bisecting = proven, proven, 1, False
        while floor < (upper := state.upper(horizon)) and not effort.stopped_by:
            probe = (floor + upper) // 2 if bisecting else min(floor + step - 1, upper - 1)
            step *= 2
            verdict = state.decide(probe, budget, work)
            if verdict is Verdict.YES:
                bisecting = True
                continue
            floor = next_makespan(ticks, probe)
            if verdict is Verdict.NO:
                proven = floor
                if not ticks.rounded:
                    effort.progress.bound(ticks.seconds(proven))
        work *= MORE_WORK
    return proven


def _finish(state: _Search, proven: int) -> Answer:
    """The least-cost tie-break where the makespan is settled, and the answer."""
    ticks, effort = state.ticks, state.effort
    stopped = effort.stopped_by or StoppedBy.COMPLETED
    if state.best is None or state.best_value is None:
        if stopped is not StoppedBy.COMPLETED or ticks.rounded:
            return Answer(stopped_by=stopped, message="no plan found yet", resolution=ticks.resolution)
        return Answer(infeasible=True, message=_no_packing(state), resolution=ticks.resolution)
    if ticks.rounded:
        lower = Ticks.of(ticks.instance, "down")
        certified = lower.seconds(_relaxed_bound(lower, effort))
    else:
        certified = ticks.seconds(proven)
    tiebreak = False
    if proven >= state.best_value[0] and not ticks.rounded:
        tiebreak = state.cheapen(proven) is Verdict.NO
    return Answer(
        plan=fleet.plan(ticks, state.best),
        bound=certified,
        stopped_by=effort.stopped_by or StoppedBy.COMPLETED,
        tiebreak_proven=tiebreak,
        resolution=ticks.resolution,
        build_seconds=state.build_seconds,
    )


def _no_packing(state: _Search) -> str:
    """The message where only packing shows that nothing ends by the deadline within the budget."""
    ticks = state.ticks
    deadline = bound.serial(ticks) if ticks.deadline is None else ticks.deadline
    unlimited = _Search(ticks, replace(state.effort, progress=Silent()))
    if unlimited.decide(deadline, None, None, cheapest=True) is Verdict.YES:
        proven = unlimited.cheapen(deadline) is Verdict.NO
        if unlimited.best_value is not None and proven:
            return too_little_money(ticks, ticks.money(unlimited.best_value[1]), exact=True)
    return "no plan meets the deadline within the budget and limits"


def _relaxed_bound(ticks: Ticks, effort: Effort) -> int:
    """Least T at which the aggregated model is not proven infeasible, for times that were rounded down."""
    low = bound.least_makespan(ticks)
    high = bound.serial(ticks) if ticks.deadline is None else ticks.deadline
    while low < high and not effort.stopped_by:
        middle = (low + high) // 2
        outcome = relax(ticks, middle, effort, budget=ticks.budget, work=FIRST_WORK).outcome
        if outcome is Outcome.INFEASIBLE:
            low = middle + 1
        else:
            high = middle
    return low
