"""Which solvers there are, what each can do and needs, and how to make one, without importing any.

Everything here is data, so that listing solvers costs nothing; a solver's module is imported when it is
made. Other distributions add solvers through the entry-point group `gridcloud_planner.solvers`: the entry's
name is the solver's, its object a dataclass with a `solve` method (planner.solver.Solver) whose fields are
its options. Policies of grid systems come from `gridcloud_planner.policies` in the same way
(planner.grid.policy.Policy).
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from planner.errors import BackendMissing, SolverCrashed, UsageError
from planner.explainer import Explainer
from planner.solver import Bound, Exporter, Solver

if TYPE_CHECKING:
    from planner.grid.bounds import SystemBound
    from planner.grid.policy import Policy
    from planner.grid.simulation import Reference

OWN = "gridcloud-planner"
"""Where this project's own solvers are from."""

ENTRY_POINTS = "gridcloud_planner.solvers"
POLICY_ENTRY_POINTS = "gridcloud_planner.policies"


@dataclass(frozen=True, slots=True)
class Entry:
    """One solver: `target` is `module:Class`, `needs` the distributions it imports beyond the core."""

    name: str
    target: str
    kind: str
    summary: str
    proves: str
    goals: tuple[str, ...] = ("makespan",)
    needs: tuple[str, ...] = ()
    origin: str = OWN

    def make(self, options: Mapping[str, object]) -> Solver[Any, Any]:
        """Import the solver and build it with `options`, as checked by `configure`."""
        make = cast(Callable[..., Solver[Any, Any]], self.solver_class())
        return make(**options)

    def make_policy(self, options: Mapping[str, object]) -> Policy:
        """Import the policy and build it with `options`, as checked by `configure_policy`."""
        make = cast("Callable[..., Policy]", self.solver_class())
        return make(**options)

    def solver_class(self) -> type:
        """The solver's class.

        Raises `BackendMissing` where a package it needs is not installed, `SolverCrashed` where another
        distribution registered it and its module cannot be imported.
        """
        self.refuse_missing()
        try:
            return cast(type, _load(self.target))
        except Exception as error:
            if self.origin == OWN:
                raise
            raise SolverCrashed(
                f"{self.name!r}, which {self.origin} registers, cannot be imported: "
                f"{type(error).__name__}: {error}"
            ) from error

    def refuse_missing(self) -> None:
        """Raise `BackendMissing` where a package it needs is not installed, without importing any."""
        for package in self.needs:
            if find_spec(package) is None:
                raise BackendMissing(f"solver {self.name!r} needs {package!r}: pip install {package}")


_ENTRIES = (
    Entry(
        "exact",
        "solvers.cloud.exact:Exact",
        "cloud",
        "fleets and task classes instead of VMs and tasks; bound, packing and cuts",
        "optimum",
        ("makespan", "cost"),
        ("ortools",),
    ),
    Entry(
        "compact",
        "solvers.cloud.compact:Compact",
        "cloud",
        "the paper's integer program, equations 2-9, one block of variables a VM",
        "optimum",
        ("makespan", "cost"),
        ("ortools",),
    ),
    Entry(
        "milp",
        "solvers.cloud.milp.solver:Milp",
        "cloud",
        "the same program in PuLP, with any backend PuLP finds, in a process of its own",
        "optimum",
        ("makespan", "cost"),
        ("pulp",),
    ),
    Entry(
        "rounding",
        "solvers.cloud.rounding:Rounding",
        "cloud",
        "for the very large: column generation, rounded; time grows with types and classes, not tasks",
        "nothing",
        ("makespan", "cost"),
        needs=("ortools",),
    ),
    Entry(
        "heuristic",
        "solvers.cloud.pipeline.find:Heuristic",
        "cloud",
        "the paper's greedy pipeline, Algorithm 1",
        "nothing",
    ),
    Entry(
        "mi", "solvers.cloud.baselines:MinimiseIndividual", "cloud", "baseline: the fastest type", "nothing"
    ),
    Entry(
        "mp", "solvers.cloud.baselines:MaximiseParallelism", "cloud", "baseline: the cheapest type", "nothing"
    ),
    Entry(
        "assignment",
        "solvers.grid.assignment:Assignment",
        "grid-step",
        "least flow as a minimum-cost flow of jobs to positions; the reference",
        "optimum",
        ("flow", "makespan", "load"),
        ("ortools",),
    ),
    Entry(
        "positional",
        "solvers.grid.positional:Positional",
        "grid-step",
        "least flow by a dynamic programme over positions, in milliseconds",
        "optimum",
        ("flow", "makespan", "load"),
        ("numba",),
    ),
    Entry(
        "makespan",
        "solvers.grid.makespan:Makespan",
        "grid-step",
        "least makespan: best fit at a bound, else bisection with an integer program",
        "optimum",
        ("makespan", "flow", "load"),
        ("numba", "ortools"),
    ),
    Entry(
        "load",
        "solvers.grid.load:Load",
        "grid-step",
        "least load: a matching that is mostly exact, else an integer program",
        "optimum",
        ("load", "flow", "makespan"),
        ("numba", "ortools"),
    ),
)

_POLICIES = {
    "clds": ("clds:CLDS", "centralised learning: one learner's table of utilities (the paper's method)"),
    "lls": ("least_load:LeastLoad", "each job to the least load, by the live queues"),
    "rs": ("random:RandomSelection", "each job to a random resource"),
    "dmms": ("min_min:MinMin", "min-min by each scheduler, with what it knows"),
    "osl": ("osl:OSL", "each scheduler learns, and shares its table in a ring"),
    "mct": ("earliest:EarliestCompletion", "each job to its earliest completion, by the live queues"),
    "dealt": ("dealt:Dealt", "one learner's table of loads and prices, dealt out among schedulers"),
    "reference": ("reference:Reference", "the optimum of every step, by the true queues"),
}
"""Policies of grid systems, which are one-step rules for grid steps as well."""

_POLICY_ENTRIES = tuple(
    Entry(name, f"solvers.grid.policies.{target}", "grid", summary, "nothing", (), ("numba",))
    for name, (target, summary) in _POLICIES.items()
)
_RULES = tuple(
    dataclasses.replace(entry, kind="grid-step", goals=("flow", "makespan", "load"))
    for entry in _POLICY_ENTRIES
)

_SYSTEM_BOUND = "solvers.grid.system_bound:SystemBound"
_REFERENCE_FLOW = "solvers.grid.policies.reference:least_flow_of"
_BOUNDS = {
    "cloud": "solvers.cloud.cheap_bound:CheapBound",
    "grid-step": "solvers.grid.step_bound:StepBound",
}
_EXPLAINERS = {"cloud": "solvers.cloud.explain:Explain"}
_EXPORTERS = {"cloud": "solvers.cloud.milp.export:Export"}


@cache
def entries() -> tuple[Entry, ...]:
    """All solvers, this project's own first, then those other distributions registered."""
    own = {entry.name for entry in _ENTRIES + _RULES}
    added = [
        Entry(
            point.name,
            point.value,
            "cloud",
            f"from {_origin(point)}",
            "nothing",
            ("makespan", "cost"),
            (),
            _origin(point),
        )
        for point in sorted(metadata.entry_points(group=ENTRY_POINTS), key=lambda point: point.name)
        if point.name not in own
    ]
    return _ENTRIES + _RULES + tuple(added)


def find(name: str) -> Entry:
    """The solver of that name. Raises `UsageError` with the nearest name where there is none."""
    return _named(name, entries(), "solver")


def configure(spec: str, options: Mapping[str, object] | None = None) -> tuple[Entry, dict[str, object]]:
    """Read `"name:option=value;…"`, add `options`, and check them against the solver's fields.

    Returns the entry and the options that were set, in the type the solver declares.
    Raises `UsageError` for an unknown solver or option, a value of the wrong type, or broken syntax.
    """
    return _configured(spec, options, entries(), "solver")


def _named(name: str, among: tuple[Entry, ...], word: str) -> Entry:
    for entry in among:
        if entry.name == name:
            return entry
    names = [entry.name for entry in among]
    raise UsageError(f"unknown {word} {name!r}{nearest(name, names)}; there are: {', '.join(names)}")


def _configured(
    spec: str, options: Mapping[str, object] | None, among: tuple[Entry, ...], word: str
) -> tuple[Entry, dict[str, object]]:
    if not isinstance(spec, str):
        raise UsageError(f"a solver's name is needed, not {spec!r}")
    name, _, tail = spec.partition(":")
    entry = _named(name.strip(), among, word)
    chosen: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in tail.split(";"))):
        key, equals, text = part.partition("=")
        if not equals:
            raise UsageError(f"{word} option {part!r} is not of the form option=value")
        chosen[key.strip()] = text.strip()
    chosen.update(options or {})
    if chosen:
        fields = {field.name: field for field in dataclasses.fields(entry.solver_class())}
        for key, value in chosen.items():
            if key not in fields:
                hint = (
                    f"{nearest(key, list(fields))}; it has: {', '.join(fields)}"
                    if fields
                    else "; it has none"
                )
                raise UsageError(f"{word} {entry.name!r} has no option {key!r}{hint}")
            chosen[key] = _converted(entry.name, key, value, type(fields[key].default))
    return entry, chosen


@cache
def policies() -> tuple[Entry, ...]:
    """All policies of grid systems, this project's own first, then those other distributions registered."""
    own = {entry.name for entry in _POLICY_ENTRIES}
    added = [
        Entry(point.name, point.value, "grid", f"from {_origin(point)}", "nothing", (), (), _origin(point))
        for point in sorted(metadata.entry_points(group=POLICY_ENTRY_POINTS), key=lambda point: point.name)
        if point.name not in own
    ]
    return _POLICY_ENTRIES + tuple(added)


def find_policy(name: str) -> Entry:
    """The policy of that name. Raises `UsageError` with the nearest name where there is none."""
    return _named(name, policies(), "policy")


def configure_policy(
    spec: str, options: Mapping[str, object] | None = None
) -> tuple[Entry, dict[str, object]]:
    """As `configure`, for policies; the options' values are checked, too."""
    entry, chosen = _configured(spec, options, policies(), "policy")
    entry.make_policy(chosen)
    return entry, chosen


def system_bound() -> SystemBound:
    """What bounds the mean ALoR of any policy on a grid system."""
    make = cast("Callable[[], SystemBound]", _load(_SYSTEM_BOUND))
    return make()


def reference_flow() -> Reference:
    """What finds the least total completion time of a step of a grid simulation."""
    return cast("Reference", _load(_REFERENCE_FLOW))


def cheap_bound(kind: str) -> Bound[Any, Any]:
    """The cheap certified bound that goes with every result of that problem kind."""
    make = cast(Callable[[], Bound[Any, Any]], _load(_BOUNDS[kind]))
    return make()


def exporter(kind: str) -> Exporter:
    """What writes instances of that problem kind as integer programs."""
    make = cast(Callable[[], Exporter], _load(_EXPORTERS[kind]))
    return make()


def explainer(kind: str) -> Explainer:
    """What finds the reasons behind an outcome of that problem kind."""
    make = cast(Callable[[], Explainer], _load(_EXPLAINERS[kind]))
    return make()


def nearest(word: str, known: list[str]) -> str:
    """` (did you mean 'x'?)` where a known word is close, else nothing."""
    close = difflib.get_close_matches(word, known, n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _load(target: str) -> object:
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def _origin(point: metadata.EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "an unnamed distribution"


def _converted(solver: str, key: str, value: object, wanted: type) -> object:
    if not isinstance(value, str) or wanted is str:
        return value
    try:
        if wanted is bool:
            return {"true": True, "false": False}[value.lower()]
        return wanted(value)
    except (KeyError, ValueError):
        raise UsageError(
            f"option {key!r} of solver {solver!r}: {value!r} is not of type {wanted.__name__}"
        ) from None
