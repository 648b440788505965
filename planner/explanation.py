"""Explain an instance: why nothing is feasible and what would be, or why a plan rents what it does.

The numbers come from an explainer that the catalog names; every plan behind them is judged by the checker, as
`planner.run` does with a solver's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from planner.cloud.checker import check
from planner.cloud.explanation import Alternative, Change, Finding, Limit, NoType, Step, TooLong
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.cloud.usage import Kept, Usage, limits_kept, unit_prices, usages
from planner.cloud.valid import refuse_impossible
from planner.errors import CheckFailed, PlannerError, UsageError
from planner.goal import Goal
from planner.result import Result, Status, StoppedBy
from planner.run import as_goal, require, solve
from planner.settings import refuse_settings
from planner.solver import Effort, Progress, TimeLimit
from planner.stopping import Interruptible, LeftBehindError
from solvers import catalog

MOST_ALTERNATIVES = 5
_ROUNDS = 2  # of growing work on the proof where there is no time limit
_SOLVING = 0.7  # the part of a time limit that goes into the proof; the details get what is left
_FIRST_PLAN = 0.3  # seconds that looking for any plan at all may take, even where the limit is over


@dataclass(frozen=True, slots=True)
class Price:
    """What one unit of each application costs on a type that is never idle (None: cannot run it)."""

    type: str
    per_unit: tuple[Fraction | None, ...]
    rented: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known about an instance and, where there is a plan, about that plan.

    `status` is that of the given plan, else of the best plan found: `optimal`, `feasible` (not proven to be
    the best), `infeasible` or `unknown`. `makespan`, `cost` and `plan` are that plan's, `best` is the
    objective of the best plan known, which differs where a worse plan was given. `alternatives` and `steps`
    speak of the best plan, and are there only if it is proven to be optimal.
    """

    instance: str
    instance_sha256: str | None
    goal: Goal
    status: Status
    stopped_by: StoppedBy
    seconds: float
    message: str | None = None
    makespan: Fraction | None = None
    cost: Fraction | None = None
    bound: Fraction | None = None
    best: Fraction | None = None
    plan: CloudPlan | None = None
    currency: str | None = None
    applications: tuple[str, ...] = ()
    limits: tuple[Kept, ...] = ()
    usages: tuple[Usage, ...] = ()
    prices: tuple[Price, ...] = ()
    no_type: tuple[NoType, ...] = ()
    too_long: tuple[TooLong, ...] = ()
    changes: tuple[Change, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def objective(self) -> Fraction | None:
        """The value of the goal that the checker found in the plan."""
        return self.makespan if self.goal is Goal.MAKESPAN else self.cost

    def __str__(self) -> str:
        """The text that `planner explain` prints."""
        from planner.report.explanation import explanation_block
        from planner.report.layout import plain

        return plain(explanation_block(self))


def explain(
    instance: CloudInstance | str | Path,
    plan: CloudPlan | None = None,
    *,
    goal: Goal | str = Goal.MAKESPAN,
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 1,
    alternatives: int = MOST_ALTERNATIVES,
    progress: Progress | None = None,
) -> Explanation:
    """Explain why `instance` has no plan, or why its best plan (or the given one) rents what it does.

    The instance may be the file that holds it. `time_limit` is in seconds of wall time and covers the proof
    and all details, not the import of solvers;
    without one the work on hard questions is counted and has an end. What is not settled by then is given as
    a bound, or left out; where the proof found no plan by then, that of solver heuristic, if it finds one, is
    explained. `alternatives` is the number of types not rented that are tried. Ctrl-C returns what there is.

    Raises `CheckFailed` where the given plan breaks a rule of the instance, or an answer contradicts the
    checker; otherwise as `planner.solve`.
    """
    refuse_settings(time_limit, workers, seed)
    if not isinstance(instance, CloudInstance):
        from planner.files import read_cloud  # its libraries are not needed for instances made in memory

        instance = read_cloud(instance)
    refuse_impossible(instance)
    _import_solvers()
    limit = TimeLimit(time_limit)
    wanted = as_goal(goal)
    if alternatives < 0:
        raise UsageError(f"the number of alternatives must be at least 0, not {alternatives}")
    if plan is not None:
        verdict = check(instance, plan)
        if not verdict.valid:
            raise CheckFailed(f"the given plan is not valid: {violation}" for violation in verdict.violations)
    result = solve(
        instance,
        "exact" if time_limit is not None else f"exact:rounds={_ROUNDS}",
        goal=wanted,
        time_limit=None if time_limit is None else time_limit * _SOLVING,
        workers=workers,
        seed=seed,
        progress=progress,
        start=plan,
    )
    if result.plan is None and result.stopped_by in (StoppedBy.TIME_LIMIT, StoppedBy.COMPLETED):
        left = None if time_limit is None else max(limit.remaining, _FIRST_PLAN)
        result = _with_any_plan(instance, result, left, progress)
    effort = Effort(TimeLimit(None if time_limit is None else limit.remaining), workers, seed)
    findings = _Findings(instance, wanted, result.objective)
    stopped_by = result.stopped_by
    if stopped_by is not StoppedBy.INTERRUPTED:
        rejected = _rejected(instance, result.plan)[:alternatives]
        stopped_by = _details(instance, result, rejected, effort, findings) or stopped_by
    return _put_together(instance, result, plan, findings, stopped_by, limit.elapsed)


def _import_solvers() -> None:
    """Import what will run, which takes a second on a busy machine, before the clock starts."""
    require("exact")
    require("heuristic")
    catalog.cheap_bound("cloud")
    catalog.explainer("cloud")


def _with_any_plan(
    instance: CloudInstance, result: Result, seconds: float | None, progress: Progress | None
) -> Result:
    """The result with the heuristic's plan, where it finds one."""
    if result.status is not Status.UNKNOWN:
        return result
    try:
        other = solve(
            instance, "heuristic", goal=Goal.MAKESPAN, time_limit=seconds, seed=result.seed, progress=progress
        )
    except PlannerError:
        return result
    if other.plan is None:
        return result
    value = other.makespan if result.goal is Goal.MAKESPAN else other.cost
    status = Status.OPTIMAL if value == result.bound else Status.FEASIBLE
    return replace(result, status=status, plan=other.plan, makespan=other.makespan, cost=other.cost)


class _Findings:
    """Takes what an explainer hands over, each plan judged by the checker."""

    def __init__(self, instance: CloudInstance, goal: Goal, best: Fraction | None) -> None:
        self._instance, self._goal, self._best = instance, goal, best
        self.closed = False
        self.kept: list[Finding] = []

    def keep(self, finding: Finding) -> None:
        """Keep a finding. Raises `CheckFailed` where its plan does not show what it says."""
        if self.closed:
            return
        match finding:
            case Change(plan=CloudPlan() as plan, works=Fraction() as works):
                instance = _changed(self._instance, finding.limit, finding.type, works)
                for lifted in finding.lifted:
                    instance = _changed(instance, lifted, None, None)
                makespan, cost = _worth(instance, plan)
                value = makespan if self._goal is Goal.MAKESPAN else cost
                _not_below(value, finding.value_at_least, f"with {finding.limit} {works}")
                finding = replace(finding, makespan=makespan, cost=cost)
            case Alternative(plan=CloudPlan() as plan):
                if not plan.fleet.get(finding.type, 0):
                    raise CheckFailed([f"the plan with {finding.type!r} does not rent it"])
                value = self._value(self._instance, plan)
                _not_below(value, finding.at_least, f"with {finding.type!r}")
                finding = replace(finding, value=value)
            case Step(plan=CloudPlan() as plan, to=Fraction() as to):
                value = self._value(_changed(self._instance, finding.limit, finding.type, to), plan)
                _not_below(value, finding.value_at_least, f"with {finding.limit} {to}")
                if self._best is not None and value >= self._best:
                    raise CheckFailed([f"{finding.limit} {to} is said to buy something, and buys {value}"])
                finding = replace(finding, value=value)
        if isinstance(finding, Change):  # a better plan takes the place of the first one
            earlier = [one for one in self.kept if isinstance(one, Change) and _same(one, finding)]
            if earlier:
                self.kept[self.kept.index(earlier[0])] = finding
                return
        self.kept.append(finding)

    def _value(self, instance: CloudInstance, plan: CloudPlan) -> Fraction:
        """The objective of a plan with the goal's own limit out of the way where it is a step's."""
        makespan, cost = _worth(instance, plan)
        return makespan if self._goal is Goal.MAKESPAN else cost


def _details(
    instance: CloudInstance, result: Result, rejected: Sequence[int], effort: Effort, findings: _Findings
) -> StoppedBy | None:
    """Have the explainer work; why it was stopped, if it was."""
    explainer = catalog.explainer("cloud")
    goal, best = result.goal, result.plan
    work: Callable[[], None]
    if result.status is Status.INFEASIBLE:

        def work() -> None:
            explainer.infeasible(instance, goal, effort, findings.keep)

    elif result.status is Status.OPTIMAL and best is not None:

        def work() -> None:
            explainer.alternatives(instance, goal, best, rejected, effort, findings.keep)
            explainer.steps(instance, goal, best, effort, findings.keep)

    else:
        return None
    call = Interruptible(work, effort)
    try:
        call.run()
    except LeftBehindError as stop:
        findings.closed = True
        return stop.stopped_by
    except KeyboardInterrupt:
        findings.closed = True
        return StoppedBy.INTERRUPTED
    return StoppedBy.INTERRUPTED if call.interrupted else effort.stopped_by


def _put_together(
    instance: CloudInstance,
    result: Result,
    given: CloudPlan | None,
    findings: _Findings,
    stopped_by: StoppedBy,
    seconds: float,
) -> Explanation:
    plan = given or result.plan
    makespan, cost = (None, None) if plan is None else _worth(instance, plan)
    status = result.status
    objective = makespan if result.goal is Goal.MAKESPAN else cost
    if given is not None and objective is not None:
        status = Status.OPTIMAL if objective == result.bound else Status.FEASIBLE
    used = () if plan is None else usages(instance, plan)
    if plan is not None and sum((usage.cost for usage in used), Fraction(0)) != cost:
        raise CheckFailed([f"{instance.name}: the bill by types does not add up to the checker's {cost}"])
    rented = {usage.type for usage in used}
    limits: tuple[Kept, ...] = ()
    if plan is not None and makespan is not None and cost is not None:
        limits = limits_kept(instance, plan, makespan, cost)
    kept = findings.kept
    return Explanation(
        instance=instance.name,
        instance_sha256=instance.sha256,
        goal=result.goal,
        status=status,
        stopped_by=stopped_by,
        seconds=seconds,
        message=result.message if plan is None else None,
        makespan=makespan,
        cost=cost,
        bound=result.bound,
        best=result.objective,
        plan=plan,
        currency=instance.notes.currency,
        applications=tuple(application.name for application in instance.applications),
        limits=limits,
        usages=used,
        prices=tuple(
            Price(item.name, unit_prices(instance, item), item.name in rented)
            for item in instance.instance_types
        ),
        no_type=tuple(one for one in kept if isinstance(one, NoType)),
        too_long=tuple(one for one in kept if isinstance(one, TooLong)),
        changes=tuple(one for one in kept if isinstance(one, Change)),
        alternatives=tuple(one for one in kept if isinstance(one, Alternative)),
        steps=tuple(one for one in kept if isinstance(one, Step)),
    )


def _rejected(instance: CloudInstance, plan: CloudPlan | None) -> list[int]:
    """Types that the plan could rent and does not, the one nearest in price to those it rents first.

    Near is the least ratio, over applications, of the type's price for a unit to the best rented type's.
    """
    if plan is None:
        return []
    rented = plan.fleet
    prices = [unit_prices(instance, item) for item in instance.instance_types]
    own = [row for row, item in zip(prices, instance.instance_types, strict=True) if item.name in rented]
    best = [min(price for row in own if (price := row[a]) is not None) for a in range(len(own[0]))]
    ranked: list[tuple[bool, Fraction, int]] = []
    for index, (item, row) in enumerate(zip(instance.instance_types, prices, strict=True)):
        offers = [(price, least) for price, least in zip(row, best, strict=True) if price is not None]
        if item.name in rented or item.max_instances == 0 or not offers:
            continue
        finite = [price / least for price, least in offers if least]
        free = any(not price for price, _ in offers)
        ranked.append(
            (not (free or finite), Fraction(0) if free else min(finite, default=Fraction(0)), index)
        )
    return [index for _, _, index in sorted(ranked)]


def _changed(
    instance: CloudInstance, limit: Limit, kind: str | None, value: Fraction | None
) -> CloudInstance:
    """The instance with another value of one limit; a quota without a type is that of all types."""
    match limit:
        case Limit.BUDGET:
            return replace(instance, budget=value)
        case Limit.DEADLINE:
            return replace(instance, deadline=value)
        case Limit.MAX_VMS:
            return replace(instance, max_vms=None if value is None else int(value))
        case Limit.MAX_INSTANCES:
            quota = None if value is None else int(value)
            types = tuple(
                replace(item, max_instances=quota) if kind in (None, item.name) else item
                for item in instance.instance_types
            )
            return replace(instance, instance_types=types)


def _worth(instance: CloudInstance, plan: CloudPlan) -> tuple[Fraction, Fraction]:
    """Makespan and cost. Raises `CheckFailed` where the plan breaks a rule of the instance."""
    verdict = check(instance, plan)
    if not verdict.valid or verdict.makespan is None or verdict.cost is None:
        raise CheckFailed(str(violation) for violation in verdict.violations)
    return verdict.makespan, verdict.cost


def _same(one: Change, other: Change) -> bool:
    return (one.limit, one.type, one.lifted) == (other.limit, other.type, other.lifted)


def _not_below(value: Fraction, at_least: Fraction | None, what: str) -> None:
    if at_least is not None and value < at_least:
        raise CheckFailed([f"{what}: the bound {at_least} exceeds the plan's checked {value}"])
