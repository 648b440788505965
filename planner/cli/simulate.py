"""`planner simulate`: policies on a grid system, step after step."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

import click

from planner import files
from planner.cli import codes, options, reporting
from planner.cli.command import Command
from planner.cli.console import Console, refuse_unwritable
from planner.cli.moving import moving
from planner.errors import Unsupported, UsageError
from planner.report.names import visible
from planner.settings import USUAL_POLICIES

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from planner.simulating import Run, Simulation


@click.command("simulate", cls=Command)
@click.argument("path", metavar="SYSTEM")
@click.option(
    "--policies",
    multiple=True,
    default=USUAL_POLICIES,
    metavar="A,B:OPTION=VALUE;...,C",
    help="Which policies, separated by commas; may be repeated.  "
    f"[default: {','.join(USUAL_POLICIES)}; 'planner solvers' lists all]",
)
@click.option(
    "--seeds", metavar="A-B", help="Seeds, as in 1-10 or 1,2,5.  [default: the file's seed, else 1]"
)
@click.option("--seed", type=int, metavar="N", help="One seed.")
@click.option("--reference", is_flag=True, help="Also find each step's regret against the least flow.")
@click.option("--no-bound", is_flag=True, help="Do not compute the certified bound on the mean ALoR.")
@click.option("--series", is_flag=True, help="With --json: ALoR of every step.")
@click.option("--csv", "csv_file", metavar="FILE", help="Also write all runs to FILE as CSV.")
@click.option("--svg", "svg_file", metavar="FILE.svg", help="Also draw ALoR over time, as SVG.")
@click.option("--png", "png_file", metavar="FILE.png", help="Also draw ALoR over time, as PNG.")
@reporting.option
@options.printing
@click.pass_obj
def command(
    console: Console,
    path: str,
    policies: tuple[str, ...],
    seeds: str | None,
    seed: int | None,
    reference: bool,
    no_bound: bool,
    series: bool,
    csv_file: str | None,
    svg_file: str | None,
    png_file: str | None,
    report_file: str | None,
    as_json: bool,
) -> int:
    """Simulate policies on a grid system: a file, or - for stdin.

    All policies of one seed see the same arrivals, lengths and capacities. ALoR is the mean over resources of
    work left / capacity, recorded in each step before service; the gap is to a certified bound that no
    policy's mean can beat, even one that knows the future.

    The code is 0 when every run has a result. Ctrl-C prints what was simulated, with code 130.
    """
    if seeds is not None and seed is not None:
        raise UsageError("--seed and --seeds cannot be given together")
    from planner.report.simulation import simulation_table, to_wire  # numpy is not needed for the help
    from planner.seeds import seeds_of
    from planner.simulating import policy_names, simulate

    names = policy_names(policies)
    for file, option, ending in (
        (csv_file, "--csv", ""),
        (svg_file, "--svg", ".svg"),
        (png_file, "--png", ".png"),
    ):
        if file is not None:
            refuse_unwritable(file, option, ending)
    reporting.refuse(report_file)
    system = files.read_system(path)
    for warning in files.warnings(system):
        console.warning(f"{system.name}: {warning}")
    chosen = seeds_of(next((given for given in (seeds, seed) if given is not None), system.seed))
    with _Watch(console, system.steps, len(names) * len(chosen)) as watch:
        simulation = simulate(
            system,
            names,
            seeds=chosen,
            reference=reference,
            bound=not no_bound,
            on_start=watch.start,
            on_step=watch.step,
            on_run=watch.finish,
        )
    for error in simulation.errors:
        console.error(str(error))
        console.trace(error)
    if as_json:
        console.result(files.dumps(to_wire(simulation, series=series)) + "\n")
    else:
        console.show(simulation_table(simulation, console.width))
    _write(console, simulation, csv_file, svg_file, png_file)
    if report_file is not None:
        from planner.report.conversion import of_simulation

        reporting.write(console, report_file, of_simulation(simulation, reporting.command()))
    return _code(console, simulation)


class _Watch:
    """A bar over all steps of all runs on a terminal, a line a run with -v, else nothing."""

    def __init__(self, console: Console, steps: int, runs: int) -> None:
        self._console, self._steps, self._runs = console, steps, runs
        self._done = 0
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> _Watch:
        if self._console.interactive:
            self._progress = _bar()
            self._progress.start()
            self._task = self._progress.add_task("", total=self._steps * self._runs)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

    def start(self, policy: str, seed: int) -> None:
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, description=f"{visible(policy)}, seed {seed}")

    def step(self, done: int) -> None:
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=self._done * self._steps + done)

    def finish(self, run: Run) -> None:
        self._done += 1
        self.step(0)
        self._console.detail(
            f"{run.seconds:8.2f} s  {run.label}, seed {run.seed}: mean ALoR {run.metrics.mean:.4g}"
        )


def _bar() -> Progress:
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    return moving(
        BarColumn(bar_width=24),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )


def _write(
    console: Console, simulation: Simulation, csv_file: str | None, svg_file: str | None, png_file: str | None
) -> None:
    if csv_file is not None:
        from planner.report.simulation import as_csv

        console.write_file(csv_file, as_csv(simulation))
    if svg_file is None and png_file is None:
        return
    if not simulation.runs:
        console.warning("there is no run to draw")
        return
    from planner.report.simulation_figure import simulation_png, simulation_svg

    if svg_file is not None:
        console.write_file(svg_file, simulation_svg(simulation))
    if png_file is not None:
        console.write_file(png_file, simulation_png(simulation))


def _code(console: Console, simulation: Simulation) -> int:
    # Unsupported is an answer, as in compare, unless it is the only one.
    told = [error for error in simulation.errors if not (simulation.runs and isinstance(error, Unsupported))]
    ends = [error.exit_code for error in told]
    if simulation.unfinished:
        console.error(f"interrupted; {len(simulation.unfinished)} runs are missing")
        ends.append(codes.INTERRUPTED)
    return codes.worst(ends)
