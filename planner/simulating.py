"""Policies on a grid system, seed after seed: the only place that turns runs into a simulation's results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from planner.errors import PlannerError, SolverCrashed, UsageError
from planner.grid import simulation
from planner.grid.bounds import LoadBound
from planner.grid.metrics import Metrics
from planner.grid.policy import Policy
from planner.grid.simulation import PolicyFault, Reference, run
from planner.grid.step import GridStep, Job, Resource
from planner.grid.system import GridSystem
from planner.grid.valid import refuse_impossible_system
from planner.grid.workload import Workload, draw
from planner.report.names import solver_label
from planner.seeds import seeds_of
from planner.settings import USUAL_POLICIES
from solvers import catalog

if TYPE_CHECKING:
    import pandas as pd

NOT_ASKED = LoadBound(None, None, "not asked for")


@dataclass(frozen=True, slots=True)
class Run:
    """One policy on one seed. `seconds` is wall time of the simulation alone."""

    policy: str
    options: Mapping[str, object]
    seed: int
    steps: int
    bound: LoadBound
    metrics: Metrics
    seconds: float

    @property
    def label(self) -> str:
        """The policy as one would write it: `name`, or `name:option=value;…`."""
        return solver_label(self.policy, self.options)

    @property
    def gap(self) -> float | None:
        """(mean ALoR - bound) / mean ALoR: how much of it no policy could avoid is what is left to 1."""
        if self.bound.mean_alor is None:
            return None
        mean = self.metrics.mean
        return (mean - self.bound.mean_alor) / mean if mean else 0.0


@dataclass(frozen=True, slots=True)
class Simulation:
    """Runs of policies on one system, by seed, then in the order of the policies.

    `bound` is the least of the seeds' certified bounds on the mean ALoR of any policy. `errors` are those of
    runs that failed and are missing, `failed` their (policy, seed) in the same order; `unfinished` names
    those that an interrupt left out.
    """

    system: GridSystem
    runs: tuple[Run, ...]
    bound: LoadBound
    errors: tuple[PlannerError, ...] = ()
    unfinished: tuple[tuple[str, int], ...] = ()
    failed: tuple[tuple[str, int], ...] = ()

    @property
    def policies(self) -> dict[str, list[Run]]:
        """The runs by policy, in the order in which these were asked for."""
        found: dict[str, list[Run]] = {}
        for one in self.runs:
            found.setdefault(one.label, []).append(one)
        return found

    @property
    def frame(self) -> pd.DataFrame:
        """One row a run; `planner.report.simulation.COLUMNS` has its columns and describes each."""
        import pandas as pd

        from planner.report.simulation import COLUMNS, rows

        return pd.DataFrame(rows(self), columns=list(COLUMNS))

    @property
    def series(self) -> pd.DataFrame:
        """ALoR step by step: a row a step, a column for each (policy, seed)."""
        import pandas as pd

        columns = pd.MultiIndex.from_tuples(
            [(one.label, one.seed) for one in self.runs], names=["policy", "seed"]
        )
        data = {index: one.metrics.series for index, one in enumerate(self.runs)}
        frame = pd.DataFrame(data)
        frame.columns = columns
        return frame.rename_axis("step")

    def __str__(self) -> str:
        """The table that `planner simulate` prints."""
        from planner.report.layout import plain
        from planner.report.simulation import simulation_table

        return plain(simulation_table(self))

    def _repr_html_(self) -> str:
        html: str = self.frame.to_html(index=False, na_rep="", border=0)
        return html


def simulate(
    system: GridSystem | str | Path,
    policies: str | Iterable[str] = USUAL_POLICIES,
    *,
    seeds: str | int | Iterable[int] | None = None,
    reference: bool = False,
    bound: bool = True,
    on_start: Callable[[str, int], None] | None = None,
    on_step: Callable[[int], None] | None = None,
    on_run: Callable[[Run], None] | None = None,
) -> Simulation:
    """Run every policy on every seed of a system, or of the file that holds it.

    `policies` are catalog names with options, as in `"clds:alpha=0.2"` (one text may name several, separated
    by commas). `seeds` is a number, several, or text as in "1-10"; None: the system's own. All policies of
    one seed see the same arrivals, lengths and capacities. `reference` finds the regret of each step against
    the least flow; `bound` the certified bound on the mean ALoR of any policy. `on_start` is told the
    policy and seed of each run before it, `on_step` how many of its steps are done, `on_run` what came of it.

    A policy that fails on a seed makes an error, and the others go on. Ctrl-C ends it with what there is.
    Raises `InputError` (the file) and `UsageError` before anything runs, `Unsupported` where the system has
    more jobs than memory can hold.
    """
    system = _read(system)
    made = {solver_label(entry.name, options): (entry, options) for entry, options in _configured(policies)}
    names = list(made)
    chosen = seeds_of(system.seed if seeds is None else seeds)
    cells = [(name, seed) for seed in chosen for name in names]
    found = _Found(system)
    best = catalog.reference_flow() if reference else None
    try:
        for seed in chosen:
            workload = draw(system, seed)
            limit = catalog.system_bound().lower(workload) if bound else NOT_ASKED
            found.bounds.append(limit)
            for name in names:
                if on_start is not None:
                    on_start(name, seed)
                entry, options = made[name]
                outcome = _cell(workload, entry, options, limit, best, on_step)
                found.done += 1
                if isinstance(outcome, Run):
                    found.runs.append(outcome)
                    if on_run is not None:
                        on_run(outcome)
                else:
                    found.errors.append(outcome)
                    found.failed.append((name, seed))
    except KeyboardInterrupt:
        if not found.runs:
            raise
    return found.simulation(cells)


def _configured(policies: str | Iterable[str]) -> list[tuple[catalog.Entry, dict[str, object]]]:
    return [catalog.configure_policy(name) for name in policy_names(policies)]


def snapshot(system: GridSystem | str | Path, policy: str, step: int, *, seed: int | None = None) -> GridStep:
    """One step of a simulation as a problem of its own: the queues as the policy left them, and new jobs.

    Numbers are the doubles of the simulation, as they are printed. Resources without capacity are left out.
    With `clds` they carry the utilities it has learnt. Raises `UsageError` for an unknown policy and a step
    that the system does not have. `system` may be the file that holds it; `seed` None: the system's own.
    """
    system = _read(system)
    if not 0 <= step < system.steps:
        raise UsageError(f"there is no step {step}: {system.name} has 0 to {system.steps - 1}")
    entry, options = catalog.configure_policy(policy)
    chosen = system.seed if seed is None else seed
    taken = simulation.snapshot(draw(system, chosen), entry.make_policy(options), step)
    resources = [
        Resource(name, _exact(capacity), _exact(work), utility)
        for name, capacity, work, utility in zip(
            system.resource_names,
            taken.capacity.tolist(),
            taken.work.tolist(),
            [None] * taken.work.size if taken.utility is None else map(_exact, taken.utility.tolist()),
            strict=True,
        )
        if capacity > 0
    ]
    jobs = [
        Job(f"j{number}", _exact(length), system.schedulers[scheduler].name)
        for number, (scheduler, length) in enumerate(
            zip(taken.scheduler.tolist(), taken.length.tolist(), strict=True), start=1
        )
    ]
    label = solver_label(entry.name, options)
    return GridStep(f"{system.name}-{label}-{step}", tuple(resources), tuple(jobs))


def _read(system: GridSystem | str | Path) -> GridSystem:
    """The system itself, or that in the file."""
    if isinstance(system, GridSystem):
        refuse_impossible_system(system)
        return system
    from planner.files import read_system  # the reader's libraries are not needed for systems made in memory

    return read_system(system)


def _exact(value: float) -> Fraction:
    """The double as the shortest decimal that stands for it."""
    return Fraction(repr(value))


def policy_names(policies: str | Iterable[str]) -> list[str]:
    """The policies asked for, each once; one text may name several, separated by commas."""
    texts = [policies] if isinstance(policies, str) or not isinstance(policies, Iterable) else list(policies)
    for text in texts:
        if not isinstance(text, str):
            raise UsageError(
                f"policies are named by text, not by {type(text).__name__} objects; one of your own is found "
                "by its name when a distribution registers it (docs/simulation.md)"
            )
    names = [name.strip() for text in texts for name in text.split(",")]
    if not names or not all(names):
        raise UsageError("no policy is named" if not any(names) else f"an empty name in {','.join(texts)!r}")
    return list(dict.fromkeys(names))


@dataclass
class _Found:
    """What there is so far."""

    system: GridSystem
    runs: list[Run] = field(default_factory=list)
    errors: list[PlannerError] = field(default_factory=list)
    failed: list[tuple[str, int]] = field(default_factory=list)
    bounds: list[LoadBound] = field(default_factory=list)
    done: int = 0

    def simulation(self, cells: list[tuple[str, int]]) -> Simulation:
        """All of it, with the least bound of the seeds."""
        none = next((bound for bound in self.bounds if bound.mean_alor is None), None)
        least = min(self.bounds, key=lambda bound: bound.mean_alor or 0.0, default=NOT_ASKED)
        return Simulation(
            self.system,
            tuple(self.runs),
            none or least,
            tuple(self.errors),
            tuple(cells[self.done :]),
            tuple(self.failed),
        )


def _cell(
    workload: Workload,
    entry: catalog.Entry,
    options: dict[str, object],
    bound: LoadBound,
    reference: Reference | None,
    on_step: Callable[[int], None] | None,
) -> Run | PlannerError:
    started = time.perf_counter()
    try:
        policy: Policy = entry.make_policy(options)
        metrics = run(workload, policy, reference=reference, on_step=on_step)
    except PolicyFault as error:
        return PolicyFault(f"policy {entry.name!r}, seed {workload.seed}: {error}")
    except PlannerError as error:
        return error
    except (Exception, SystemExit) as error:
        crash = SolverCrashed(
            f"policy {entry.name!r} failed, seed {workload.seed}: {type(error).__name__}: {error}"
        )
        crash.__cause__ = error
        return crash
    seconds = time.perf_counter() - started
    return Run(entry.name, options, workload.seed, workload.steps, bound, metrics, seconds)
