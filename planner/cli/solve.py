"""`planner solve`: plan instances with one solver."""

from __future__ import annotations

from typing import Any

import click

from planner import files
from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console, refuse_unwritable
from planner.cli.progress import Watch
from planner.comparison import gather
from planner.errors import BackendMissing, InputError, PlannerError, Unsupported, UsageError
from planner.goal import Goal
from planner.kinds import Instance, kind_of
from planner.report.layout import cells
from planner.report.names import visible
from planner.report.single import result_block, result_lines
from planner.result import Result, StoppedBy
from planner.run import require, result_of, solve


@click.command("solve", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="INSTANCE...")
@click.option(
    "--solver",
    metavar="NAME[:OPTION=VALUE;...]",
    help="Which solver; 'planner solvers' lists them.  [default: exact; for grid steps: assignment]",
)
@click.option(
    "--backend", metavar="NAME", help="Backend of solver milp, as CBC or HiGHS; chooses that solver, too."
)
@click.option(
    "--plan", "plan_file", metavar="FILE", help="Also write the plan alone to FILE (one instance only)."
)
@options.effort("Seconds of wall time for each instance.")
@options.printing
@click.pass_obj
def command(
    console: Console,
    paths: tuple[str, ...],
    solver: str | None,
    backend: str | None,
    plan_file: str | None,
    objective: str | None,
    time_limit: float | None,
    workers: int,
    seed: int,
    as_json: bool,
) -> int:
    """Plan instances: files, folders, or - for stdin.

    One instance is shown in full; cost and tasks are those of all VMs of a row together. Several give one
    entry each (with --json one JSON result a line), and the code is that of the worst outcome. An invalid
    file is told and does not stop the others (compare runs nothing then); in folders, plans, results and the
    like are skipped.

    Ctrl-C prints the best plan so far. With several instances it ends the batch, with code 130 where some are
    left.
    """
    solver = _chosen(solver, backend)
    if solver is not None:
        require(solver)
    instances, errors = gather(paths, console.skipped)
    if plan_file is not None:
        if len(instances) + len(errors) > 1:
            raise UsageError("--plan takes the plan of one instance, and several are given")
        refuse_unwritable(plan_file, "--plan")
    run = _Runs(
        console, solver, None if objective is None else Goal(objective), time_limit, workers, seed, as_json
    )
    if len(instances) + len(errors) > 1:
        return run.several(instances, errors)
    if errors:
        raise errors[0]
    return run.single(instances[0], plan_file)


class _Runs:
    """Runs of one solver with the same settings."""

    def __init__(
        self,
        console: Console,
        solver: str | None,
        goal: Goal | None,
        time_limit: float | None,
        workers: int,
        seed: int,
        as_json: bool,
    ) -> None:
        self._console, self._solver, self._goal, self._json = console, solver, goal, as_json
        self._time_limit, self._workers, self._seed = time_limit, workers, seed

    def single(self, instance: Instance, plan_file: str | None) -> int:
        """Solve one instance and show it in full; unsupported leaves stdout empty."""
        _warn(self._console, instance)
        with Watch(self._console, self._goal, 1) as watch:
            result, error = self._run(instance, watch)
        if isinstance(error, Unsupported | BackendMissing):
            raise error
        if error is not None:
            self._console.error(str(error))
            self._console.trace(error)
        self._console.crash(result)
        if self._json:
            self._console.result(files.dumps(result) + "\n")
        else:
            self._console.show(result_block(result, instance, self._console.width))
        if plan_file is not None:
            if result.plan is None:
                self._console.warning(f"there is no plan to write to {plan_file}")
            else:
                self._console.write_file(plan_file, files.dumps(result.plan, indent=2) + "\n")
        return codes.of(result, error)

    def several(self, instances: list[Instance], errors: list[InputError]) -> int:
        """Solve instances one after the other, a line each, whatever becomes of the others."""
        ends = [error.exit_code for error in errors]
        for fault in errors:
            self._console.failure(fault)
        width = max((cells(visible(instance.name)) for instance in instances), default=0)
        with Watch(self._console, self._goal, len(instances)) as watch:
            for index, instance in enumerate(instances):
                _warn(self._console, instance)
                try:
                    result, error = self._run(instance, watch)
                except KeyboardInterrupt:
                    return self._interrupted(len(instances) - index)
                if error is not None and not isinstance(error, Unsupported):  # its line says that
                    self._console.error(str(error))
                    self._console.trace(error)
                self._console.crash(result)
                ends.append(codes.of(result, error))
                if self._json:
                    self._console.result(files.dumps(result) + "\n")
                else:
                    self._console.show(result_lines(result, width, self._console.width))
                if self._console.reader_gone:
                    break
                if result.stopped_by is StoppedBy.INTERRUPTED and index + 1 < len(instances):
                    return self._interrupted(len(instances) - index - 1)
        return codes.worst(ends)

    def _interrupted(self, left: int) -> int:
        self._console.error(f"interrupted; {left} instances were not solved")
        return codes.INTERRUPTED

    def _run(self, instance: Instance, watch: Watch) -> tuple[Result[Any], PlannerError | None]:
        watch.start(instance, self._solver or kind_of(instance).solver)
        try:
            result = solve(
                instance,
                self._solver,
                goal=self._goal,
                time_limit=self._time_limit,
                workers=self._workers,
                seed=self._seed,
                progress=watch,
            )
        except UsageError:
            raise
        except PlannerError as error:
            result = result_of(error, instance, self._solver, goal=self._goal, seed=self._seed)
            watch.finish(result)
            return result, error
        watch.finish(result)
        return result, None


def _chosen(solver: str | None, backend: str | None) -> str | None:
    """The solver with its options; a backend belongs to solver milp."""
    if backend is None:
        return solver
    chosen = solver or "milp"
    return f"{chosen}{';' if ':' in chosen else ':'}backend={backend}"


def _warn(console: Console, instance: Instance) -> None:
    for warning in files.warnings(instance):
        console.warning(f"{instance.name}: {warning}")
