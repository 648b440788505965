"""The proven optimum, without a VM index: bound, fleet, packing, cuts.

For a fixed makespan T `decision.py` says whether a plan exists. Feasibility is monotone in T and in the
money, so the least makespan is found by galloping and bisection over T, the least cost by asking for ever
less money. Why this is exact: docs/model-cloud.md, section 7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from planner.cloud.instance import CloudInstance
from planner.errors import UsageError
from planner.goal import Goal
from planner.result import StoppedBy
from planner.solver import Answer, Effort, Silent
from solvers.cloud import bound, fleet
from solvers.cloud.decision import LARGEST_SLOT_MODEL, Decisions, Question, Verdict
from solvers.cloud.pipeline.find import Heuristic
from solvers.cloud.reasons import number, too_little_money, why_infeasible
from solvers.cloud.relaxation import next_makespan, relax
from solvers.cloud.rounding import Rounding
from solvers.cloud.size import many_tasks
from solvers.cloud.ticks import Ticks
from solvers.cpsat import Outcome

FIRST_WORK = 1.0  # CP-SAT's deterministic seconds a model may take before the search tries elsewhere first
TOO_MANY_VMS = f"the plan of rounding; exact works on plans of at most {fleet.MOST_VMS:,} VMs"
GLANCES, GLANCE_WORK = 5, 0.05  # quick questions before the search starts, and the work of each
MORE_WORK = 4.0  # factor from one round to the next
TIEBREAK_ROUNDS = 2  # the tie-break is best effort; the goal itself has no such limit


@dataclass(frozen=True, slots=True)
class Exact:
    """Least makespan or cost, then the other, each with its proof (docs/model-cloud.md).

    It gives up after `rounds` rounds of growing work, counted and not timed; 0: it goes on until the proof is
    there, the models get too large or `effort` ends.
    """

    rounds: int = 0

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        """Search until the optimum is proven, or `effort` ends; the best plan and bound so far come out.

        Raises `UsageError` where `rounds` is negative.
        """
        if self.rounds < 0:
            raise UsageError(f"option 'rounds' of solver 'exact' must be at least 0, not {self.rounds}")
        ticks = Ticks.of(instance, "up")
        state = Decisions(ticks, effort, goal)
        if _hopeless(ticks):
            reason = why_infeasible(Ticks.of(instance, "down"), effort)
            if reason is not None:
                return Answer(infeasible=True, message=reason, resolution=ticks.resolution)
        proven = bound.least_makespan(ticks)
        if effort.start is not None:
            state.offer(fleet.loaded(ticks, effort.start))
        elif goal is Goal.MAKESPAN:
            proven = _glance(state, proven)
        message = known = None
        large = many_tasks(ticks)
        if state.best is None or (large and not (goal is Goal.MAKESPAN and proven >= state.best_makespan)):
            # The heuristic has the makespan only; what rounding proves must be of the goal.
            found = (
                Rounding().solve(instance, goal, effort)
                if large
                else Heuristic().solve(instance, Goal.MAKESPAN, effort)
            )
            start, known = found.plan, found.bound
            if start is not None and sum(start.fleet.values()) > fleet.MOST_VMS:
                return replace(found, message=TOO_MANY_VMS)
            if start is None and state.best is None:
                reason = why_infeasible(Ticks.of(instance, "down"), effort)
                if reason is not None:
                    return Answer(infeasible=True, message=reason, resolution=ticks.resolution)
            elif start is not None and state.offer(fleet.loaded(ticks, start)):
                message = _accepted(instance, state, "rounding" if large else "the heuristic")
        if goal is Goal.COST:
            return _with_bound(_by_cost(state, message, self.rounds or None), known)
        if known is not None:
            proven = max(proven, ceil(known / ticks.seconds_per_tick))
        return _with_bound(_by_makespan(state, proven, message, self.rounds or None), known)


def _hopeless(ticks: Ticks) -> bool:
    """Whether cheap bounds alone show that there is no plan."""
    longest = bound.longest_task(ticks)
    if longest is None or (ticks.deadline is not None and longest > ticks.deadline):
        return True
    return ticks.budget is not None and bound.least_cost(ticks) > ticks.budget


def _glance(state: Decisions, proven: int) -> int:
    """Ask quick questions from the proven bound on; returns the bound they leave, and often finds a plan.

    Most instances have their optimum at the cheap bound or a few ticks above it, and a plan there makes a
    start from the heuristic's plan needless.
    """
    ticks, step = state.ticks, 1
    for _ in range(GLANCES):
        probe = min(proven + step - 1, _horizon(ticks))
        verdict = state.glance(Question(probe, ticks.budget), GLANCE_WORK)
        if verdict is not Verdict.NO or state.effort.stopped_by:
            break
        proven, step = next_makespan(ticks, probe), 2 * step
        _tell(state, proven)
    return proven


def _tell(state: Decisions, proven: int) -> None:
    """Report a makespan below which nothing ends, unless times are rounded or another goal is sought."""
    if state.goal is Goal.MAKESPAN and not state.ticks.rounded:
        state.effort.progress.bound(state.ticks.seconds(proven))


def _by_makespan(state: Decisions, proven: int, message: str | None, rounds: int | None) -> Answer:
    ticks = state.ticks
    proven = _least_makespan(state, proven, ticks.budget, rounds)
    if state.best is None:
        return _without_plan(state, proven > _horizon(ticks), rounds)
    message = _with_size(state, message)
    settled = proven >= state.best_makespan and not ticks.rounded
    tiebreak = settled and _least_cost(state, proven, merged=False, rounds=TIEBREAK_ROUNDS)
    certified = _rounded_makespan(ticks.instance, state.effort) if ticks.rounded else ticks.seconds(proven)
    return replace(_answer(state, message), bound=certified, tiebreak_proven=tiebreak)


def _by_cost(state: Decisions, message: str | None, rounds: int | None) -> Answer:
    ticks = state.ticks
    settled = _least_cost(state, _horizon(ticks), merged=ticks.deadline is None, rounds=rounds)
    if state.best is None:
        return _without_plan(state, settled, rounds)
    message = _with_size(state, message)
    proven = state.best_cost if settled else state.cost_bound
    tiebreak = False
    if settled and not ticks.rounded:
        shortest = _least_makespan(state, bound.least_makespan(ticks), state.best_cost, TIEBREAK_ROUNDS)
        tiebreak = shortest >= state.best_makespan
    certified = _rounded_cost(ticks.instance, state.effort) if ticks.rounded else ticks.money(proven)
    return replace(_answer(state, message), bound=certified, tiebreak_proven=tiebreak)


def _least_makespan(state: Decisions, start: int, budget: int | None, rounds: int | None) -> int:
    """Search until no makespan below the best plan's is open; returns the least T not proven impossible.

    `start` is a proven bound in ticks. Gives up after `rounds` rounds of growing work (None: never), or where
    the models that are left are too large.
    """
    ticks, effort = state.ticks, state.effort
    proven, work, left = start, FIRST_WORK, rounds
    state.beyond = 0
    while proven < _upper(state) and not (effort.stopped_by or state.beyond) and left != 0:
        floor, step, bisecting = proven, 1, False
        while floor < (upper := _upper(state)) and not effort.stopped_by:
            probe = (floor + upper) // 2 if bisecting else min(floor + step - 1, upper - 1)
            step = max(2 * step, (upper - floor) >> 10)
            verdict = state.decide(Question(probe, budget), work)
            if verdict is Verdict.YES:
                bisecting = True
                continue
            floor = next_makespan(ticks, probe)
            if verdict is Verdict.NO:
                proven = floor
                _tell(state, proven)
        work *= MORE_WORK
        left = None if left is None else left - 1
    return proven


def _least_cost(state: Decisions, makespan: int, *, merged: bool, rounds: int | None) -> bool:
    """Make the best plan as cheap as plans by `makespan` can be; whether that is proven.

    Gives up after `rounds` rounds of growing work (None: never), or where the models left are too large.
    """
    ticks, effort = state.ticks, state.effort
    state.beyond = 0
    state.cost_bound = bound.least_cost(ticks) if state.goal is Goal.COST else 0
    work, left = FIRST_WORK, rounds
    while not (effort.stopped_by or state.beyond) and left != 0:
        budget = ticks.budget if state.best is None else state.best_cost - 1
        if state.best is not None and state.best_cost <= state.cost_bound:
            return True
        verdict = state.decide(Question(makespan, budget, cheapest=True, merged=merged), work)
        if verdict is Verdict.NO:
            return True
        if state.goal is Goal.COST and not ticks.rounded:
            effort.progress.bound(ticks.money(state.cost_bound))
        if verdict is Verdict.OPEN:
            work *= MORE_WORK
            left = None if left is None else left - 1
    return False


def _horizon(ticks: Ticks) -> int:
    """The latest makespan worth a look."""
    return bound.serial(ticks) if ticks.deadline is None else min(ticks.deadline, bound.serial(ticks))


def _upper(state: Decisions) -> int:
    """No makespan from here on needs a look: the best plan's, or the one after the horizon."""
    return _horizon(state.ticks) + 1 if state.best is None else state.best_makespan


def _accepted(instance: CloudInstance, state: Decisions, whose: str) -> str:
    """What to say about the plan from which the search starts: its true worth, even where ticks round."""
    ticks, vms = Ticks.of(instance, largest=None), state.best or []
    return (
        f"started from the plan of {whose}: {number(ticks.seconds(fleet.makespan(ticks, vms)))} s, "
        f"cost {number(ticks.money(fleet.cost(ticks, vms)))}"
    )


def _with_bound(answer: Answer, known: Fraction | None) -> Answer:
    """The answer with the bound that came with the first plan, where its own is no better."""
    if answer.plan is None or known is None or answer.bound is None:
        return answer
    return replace(answer, bound=max(answer.bound, known))


def _answer(state: Decisions, message: str | None) -> Answer:
    return Answer(
        plan=None if state.best is None else fleet.plan(state.ticks, state.best),
        stopped_by=state.effort.stopped_by or StoppedBy.COMPLETED,
        message=message,
        resolution=state.ticks.resolution,
        build_seconds=state.build_seconds,
    )


def _with_size(state: Decisions, message: str | None) -> str | None:
    """The message, and that a model was too large for the proof, where that is so."""
    if not state.beyond:
        return message
    size = (
        f"a proof would need a model of {state.beyond:,} variables, at most {LARGEST_SLOT_MODEL:,} are built"
    )
    return "; ".join(filter(None, (message, size)))


def _without_plan(state: Decisions, settled: bool, rounds: int | None) -> Answer:
    """No plan: stopped early, or proven (`settled`) to be none, with the least money that would do."""
    ticks, effort = state.ticks, state.effort
    answer = _answer(state, _with_size(state, "no plan was found"))
    if effort.stopped_by or not settled:
        return answer
    if ticks.rounded:
        return replace(answer, message="no plan found with times and prices rounded up; nothing is proven")
    money = Decisions(replace(ticks, budget=None), replace(effort, progress=Silent()), Goal.COST)
    cheapest = _least_cost(money, _horizon(ticks), merged=False, rounds=rounds)
    if money.best is not None and cheapest:
        reason = too_little_money(ticks, ticks.money(money.best_cost), exact=True)
    else:
        reason = "no plan meets the deadline within the budget and limits"
    return replace(answer, infeasible=True, message=reason)


def _rounded_makespan(instance: CloudInstance, effort: Effort) -> Fraction:
    """Least T, in seconds, at which the aggregated model may be feasible when everything is rounded down."""
    ticks = Ticks.of(instance, "down")
    low, high = bound.least_makespan(ticks), _horizon(ticks)
    while low < high and not effort.stopped_by:
        middle = (low + high) // 2
        outcome = relax(ticks, middle, effort, budget=ticks.budget, work=FIRST_WORK).outcome
        if outcome is Outcome.INFEASIBLE:
            low = middle + 1
        else:
            high = middle
    return ticks.seconds(low)


def _rounded_cost(instance: CloudInstance, effort: Effort) -> Fraction:
    """Least money of the aggregated model when everything is rounded down."""
    ticks = Ticks.of(instance, "down")
    relaxed = relax(ticks, _horizon(ticks), effort, budget=None, minimise_cost=True, work=FIRST_WORK)
    return ticks.money(max(bound.least_cost(ticks), relaxed.least_cost or 0))
