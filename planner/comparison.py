"""Run several solvers on several instances, and put together what they say about each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from planner import files
from planner.cloud.instance import CloudInstance
from planner.errors import CheckFailed, InputError, PlannerError, SimulationNeeded, UsageError
from planner.goal import Goal
from planner.grid.step import GridStep
from planner.kinds import Instance, kind_of
from planner.report.rows import COLUMNS, rows
from planner.result import Result, Seconds, Status, StoppedBy
from planner.run import as_goal, refuse_invalid, require, result_of, solve
from planner.settings import refuse_settings
from planner.sharing import share
from planner.solver import Progress, TimeLimit
from planner.summary import SolverSummary, summarise
from solvers import catalog

if TYPE_CHECKING:
    import pandas as pd

    from planner.grid.system import GridSystem

Place: TypeAlias = "Instance | GridSystem | str | Path"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Results of several solvers on several instances, by instance, then in the order of the solvers.

    `errors` are those of the failed results, in their order; `unfinished` names the (instance, solver) cells
    that an interrupt left without a result.
    """

    results: tuple[Result[Any], ...]
    errors: tuple[PlannerError, ...] = ()
    unfinished: tuple[tuple[str, str], ...] = ()

    @property
    def frame(self) -> pd.DataFrame:
        """One row a result; the columns are those of `planner.report.rows.COLUMNS`, which describes each."""
        import pandas as pd

        return pd.DataFrame(rows(self.results), columns=list(COLUMNS))

    def summary(self) -> tuple[SolverSummary, ...]:
        """What the results say about each solver."""
        return summarise(self.results)

    def __str__(self) -> str:
        """The table that `planner compare` prints."""
        from planner.report.tables import as_text, comparison_table

        return as_text(comparison_table(self.results))

    def _repr_html_(self) -> str:
        from planner.report.tables import as_html

        return as_html(self.results)


def compare(
    instances: Place | Iterable[Place],
    solvers: str | Iterable[str] | None = None,
    *,
    goal: Goal | str | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 1,
    progress: Progress[Any] | None = None,
    on_start: Callable[[Instance, str], None] | None = None,
    on_result: Callable[[Result[Any]], None] | None = None,
) -> Comparison:
    """Run every solver on every instance and share the certified bounds among the results of an instance.

    `instances` are instances, files or folders (in which plans and results are skipped); `solvers` catalog
    names with options, as in `planner.solve` (one text may name several, separated by commas). `goal` None is
    each solver's own. Without solvers they are the usual ones of each instance's kind that can minimise the
    goal, which then is the first of the kind: makespan, or the flow of a grid step. `time_limit` is in
    seconds for each cell. `on_start` is called before each cell and `on_result` after it, with the result as
    it came, before bounds are shared.

    A solver that fails makes a `failed` result and the comparison goes on. Ctrl-C ends it with what there is.
    Raises `InputError` with all faults of all files, `UsageError` and `BackendMissing`, before anything runs.
    """
    refuse_settings(time_limit, workers, seed)
    names = None if solvers is None else solver_names(solvers)
    wanted = None if goal is None else as_goal(goal)
    for name in names or ():
        require(name)
    problems = read_all(instances)
    for problem in problems:
        refuse_invalid(problem)
    results: list[Result[Any]] = []
    errors: list[PlannerError] = []
    cells = [(problem, name) for problem in problems for name in names or usual_solvers(problem, wanted)]
    for problem in problems:
        aim = kind_of(problem).goals[0] if names is None and wanted is None else wanted
        own: list[Result[Any]] = []
        raised: list[PlannerError | None] = []
        interrupted = False
        for name in names or usual_solvers(problem, wanted):
            if on_start is not None:
                on_start(problem, name)
            try:
                result, error = _cell(problem, name, aim, time_limit, workers, seed, progress)
            except KeyboardInterrupt:
                interrupted = True
                break
            own.append(result)
            raised.append(error)
            if on_result is not None:
                on_result(result)
            if result.stopped_by is StoppedBy.INTERRUPTED:
                interrupted = True
                break
        shared = share(own)
        errors += [found for new, error in zip(shared, raised, strict=True) if (found := _error(new, error))]
        results += shared
        if interrupted:
            left = tuple((problem.name, name) for problem, name in cells[len(results) :])
            return Comparison(tuple(results), tuple(errors), left)
    return Comparison(tuple(results), tuple(errors))


def usual_solvers(instance: Instance, goal: Goal | None) -> list[str]:
    """Those compared where none are named: the usual ones of the kind that can minimise the goal."""
    return [
        name for name in kind_of(instance).compared if goal is None or goal.value in catalog.find(name).goals
    ]


def solver_names(solvers: str | Iterable[str]) -> list[str]:
    """The solvers asked for, each once; one text may name several, separated by commas."""
    texts = [solvers] if isinstance(solvers, str) else list(solvers)
    names = [name.strip() for text in texts for name in text.split(",")]
    if not any(names):
        raise UsageError("no solver is named")
    if not all(names):
        raise UsageError(f"an empty solver name in {','.join(texts)!r}")
    return list(dict.fromkeys(names))


def read_all(
    instances: Place | Iterable[Place], skipped: Callable[[Path, str], None] | None = None
) -> list[Instance]:
    """The instances that `gather` finds. Raises one `InputError` with the faults of all files."""
    found, errors = gather(instances, skipped)
    if errors:
        raise InputError.joined(errors)
    if not found:
        raise UsageError("no instance is given")
    return found


def gather(
    instances: Place | Iterable[Place], skipped: Callable[[Path, str], None] | None = None
) -> tuple[list[Instance], list[InputError]]:
    """Read files and the instances in folders, each file once, and say what is wrong with the others.

    What is an instance already is taken as it is. `skipped` is told each file of a folder that is no instance
    but a plan, a result or the like, and its format.
    """
    places: list[Place]
    if isinstance(instances, str) or not isinstance(instances, Iterable):
        places = [instances]
    else:
        places = list(instances)
    found: list[Instance] = []
    errors: list[InputError] = []
    seen: set[Path] = set()
    for place in places:
        if isinstance(place, CloudInstance | GridStep):
            found.append(place)
            continue
        if not isinstance(place, str | Path):
            errors.append(SimulationNeeded(place.name))
            continue
        try:
            paths = files.find_instances([place], skipped)
        except InputError as error:
            errors.append(error)
            continue
        for path in paths:
            if path.resolve() in seen:
                continue
            seen.add(path.resolve())
            try:
                found.append(files.read_instance(path))
            except InputError as error:
                errors.append(error)
    return found, errors


def _cell(
    instance: Instance,
    solver: str,
    goal: Goal | None,
    time_limit: float | None,
    workers: int,
    seed: int,
    progress: Progress[Any] | None,
) -> tuple[Result[Any], PlannerError | None]:
    watch = TimeLimit()
    try:
        result = solve(
            instance, solver, goal=goal, time_limit=time_limit, workers=workers, seed=seed, progress=progress
        )
    except UsageError:
        raise
    except PlannerError as error:
        failed = result_of(error, instance, solver, goal=goal, seed=seed)
        return replace(failed, seconds=Seconds(total=watch.elapsed)), error
    return result, None


def _error(result: Result[Any], raised: PlannerError | None) -> PlannerError | None:
    """The error of a failed result; a contradiction found while sharing is a failed check."""
    if result.status is not Status.FAILED:
        return None
    return raised if raised is not None else CheckFailed([result.message or "failed"])
