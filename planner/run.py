"""Solver, then checker, then result: the only place that turns an answer into a result."""

from __future__ import annotations

import dataclasses
import platform
import threading
import time
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.cloud.valid import refuse_impossible
from planner.errors import CheckFailed, PlannerError, SimulationNeeded, SolverCrashed, Unsupported, UsageError
from planner.goal import Goal
from planner.grid.plan import GridPlan
from planner.grid.step import GridStep
from planner.kinds import Instance, Plan, kind_of
from planner.result import Result, Seconds, Status, StoppedBy
from planner.settings import refuse_settings
from planner.solver import Answer, Effort, Progress, Silent, Solver, TimeLimit
from planner.stopping import GRACE, Interruptible, LeftBehindError
from planner.verdict import Verdict
from solvers import catalog

if TYPE_CHECKING:
    from planner.grid.system import GridSystem


class _Recorder:
    """Keeps the best plan and bound a solver reports, so that nothing is lost when it is stopped."""

    def __init__(self, goal: Goal, instance: Instance, listener: Progress[Any]) -> None:
        self._goal, self._instance, self._listener = goal, instance, listener
        self._kind = kind_of(instance)
        self._value: tuple[Fraction, ...] | None = None
        self.plan: Any = None
        self.lower: Fraction | None = None
        self.closed = False

    def incumbent(self, plan: Plan) -> None:
        if self.closed:
            return
        verdict = self._kind.check(self._instance, plan)
        value = self._kind.values(self._goal, verdict)
        if verdict.valid and value is not None and (self._value is None or value < self._value):
            self._value, self.plan = value, plan
            self._listener.incumbent(plan)

    def bound(self, value: Fraction) -> None:
        if not self.closed and (self.lower is None or value > self.lower):
            self.lower = value
            self._listener.bound(value)


@overload
def solve(
    instance: CloudInstance,
    solver: str | None = None,
    *,
    goal: Goal | str | None = None,
    options: Mapping[str, object] | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 1,
    progress: Progress[CloudPlan] | None = None,
    stop: threading.Event | None = None,
    start: CloudPlan | None = None,
) -> Result[CloudPlan]: ...
@overload
def solve(
    instance: GridStep,
    solver: str | None = None,
    *,
    goal: Goal | str | None = None,
    options: Mapping[str, object] | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 1,
    progress: Progress[GridPlan] | None = None,
    stop: threading.Event | None = None,
    start: GridPlan | None = None,
) -> Result[GridPlan]: ...
@overload
def solve(
    instance: str | Path | Instance | GridSystem,
    solver: str | None = None,
    *,
    goal: Goal | str | None = None,
    options: Mapping[str, object] | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 1,
    progress: Progress[Any] | None = None,
    stop: threading.Event | None = None,
    start: Plan | None = None,
) -> Result[Any]: ...
def solve(
    instance: Instance | GridSystem | str | Path,
    solver: str | None = None,
    *,
    goal: Goal | str | None = None,
    options: Mapping[str, object] | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 1,
    progress: Progress[Any] | None = None,
    stop: threading.Event | None = None,
    start: Plan | None = None,
) -> Result[Any]:
    """Run one solver on one instance, or the file that holds it, and judge what it returns.

    `solver` is a catalog name, with options as in `"name:option=value;other=value"` or in `options`; None:
    the usual one of the instance's kind (`exact`, `assignment`). `goal` None: the solver's own, which is the
    makespan on the cloud. Solvers of grid steps have one goal each, and their plans are valued in any.
    `time_limit` is in seconds of wall time and covers everything; a solver that does not return within a
    second after it is left behind. Ctrl-C returns the best plan so far, `stopped_by` interrupted. `start` is
    a plan to start from: one that keeps all rules is never lost, another is rejected; the message says which.

    Raises `InputError` (the file; a grid system, which is to be simulated), `UsageError` (unknown solver,
    option or goal; limit, seed or workers out of range), `Unsupported`, `BackendMissing`, `CheckFailed` (the
    answer contradicts the checker), `SolverCrashed`, and `KeyboardInterrupt` where there is no plan yet.
    """
    refuse_settings(time_limit, workers, seed)
    limit = TimeLimit(time_limit)
    if not isinstance(instance, CloudInstance | GridStep):
        instance = _read(instance)
    refuse_invalid(instance)
    kind = kind_of(instance)
    entry, chosen = catalog.configure(solver or kind.solver, options)
    wanted = goal_of(entry, goal)
    if entry.kind != kind.name:
        raise Unsupported(
            f"solver {entry.name!r} is for {entry.kind} problems; {instance.name!r} is of kind {kind.name}"
        )
    if wanted.value not in entry.goals:
        can = ", ".join(entry.goals)
        raise Unsupported(f"solver {entry.name!r} does not minimise {wanted.value}; it can: {can}")
    planner = entry.make(chosen)
    recorder = _Recorder(wanted, instance, progress or Silent())
    effort: Effort[Any] = Effort(limit, workers, seed, recorder, stop or threading.Event())
    effort, note = _started(instance, start, effort)
    recorder.bound(catalog.cheap_bound(kind.name).lower(instance, wanted))
    started = time.perf_counter()
    answer = _answer(planner, entry.name, instance, wanted, effort, recorder)
    solved = time.perf_counter()
    judged = _judge(instance, wanted, answer, recorder, effort)
    checked = time.perf_counter()
    status, bound, plan, verdict, message = judged
    return Result(
        instance=instance.name,
        kind=kind.name,
        solver=entry.name,
        goal=wanted,
        status=status,
        stopped_by=answer.stopped_by,
        seed=seed,
        options=chosen,
        instance_sha256=instance.sha256,
        bound=bound,
        tiebreak_proven=answer.tiebreak_proven if status is Status.OPTIMAL else None,
        makespan=verdict.makespan,
        cost=verdict.cost,
        seconds=Seconds(limit.elapsed, answer.build_seconds, solved - started, checked - solved),
        resolution=answer.resolution,
        versions=versions(entry),
        message="; ".join(text for text in (note, message) if text) or None,
        plan=plan,
        flow=verdict.flow,
        load=verdict.load,
    )


def _read(place: str | Path | GridSystem) -> Instance:
    from planner.files import read_instance  # its libraries are not needed for instances made in memory

    if isinstance(place, str | Path):
        return read_instance(place)
    from planner.grid.system import GridSystem

    if isinstance(place, GridSystem):
        raise SimulationNeeded(place.name)
    raise UsageError(f"an instance or the name of its file is needed, not {type(place).__name__}")


def _started(instance: Instance, start: Plan | None, effort: Effort[Any]) -> tuple[Effort[Any], str | None]:
    """The effort with the given start, if it is a plan at all, and what to say about it."""
    if start is None:
        return effort, None
    verdict = kind_of(instance).check(instance, start)
    if not verdict.valid:
        return effort, f"the given start was rejected: {verdict.violations[0]}"
    effort.progress.incumbent(start)
    return dataclasses.replace(effort, start=start), "the given start was accepted"


def refuse_invalid(instance: Instance) -> None:
    """Raise `InputError` where an instance that was made in memory breaks what its reader asks for."""
    if isinstance(instance, CloudInstance):
        refuse_impossible(instance)
    else:
        from planner.grid.valid import refuse_impossible_step  # numpy is not needed for the cloud

        refuse_impossible_step(instance)


def result_of(
    error: PlannerError,
    instance: Instance,
    solver: str | None,
    *,
    goal: Goal | str | None = None,
    options: Mapping[str, object] | None = None,
    seed: int = 1,
) -> Result[Any]:
    """The result that stands for a run which raised `error`: unsupported, or failed."""
    unsupported = isinstance(error, Unsupported)
    kind = kind_of(instance)
    entry, chosen = catalog.configure(solver or kind.solver, options)
    return Result(
        instance=instance.name,
        kind=kind.name,
        solver=entry.name,
        goal=goal_of(entry, goal),
        status=Status.UNSUPPORTED if unsupported else Status.FAILED,
        stopped_by=StoppedBy.COMPLETED if unsupported else StoppedBy.ERROR,
        seed=seed,
        options=chosen,
        instance_sha256=instance.sha256,
        versions=versions(entry),
        message=str(error),
    )


def require(solver: str, options: Mapping[str, object] | None = None) -> None:
    """Raise `UsageError` or `BackendMissing` where `solver` cannot be run at all; imports it where it can."""
    catalog.configure(solver, options)[0].solver_class()


def versions(entry: catalog.Entry) -> dict[str, str]:
    """Versions of Python and of the packages that a result of this solver depends on."""
    return dict(sorted({"python": platform.python_version(), **packages(entry)}.items()))


def packages(entry: catalog.Entry) -> dict[str, str]:
    """Versions of this project, of the distribution the solver is from, and of what it needs."""
    return installed(("gridcloud-planner", entry.origin, *entry.needs))


def installed(names: Iterable[str]) -> dict[str, str]:
    """Versions of those of the distributions that are installed here, by name."""
    found = {name: _version(name) for name in sorted(set(names))}
    return {name: version for name, version in found.items() if version is not None}


@cache
def _version(package: str) -> str | None:
    """The installed version, looked for once; None: run from a checkout, or imported from a path."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def goal_of(entry: catalog.Entry, goal: Goal | str | None) -> Goal:
    """The goal asked for; the solver's own where none is. Raises `UsageError` where there is no such goal."""
    return Goal(entry.goals[0]) if goal is None else as_goal(goal)


def as_goal(goal: Goal | str) -> Goal:
    """The goal of that name. Raises `UsageError` where there is none."""
    try:
        return Goal(goal)
    except ValueError:
        raise UsageError(f"unknown objective {goal!r}; choose from: {', '.join(Goal)}") from None


def _answer(
    planner: Solver[Any, Any],
    name: str,
    instance: Instance,
    goal: Goal,
    effort: Effort[Any],
    recorder: _Recorder,
) -> Answer[Any]:
    call = Interruptible(lambda: planner.solve(instance, goal, effort), effort)
    try:
        answer = call.run()
    except PlannerError:
        raise
    except (KeyboardInterrupt, LeftBehindError) as stop:
        recorder.closed = True
        if isinstance(stop, LeftBehindError) and stop.stopped_by is StoppedBy.TIME_LIMIT:
            text = f"solver {name!r} was left behind {GRACE:g} s after the time limit"
            return Answer(stopped_by=StoppedBy.TIME_LIMIT, message=text)
        answer = Answer(message="interrupted; this is the best plan so far")
        call.interrupted = True
    except (Exception, SystemExit) as error:
        text = f"solver {name!r} failed on {instance.name!r}: {type(error).__name__}: {error}"
        if recorder.plan is None:
            raise SolverCrashed(text) from error
        return Answer(stopped_by=StoppedBy.ERROR, message=f"{text}; this is the best plan before that")
    if not call.interrupted:
        return answer
    if answer.plan is None and recorder.plan is None and not answer.infeasible:
        raise KeyboardInterrupt
    return dataclasses.replace(answer, stopped_by=StoppedBy.INTERRUPTED)


def _judge(
    instance: Instance, goal: Goal, answer: Answer[Any], recorder: _Recorder, effort: Effort[Any]
) -> tuple[Status, Fraction | None, Any, Verdict, str | None]:
    """Status, best certified bound, plan, what the plan is worth, and a message."""
    kind = kind_of(instance)
    plan, verdict = _best(instance, goal, answer.plan, recorder.plan)
    if plan is None:
        if answer.infeasible and answer.message:
            return Status.INFEASIBLE, None, None, verdict, _with_remedy(instance, answer.message, effort)
        reason = None if effort.stopped_by else catalog.cheap_bound(kind.name).infeasible(instance, effort)
        if reason is None and not answer.infeasible:
            return Status.UNKNOWN, _lower(answer, recorder), None, verdict, answer.message
        message = reason or kind.infeasible
        return Status.INFEASIBLE, None, None, verdict, _with_remedy(instance, message, effort)
    if not verdict.valid:
        raise CheckFailed(str(violation) for violation in verdict.violations)
    if answer.infeasible:
        raise CheckFailed([f"{instance.name}: called infeasible, yet the checker accepts a plan"])
    bound = _lower(answer, recorder)
    value = verdict.value(goal)
    if value is not None and kind.agree(bound, value):
        return Status.OPTIMAL, value, plan, verdict, answer.message
    if value is None or bound > value:
        raise CheckFailed([f"{instance.name}: bound {bound} exceeds the plan's checked {goal.value} {value}"])
    return Status.FEASIBLE, bound, plan, verdict, answer.message


def _with_remedy(instance: Instance, reason: str, effort: Effort[Any]) -> str:
    """The reason, and which single change would make the instance feasible, where that is quickly told."""
    if effort.stopped_by or not isinstance(instance, CloudInstance):
        return reason
    remedy = catalog.explainer("cloud").enough_alone(instance, effort)
    return reason if remedy is None else f"{reason} – {remedy}"


def _best(instance: Instance, goal: Goal, answered: Any, recorded: Any) -> tuple[Any, Verdict]:
    """The answer's plan, unless the best reported one is better; an invalid answer is not hidden by it."""
    kind = kind_of(instance)
    if answered is None:
        return recorded, Verdict(None, None, ()) if recorded is None else kind.check(instance, recorded)
    verdict = kind.check(instance, answered)
    value = verdict.value(goal)
    if recorded is not None and recorded != answered and verdict.valid and value is not None:
        other = kind.check(instance, recorded)
        values, other_values = kind.values(goal, verdict), kind.values(goal, other)
        if values is not None and other_values is not None and other_values < values:
            return recorded, other
    return answered, verdict


def _lower(answer: Answer[Any], recorder: _Recorder) -> Fraction:
    """The best bound: the cheap one and what the solver reported are with the recorder."""
    return max(bound for bound in (answer.bound, recorder.lower, Fraction(0)) if bound is not None)
