"""The only file that imports PuLP: it runs in the child process and gives out nothing but numbers.

PuLP 3.3's `LpStatus` says "Optimal" for a search that only ran into its time limit, and most of its
interfaces derive `sol_status` from it; so both are handed on as they are and nobody takes them for a proof.
"""

from __future__ import annotations

import importlib
import inspect
import math
import time
import warnings
from typing import Any, TypedDict

import pulp

NO_GAP = 1e-12
"""Backends stop at a gap of 1e-4 if not told otherwise; 0 is not passed on by all of PuLP's interfaces."""

FINISHING_SECONDS = 0.15
"""Of the time limit, what reading the backend's answer and handing it over takes."""

_SENSES = {"<=": pulp.LpConstraintLE, ">=": pulp.LpConstraintGE, "=": pulp.LpConstraintEQ}
_BUNDLED = "PULP_CBC_CMD"


class Request(TypedDict):
    """A program to solve; `until` is a point in `time.time()`, None: no limit."""

    backend: str
    variables: list[tuple[int, int]]
    rows: list[tuple[list[tuple[int, int]], str, int]]
    objective: list[tuple[int, int]]
    until: float | None
    threads: int
    seed: int
    log: str


class MissingError(Exception):
    """There is no such backend, or it is not installed."""


def solve(request: Request) -> dict[str, object]:
    """Statuses, values and the dual bound (where it can be had from PuLP) of one run.

    Raises `MissingError`, and whatever the backend raises.
    """
    kind = _find(request["backend"])
    problem, variables = _problem(request)
    if request["until"] is None:
        seconds = None
    else:
        seconds = max(0.05, request["until"] - time.time() - FINISHING_SECONDS)
    solver = kind(**_settings(kind, request, seconds))
    started = time.perf_counter()
    problem.solve(solver)
    took = time.perf_counter() - started
    return {
        "backend": kind.__name__,
        "status": problem.status,
        "sol_status": problem.sol_status,
        "values": [variable.varValue for variable in variables],
        "bound": _dual_bound(problem),
        "out_of_time": seconds is not None and took >= seconds,
    }


def _problem(request: Request) -> tuple[pulp.LpProblem, list[pulp.LpVariable]]:
    problem = pulp.LpProblem("planner", pulp.LpMinimize)
    variables = [
        pulp.LpVariable(f"v{index}", low, high, pulp.LpInteger)
        for index, (low, high) in enumerate(request["variables"])
    ]
    problem.setObjective(pulp.LpAffineExpression([(variables[i], n) for i, n in request["objective"]]))
    for number, (terms, sense, right) in enumerate(request["rows"]):
        # A sum of nothing would be lost on the way to the backend, and with it that nothing is feasible.
        expression = pulp.LpAffineExpression([(variables[i], n) for i, n in terms or [(0, 0)]])
        problem.addConstraint(pulp.LpConstraint(expression, _SENSES[sense], f"r{number}", right))
    return problem, variables


def _settings(kind: type, request: Request, seconds: float | None) -> dict[str, object]:
    """Keywords for the backend's class, only those that it takes."""
    wanted: dict[str, object] = {"msg": False, "gapRel": NO_GAP, "timeLimit": seconds}
    if request["threads"] > 1:
        wanted["threads"] = request["threads"]
    if issubclass(kind, pulp.COIN_CMD):
        wanted["logPath"] = request["log"]
        wanted["options"] = [f"randomSeed {request['seed']}", f"randomCbcSeed {request['seed']}"]
    takes = inspect.signature(kind).parameters
    return {name: value for name, value in wanted.items() if name in takes and value is not None}


def _dual_bound(problem: pulp.LpProblem) -> float | None:
    """The bound that HiGHS proves; other interfaces of PuLP do not tell, or could not be tried."""
    model = getattr(problem, "solverModel", None)
    information = getattr(model, "getInfo", lambda: None)()
    bound = getattr(information, "mip_dual_bound", None)
    return bound if isinstance(bound, float) and math.isfinite(bound) else None


def _find(name: str) -> Any:
    """A solver class of PuLP that works here, by PuLP's name or the part before `_`, or as `module:Class`."""
    module, colon, member = name.partition(":")
    if colon:
        return getattr(importlib.import_module(module), member)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = pulp.listSolvers()
        wanted = name.upper()
        meant = [one for one in known if wanted in (one.upper(), one.upper().partition("_")[0])]
        if wanted == "CBC":
            meant = [_BUNDLED, "COIN_CMD"]
        working = pulp.listSolvers(onlyAvailable=True)
    for one in meant:
        if one in working:
            return getattr(pulp, one)
    problem = "is not installed here" if meant else "is not known to PuLP"
    raise MissingError(f"backend {name!r} {problem}; PuLP finds: {', '.join(working) or 'none'}")
