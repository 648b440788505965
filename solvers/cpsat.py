"""Run CP-SAT so that it can always be stopped: by the time limit, by the stop flag, and by Ctrl-C.

The native search runs in a thread of its own while the caller waits where Python still sees signals. A
search that does not react (a presolve can overrun any limit) is left behind, and the caller goes on.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from ortools.sat.python import cp_model

from planner.errors import PlannerError
from planner.solver import Effort

ReadVariable: TypeAlias = Callable[[cp_model.IntVar], int]
GRACE_SECONDS = 0.5  # what a search may take to end after it was told to
EXACT_REACH = 2**50  # of an objective; from there on CP-SAT's arithmetic on it is not all in whole numbers
POLL_SECONDS = 0.05  # how often the stop flag is looked at


class Outcome(Enum):
    """What a search ended with."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


class ModelRefused(PlannerError):
    """CP-SAT calls the model invalid: a coefficient or sum is too large, or a model is malformed."""


@dataclass(frozen=True, slots=True)
class Found:
    """Outcome of a search; `value` reads a variable of the best solution, where there is one.

    `bound` and `objective` are CP-SAT's doubles.
    """

    outcome: Outcome
    value: ReadVariable
    bound: float
    objective: float = float("nan")

    @property
    def has_solution(self) -> bool:
        """Whether `value` may be called."""
        return self.outcome in (Outcome.OPTIMAL, Outcome.FEASIBLE)


class _Watcher(cp_model.CpSolverSolutionCallback):
    """Hands every improving solution to a listener, as a function that reads variables."""

    def __init__(self, listener: Callable[[ReadVariable], None]) -> None:
        super().__init__()
        self._listener = listener

    def on_solution_callback(self) -> None:
        self._listener(lambda variable: int(self.value(variable)))


def search(
    model: cp_model.CpModel,
    effort: Effort[Any],
    *,
    work: float | None = None,
    on_solution: Callable[[ReadVariable], None] | None = None,
    on_bound: Callable[[float], None] | None = None,
) -> Found:
    """Solve `model` within `effort`; `work` limits CP-SAT's own reproducible measure of time.

    Raises `ModelRefused` where CP-SAT does not take the model.
    """
    if effort.stopped_by:
        return Found(Outcome.UNKNOWN, _nothing, float("-inf"))
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = effort.workers
    parameters.random_seed = effort.seed % 2**31
    parameters.catch_sigint_signal = False
    if effort.limit.seconds is not None:
        parameters.max_time_in_seconds = effort.limit.remaining
    if work is not None:
        parameters.max_deterministic_time = work
    if on_bound is not None:
        solver.best_bound_callback = on_bound
    watcher = None if on_solution is None else _Watcher(on_solution)
    statuses: list[cp_model.CpSolverStatus] = []
    done = threading.Event()

    def run() -> None:
        try:
            statuses.append(solver.solve(model, watcher))
        finally:
            done.set()

    threading.Thread(target=run, name="cp-sat", daemon=True).start()
    try:
        while not done.wait(min(POLL_SECONDS, effort.limit.remaining + GRACE_SECONDS)):
            if effort.stopped_by:
                solver.stop_search()
                done.wait(GRACE_SECONDS)
                break
    except KeyboardInterrupt:
        solver.stop_search()
        done.wait(GRACE_SECONDS)
        raise
    if not statuses:
        return Found(Outcome.UNKNOWN, _nothing, float("-inf"))
    status = statuses[0]
    if status == cp_model.MODEL_INVALID:
        raise ModelRefused(f"CP-SAT refuses the model: {model.validate()}")
    outcome = {
        cp_model.OPTIMAL: Outcome.OPTIMAL,
        cp_model.FEASIBLE: Outcome.FEASIBLE,
        cp_model.INFEASIBLE: Outcome.INFEASIBLE,
    }.get(status, Outcome.UNKNOWN)
    return Found(
        outcome,
        lambda variable: int(solver.value(variable)),
        solver.best_objective_bound,
        solver.objective_value,
    )


def objective_reach(model: cp_model.CpModel) -> int:
    """The sum of how far from 0 each term of the model's objective can get."""
    objective = model.proto.objective
    domains = [list(model.proto.variables[index].domain) for index in objective.vars]
    return sum(
        abs(factor) * max(abs(domain[0]), abs(domain[-1]))
        for factor, domain in zip(objective.coeffs, domains, strict=True)
    )


def whole_bound(bound: float, reach: int) -> int | None:
    """A whole number that an objective of that reach is never below, from CP-SAT's bound; None: none.

    The bound comes as a double, and is the exact one while the objective cannot reach 2^50. Of objectives
    that can, bounds a few units above the optimum have been seen: a share of 2^-40 of the reach is given up.
    """
    if not math.isfinite(bound):
        return None
    return round(bound) if reach < EXACT_REACH else math.floor(bound) - (reach >> 40) - 1


def _nothing(_: cp_model.IntVar) -> int:
    raise LookupError("the search has no solution")
