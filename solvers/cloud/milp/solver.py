"""The paper's program in PuLP, with any backend that PuLP finds.

A backend's word is no proof. Its values are rounded, recomputed in whole numbers and then judged by the
checker like any plan. Its bound counts only where the backend reports a dual bound, less a tolerance;
"infeasible" only where such a bound passes the budget or the deadline (docs/backends.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from time import perf_counter

from planner.cloud.instance import CloudInstance
from planner.errors import CheckFailed, PlannerError, Unsupported
from planner.goal import Goal
from planner.result import StoppedBy
from planner.solver import Answer, Effort, TimeLimit
from solvers.cloud import fleet
from solvers.cloud.fleet import LoadedVM
from solvers.cloud.milp import claims
from solvers.cloud.milp.model import Model, build
from solvers.cloud.milp.session import Reply, Session
from solvers.cloud.ticks import Ticks


@dataclass(frozen=True, slots=True)
class Milp:
    """Least makespan, then least cost, or the other way round.

    `backend` is a name of PuLP, or `module:Class`.
    """

    backend: str = "CBC"

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        """Solve the program in a child process, first for the goal, then for the other one at that value.

        Raises `Unsupported` where the program is too large, `BackendMissing`, `BackendFailed` where the
        backend crashes before it has a plan, and `CheckFailed` where its values break a rule.
        """
        ticks = Ticks.of(instance, "up")
        started = perf_counter()
        model = build(ticks)
        built = perf_counter() - started
        with Session(self.backend, effort) as session:
            answer = _Search(session, ticks, goal, effort).run(model)
        return replace(answer, resolution=ticks.resolution, build_seconds=built)


@dataclass(frozen=True, slots=True)
class _Found:
    """What one program came to: a backend's reply, the VMs that keep all rules, and the bound it proves."""

    reply: Reply
    vms: list[LoadedVM] | None
    bound: int


class _Search:
    """The programs that one instance takes, one after the other."""

    def __init__(self, session: Session, ticks: Ticks, goal: Goal, effort: Effort) -> None:
        self._session, self._ticks, self._goal, self._effort = session, ticks, goal, effort

    def run(self, model: Model) -> Answer:
        """The goal; then the tie-break, or a proof that there is no plan."""
        found = self._minimise(model, self._goal)
        if found.vms is None:
            stopped = self._stopped(found.reply)
            if found.reply.claims_infeasible and stopped is None:
                return self._without_plan(found)
            return Answer(
                bound=self._bound(found),
                stopped_by=stopped or StoppedBy.COMPLETED,
                message=_silence(found.reply, stopped),
            )
        self._effort.progress.incumbent(fleet.plan(self._ticks, found.vms))
        if (bound := self._bound(found)) is not None:
            self._effort.progress.bound(bound)
        return self._tie_broken(found, found.vms)

    def _minimise(self, model: Model, goal: Goal, limit: TimeLimit | None = None) -> _Found:
        """One program, within `limit` if that is less than what is left, and what of the reply holds.

        Raises `CheckFailed` where values that are called a solution break a rule.
        """
        reply = self._session.solve(model.program, model.objective(goal), limit)
        bound = 0 if reply.bound is None else claims.certified(model.program, reply.bound)
        values, faults = claims.rounded(model.program, reply.values)
        vms = model.vms(values)
        faults += claims.broken(model.ticks, vms)
        if not faults:  # whatever the status says: this is a plan
            return _Found(reply, vms, bound)
        if reply.claims_solution:
            raise CheckFailed(f"backend {reply.backend!r} calls this a solution: {fault}" for fault in faults)
        return _Found(reply, None, bound)

    def _tie_broken(self, found: _Found, vms: list[LoadedVM]) -> Answer:
        """The best plan in the other goal among those that are as good in this one."""
        value, other = self._value(self._goal, vms), _other(self._goal)
        stopped, message, proven = self._stopped(found.reply), None, False
        optimal = found.bound >= value or found.reply.sol_status == 1
        if stopped is None and optimal:
            try:
                second = self._minimise(build(_at_most(self._ticks, self._goal, value)), other)
            except PlannerError as error:  # the plan stands without it
                stopped, message = StoppedBy.ERROR, f"the tie-break failed: {error}"
            else:
                stopped = self._stopped(second.reply)
                if second.vms is not None and self._value(other, second.vms) <= self._value(other, vms):
                    vms = second.vms
                proven = second.bound >= self._value(other, vms)
        return Answer(
            plan=fleet.plan(self._ticks, vms),
            bound=self._bound(found),
            stopped_by=stopped or StoppedBy.COMPLETED,
            message=message,
            tiebreak_proven=proven and not self._ticks.rounded,
        )

    def _without_plan(self, found: _Found) -> Answer:
        """A backend says infeasible, which is no proof; a bound that passes the deadline is one.

        So the deadline is taken away and the makespan bounded. Where there is no deadline, or the budget is
        too small without it, the cheap bound of `planner.run` proves that in whole numbers.
        """
        ticks, backend = self._ticks, found.reply.backend
        says = f"backend {backend!r} says infeasible, which is no proof"
        if ticks.deadline is None:
            return Answer(message=says)
        # Half of the time, so that there is some left for the cheap bound.
        limit = self._effort.limit
        half = None if limit.seconds is None else TimeLimit(limit.remaining / 2)
        try:
            fastest = self._minimise(build(replace(ticks, deadline=None)), Goal.MAKESPAN, half)
        except (Unsupported, CheckFailed) as error:
            return Answer(message=f"{says} ({error})")
        if fastest.bound > ticks.deadline and not ticks.rounded:
            given, needed = (f"{float(ticks.seconds(n)):.10g} s" for n in (ticks.deadline, fastest.bound))
            within = "" if ticks.budget is None else " within the budget"
            text = f"the deadline of {given} is too early: no plan{within} ends before {needed}"
            return Answer(infeasible=True, message=text)
        if fastest.vms is not None and not claims.broken(ticks, fastest.vms):
            text = f"backend {backend!r} said infeasible, then found this plan without the deadline"
            return Answer(plan=fleet.plan(ticks, fastest.vms), message=text)
        return Answer(stopped_by=self._stopped(fastest.reply) or StoppedBy.COMPLETED, message=says)

    def _bound(self, found: _Found) -> Fraction | None:
        """The goal's bound in seconds or money; None where there is none, or rounded numbers prove none."""
        if self._ticks.rounded or not found.bound:
            return None
        makespan = self._goal is Goal.MAKESPAN
        return self._ticks.seconds(found.bound) if makespan else self._ticks.money(found.bound)

    def _value(self, goal: Goal, vms: list[LoadedVM]) -> int:
        measure = fleet.makespan if goal is Goal.MAKESPAN else fleet.cost
        return measure(self._ticks, vms)

    def _stopped(self, reply: Reply) -> StoppedBy | None:
        """Why the run must end after this reply; None: it may go on."""
        return self._effort.stopped_by or (StoppedBy.TIME_LIMIT if reply.out_of_time else None)


def _other(goal: Goal) -> Goal:
    return Goal.COST if goal is Goal.MAKESPAN else Goal.MAKESPAN


def _at_most(ticks: Ticks, goal: Goal, value: int) -> Ticks:
    """The instance in which plans worse than `value` are not allowed."""
    return replace(ticks, deadline=value) if goal is Goal.MAKESPAN else replace(ticks, budget=value)


def _silence(reply: Reply, stopped: StoppedBy | None) -> str:
    """What to say of a reply without a plan."""
    if stopped is None:
        return f"backend {reply.backend!r} ended without a plan, for a reason it does not tell"
    if reply.killed:
        return f"backend {reply.backend!r} did not stop when it had to and was killed; it left no plan"
    return f"backend {reply.backend!r} found no plan in time"
