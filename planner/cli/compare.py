"""`planner compare`: several solvers on several instances."""

from __future__ import annotations

import click

from planner import files
from planner.cli import codes, options, reporting
from planner.cli.command import Command
from planner.cli.console import Console, refuse_unwritable
from planner.cli.progress import Watch
from planner.comparison import Comparison, compare, read_all, solver_names, usual_solvers
from planner.goal import Goal
from planner.kinds import CLOUD, GRID_STEP
from planner.report.rows import as_csv
from planner.report.tables import comparison_table

FORMAT = "planner/comparison/1"


@click.command("compare", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="INSTANCE...")
@click.option(
    "--solvers",
    multiple=True,
    metavar="A,B:OPTION=VALUE;...,C",
    help="Which solvers, separated by commas; may be repeated.  "
    f"[default: {','.join(CLOUD.compared)}, of these those that can minimise the objective; for grid steps "
    f"{','.join(GRID_STEP.compared)}]",
)
@click.option("--csv", "csv_file", metavar="FILE", help="Also write all rows to FILE as CSV.")
@reporting.option
@options.effort("Seconds of wall time for each solver on each instance.")
@options.printing
@click.pass_obj
def command(
    console: Console,
    paths: tuple[str, ...],
    solvers: tuple[str, ...],
    csv_file: str | None,
    report_file: str | None,
    objective: str | None,
    time_limit: float | None,
    workers: int,
    seed: int,
    as_json: bool,
) -> int:
    """Compare solvers on instances: files, folders, or - for stdin.

    The best bound that any solver proves counts for all of them, so gaps are to the proven optimum where
    one of them is exact. An invalid file is told with all its faults, and nothing runs; in folders, plans,
    results and the like are skipped. The code is 0 when
    every cell has an answer, whatever its status; a failed cell gives its own code. Ctrl-C prints the table
    so far, and the code is 130 where cells are left.
    """
    names = solver_names(solvers) if solvers else None
    if csv_file is not None:
        refuse_unwritable(csv_file, "--csv")
    reporting.refuse(report_file)
    instances = read_all(paths, console.skipped)
    for instance in instances:
        for warning in files.warnings(instance):
            console.warning(f"{instance.name}: {warning}")
    goal = None if objective is None else Goal(objective)
    cells = sum(len(names or usual_solvers(instance, goal)) for instance in instances)
    with Watch(console, goal, cells) as watch:
        comparison = compare(
            instances,
            names,
            goal=goal,
            time_limit=time_limit,
            workers=workers,
            seed=seed,
            progress=watch,
            on_start=watch.start,
            on_result=watch.finish,
        )
    for error in comparison.errors:
        console.error(str(error))
        console.trace(error)
    for result in comparison.results:
        console.crash(result)
    if comparison.unfinished and not comparison.results:
        return _code(comparison, console)  # nothing came of it: files of earlier runs stay as they are
    if as_json:
        results = [files.to_wire(result) for result in comparison.results]
        console.result(files.dumps({"format": FORMAT, "results": results}) + "\n")
    else:
        console.show(comparison_table(comparison.results, console.width))
    if csv_file is not None:
        console.write_file(csv_file, as_csv(comparison.results))
    if report_file is not None:
        from planner.report.conversion import of_comparison

        reporting.write(console, report_file, of_comparison(comparison, instances, reporting.command()))
    return _code(comparison, console)


def _code(comparison: Comparison, console: Console) -> int:
    ends = [error.exit_code for error in comparison.errors]
    if comparison.unfinished:
        total = len(comparison.unfinished) + len(comparison.results)
        console.error(f"interrupted; {len(comparison.unfinished)} of {total} cells have no result")
        ends.append(codes.INTERRUPTED)
    ends += [codes.of(result) for result in comparison.results if codes.crashed(result)]
    return codes.worst(ends)
