"""`planner frontier`: the trade-off between budget and makespan."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from planner import files
from planner.budgets import MOST_BUDGETS, budgets_of
from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console, refuse_unwritable
from planner.cli.progress import Watch
from planner.files.numbers import nearest
from planner.goal import Goal
from planner.report.frontier import frontier_csv, frontier_table
from planner.result import Result, Status
from planner.tradeoff import POINTS, Frontier, Point, frontier

FORMAT = "planner/frontier/1"
MANY_TASKS = 20_000  # with more of them proofs are rare


@click.command("frontier", cls=Command)
@click.argument("path", metavar="INSTANCE")
@click.option(
    "--budgets",
    metavar="A:B:STEP",
    help="The budgets: first:last:step, ends included, or amounts with commas between them.",
)
@click.option(
    "--points",
    type=options.Whole(),
    metavar="N",
    help="At most so many budgets: all steps if those are few, else the most telling.  "
    f"[default: {POINTS}; 2<=x<={MOST_BUDGETS}]",
)
@click.option("--from", "low", metavar="A", help="First budget.  [default: the least budget that works]")
@click.option(
    "--to", "high", metavar="B", help="Last budget.  [default: the budget beyond which nothing gets faster]"
)
@click.option(
    "--solver", default="exact", show_default=True, metavar="NAME[:OPTION=VALUE;...]", help="Which solver."
)
@click.option(
    "--overlay",
    multiple=True,
    metavar="A,B",
    help="Other solvers to show at the same budgets, as in heuristic,mi,mp.",
)
@click.option("--csv", "csv_file", metavar="FILE", help="Also write all rows to FILE as CSV.")
@click.option("--svg", "svg_file", metavar="FILE.svg", help="Also draw a step plot, as SVG.")
@click.option("--png", "png_file", metavar="FILE.png", help="Also draw a step plot, as PNG.")
@options.spending("Seconds of wall time for the whole call, all points together.")
@options.printing
@click.pass_obj
def command(
    console: Console,
    path: str,
    budgets: str | None,
    points: int | None,
    low: str | None,
    high: str | None,
    solver: str,
    overlay: tuple[str, ...],
    csv_file: str | None,
    svg_file: str | None,
    png_file: str | None,
    time_limit: float | None,
    workers: int,
    seed: int,
    as_json: bool,
) -> int:
    """Show the least makespan for each budget: a file, or - for stdin.

    The instance's own budget plays no part; its deadline and limits bind. Without --budgets the points are
    chosen between --from and --to: all budgets at which the makespan falls, where those are no more than
    --points, else always the one that halves the largest box between two neighbours.

    The code is 0 when every point has an answer, 4 when no budget works, 5 when some point has neither a plan
    nor a proof. Ctrl-C prints the points so far, with code 130.
    """
    for file, option, ending in (
        (csv_file, "--csv", ""),
        (svg_file, "--svg", ".svg"),
        (png_file, "--png", ".png"),
    ):
        if file is not None:
            refuse_unwritable(file, option, ending)
    instance = files.read_cloud(path)
    for warning in files.warnings(instance):
        console.warning(f"{instance.name}: {warning}")
    if time_limit is None and solver == "exact" and instance.task_count > MANY_TASKS:
        console.warning(
            f"{instance.task_count:,} tasks: to prove every point may take hours; --solver rounding has good "
            "ones in seconds, and --time-limit S ends it"
        )
    runs = len(budgets_of(budgets)) if budgets is not None else (points or POINTS)
    with Watch(console, Goal.MAKESPAN, runs) as watch:
        found = frontier(
            instance,
            budgets=budgets,
            points=points,
            low=low,
            high=high,
            solver=solver,
            overlay=overlay,
            time_limit=time_limit,
            workers=workers,
            seed=seed,
            progress=watch,
            on_start=watch.start,
            on_result=watch.finish,
        )
    for error in found.errors:
        console.error(str(error))
        console.trace(error)
    for result in _results(found):
        console.crash(result)
    if as_json:
        console.result(files.dumps(_wire(found)) + "\n")
    else:
        console.show(frontier_table(found, console.width))
    _write(console, found, csv_file, svg_file, png_file)
    return _code(found, console)


def _write(
    console: Console, found: Frontier, csv_file: str | None, svg_file: str | None, png_file: str | None
) -> None:
    if csv_file is not None:
        console.write_file(csv_file, frontier_csv(found))
    if svg_file is None and png_file is None:
        return
    from planner.report.figures import frontier_png, frontier_svg

    if svg_file is not None:
        console.write_file(svg_file, frontier_svg(found))
    if png_file is not None:
        console.write_file(png_file, frontier_png(found))


def _results(found: Frontier) -> list[Result[Any]]:
    """Those of all points, the overlays' included."""
    rows = (found.points, *found.overlays.values())
    return [point.result for points in rows for point in points]


def _code(found: Frontier, console: Console) -> int:
    statuses = [point.result.status for point in found.points]
    ends = [error.exit_code for error in found.errors]
    if found.interrupted:
        left = f"; {len(found.unfinished)} budgets have no point" if found.unfinished else ""
        console.error(f"interrupted{left}")
        ends.append(codes.INTERRUPTED)
    if all(status is Status.INFEASIBLE for status in statuses):
        ends.append(codes.of(found.points[0].result))
    ends += [codes.of(point.result) for point in found.points if point.result.status is Status.UNKNOWN]
    ends += [codes.of(result) for result in _results(found) if codes.crashed(result)]
    return codes.worst(ends)


def _wire(found: Frontier) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "instance": found.instance.name,
        "instance_sha256": found.instance.sha256,
        "complete": found.complete,
        "least_budget": None if found.least_budget is None else str(found.least_budget),
        "points": _points(found.points),
        "overlays": {name: _points(points) for name, points in found.overlays.items()},
    }


def _points(points: Iterable[Point]) -> list[dict[str, Any]]:
    return [
        {
            "budget": nearest(point.budget),
            "exact_budget": str(point.budget),
            "result": files.to_wire(point.result),
        }
        for point in points
    ]
