"""Run one cell in this process: the same whatever engine has brought the task here."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from planner import files
from planner.errors import Fault, InputError, PlannerError, Unsupported
from planner.result import Status
from planner.run import installed, result_of, solve
from planner.studies.problems import GRID
from planner.studies.task import SIMULATED, Outcome, State, Task, failed
from solvers import catalog

if TYPE_CHECKING:
    from planner.grid.bounds import LoadBound
    from planner.grid.system import GridSystem
    from planner.kinds import Instance

_KEPT = 32
"""Instances that stay in memory: the cells of one follow each other, and memory must stay flat."""


def perform(task: Task) -> Outcome:
    """The outcome of that cell; whatever goes wrong in it makes a failed one, never an error here."""
    started = time.perf_counter()
    try:
        status, result = _simulated(task) if task.kind == GRID else _solved(task)
    except Unsupported as error:  # of a policy: an answer, though there is no run to show
        seconds = time.perf_counter() - started
        return Outcome(task.key, State.DONE, Status.UNSUPPORTED.value, seconds, None, str(error))
    except MemoryError as error:
        return failed(task, "out of memory", _trace(error), time.perf_counter() - started)
    except Exception as error:
        text = str(error) if isinstance(error, PlannerError) else f"{type(error).__name__}: {error}"
        code = error.exit_code if isinstance(error, PlannerError) else PlannerError.exit_code
        return failed(task, text, _trace(error), time.perf_counter() - started, code)
    return Outcome(task.key, State.DONE, status, time.perf_counter() - started, result)


def difference(expected: Mapping[str, str]) -> str | None:
    """Which distributions have another version in this process than expected; None: none has."""
    found = installed(expected)
    wrong = [
        f"{name} {found.get(name, 'is missing')} in place of {version}"
        for name, version in expected.items()
        if found.get(name) != version
    ]
    return ", ".join(wrong) or None


def _solved(task: Task) -> tuple[str, str]:
    instance = _instance(task.path, task.sha256)
    options = dict(task.options)
    try:
        result = solve(
            instance,
            task.solver,
            goal=task.goal,
            options=options,
            time_limit=task.time_limit,
            workers=task.threads,
            seed=task.seed,
        )
    except Unsupported as error:
        result = result_of(error, instance, task.solver, goal=task.goal, options=options, seed=task.seed)
    return result.status.value, files.dumps(result)


def _simulated(task: Task) -> tuple[str, str]:
    # numba and scipy are not needed where no system is simulated.
    from planner.report.names import solver_label
    from planner.report.simulation import to_wire
    from planner.simulating import simulate

    system = _system(task.path, task.sha256, task.trace_sha256)
    simulation = simulate(
        system,
        [solver_label(task.solver, task.options)],
        seeds=task.seed,
        reference=task.reference,
        bound=False,
        on_step=_until(task.time_limit, system.steps),
    )
    if simulation.errors:
        raise simulation.errors[0]
    if task.bound:
        limit = _bound(task.path, task.sha256, task.trace_sha256, task.seed)
        runs = tuple(replace(run, bound=limit) for run in simulation.runs)
        simulation = replace(simulation, runs=runs)
    return SIMULATED, files.dumps(to_wire(simulation, series=task.series)["runs"][0])


def _until(limit: float | None, steps: int) -> Callable[[int], None] | None:
    """What ends a simulation at its time limit; half of one is no result."""
    if limit is None:
        return None
    end = time.perf_counter() + limit

    def look(done: int) -> None:
        if done < steps and time.perf_counter() > end:
            raise TimeoutError(f"the time limit of {limit:g} s was over after {done} of {steps} steps")

    return look


@lru_cache(_KEPT)
def _instance(path: str, sha256: str) -> Instance:
    instance = files.read_instance(path)
    if instance.sha256 != sha256:
        raise _changed(path)
    return instance


@lru_cache(_KEPT)
def _system(path: str, sha256: str, trace_sha256: str | None) -> GridSystem:
    system = files.read_system(path)
    if (system.sha256, system.trace_sha256) != (sha256, trace_sha256):
        raise _changed(path)
    return system


@lru_cache(_KEPT)
def _bound(path: str, sha256: str, trace_sha256: str | None, seed: int) -> LoadBound:
    """The bound of a seed, which all policies share; it can take longer than a run of one of them."""
    from planner.grid.workload import draw

    return catalog.system_bound().lower(draw(_system(path, sha256, trace_sha256), seed))


def _changed(path: str) -> InputError:
    return InputError(path, [Fault("", "was changed while the study ran; run it again for the new content")])


def _trace(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))
