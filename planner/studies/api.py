"""`planner.study`: run what is missing of a study, and look at all that there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from planner.report.records import Record, Reported
from planner.studies.cells import Plan, shard_of
from planner.studies.claims import Claimer
from planner.studies.collecting import command_of, records_of, reported
from planner.studies.engine import LOCAL, Where, engine_of, environment_of
from planner.studies.planning import Given, planned, store_of
from planner.studies.problems import Skipped
from planner.studies.running import Counts, counts, missing, run_missing
from planner.studies.store import Store
from planner.studies.task import Outcome, State, Task

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class StudyResult:
    """A study with what came of it so far.

    `counts`, `records` and `failures` are of all its cells, those of other runs included, where a record is
    one cell that ran; records are read from the store when they are first asked for, as they may be many.
    `failure_codes` are the exit codes of the failures among the cells that this run was for. `interrupted`:
    Ctrl-C ended this run, and cells are pending.
    """

    plan: Plan
    store: Path
    counts: Counts
    failure_codes: tuple[int, ...] = ()
    interrupted: bool = False

    @property
    def frame(self) -> pd.DataFrame:
        """One row a cell that ran; `planner.studies.frames.columns()` describes each."""
        from planner.studies.frames import frame_of

        return frame_of(self.records)

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """The cells that ran, in the order of the cells."""
        with Store(self.store, write=False) as store:
            return records_of(self.plan.cells, store)

    @cached_property
    def failures(self) -> tuple[Record, ...]:
        """The cells that gave no answer."""
        with Store(self.store, write=False) as store:
            return records_of(self.plan.cells, store, [State.FAILED])

    def reported(self) -> Reported:
        """What `planner.report` makes reports of."""
        with Store(self.store, write=False) as store:
            return reported(self.plan, store)

    def _repr_html_(self) -> str:
        html: str = self.frame.to_html(index=False, na_rep="", border=0, max_rows=60)
        return html


def study(
    given: Given,
    store: str | Path | None = None,
    *,
    workers: int | None = None,
    engine: str = LOCAL,
    scheduler: str | None = None,
    shard: tuple[int, int] | None = None,
    retry_failed: bool = False,
    time_limit: float | None = None,
    on_plan: Callable[[Plan], None] | None = None,
    on_start: Callable[[Sequence[Task]], None] | None = None,
    on_done: Callable[[Task, Outcome | None], None] | None = None,
    skipped: Skipped | None = None,
) -> StudyResult:
    """Run the cells of a study that its store has no result of, and return all there is.

    `given` is a TOML file, a mapping of what it would hold, or a `Study`; `store` an SQLite file, by default
    the study's name with .sqlite in the current folder. `workers` cells run at once: by default what the
    study says, else as many as cores allow for its threads. `engine` "dask" runs them on the cluster at
    `scheduler`. `shard` (i, n) is the i-th of n parts of the cells, `retry_failed` runs failed ones again;
    `time_limit` (seconds) replaces the study's. `on_plan` is told what there is to run, before anything is;
    `on_start` the cells that are missing; `on_done` each that is done, with None where another run had it.

    A cell that fails is stored as such and the others go on. Ctrl-C ends it with what there is. Raises
    `InputError` (all faults of the study and its instances), `UsageError`, `BackendMissing` before anything
    runs; what went wrong with the store or the cluster when it happens, and what is stored stays.
    """
    Where(engine, workers, scheduler)  # refuses what does not go together before anything is read
    plan = planned(given, time_limit, skipped)
    where = Where(engine, plan.study.workers if workers is None else workers, scheduler)
    if on_plan is not None:
        on_plan(plan)
    for entry in plan.entries:
        entry.refuse_missing()
    cells = plan.cells if shard is None else shard_of(plan.cells, *shard)
    tasks = [plan.task(cell) for cell in cells]
    place = store_of(plan.study, store)
    interrupted = False
    with Store(place, write=True) as opened, Claimer(place) as claimer:
        wanted = missing(opened, tasks, retry_failed)
        if on_start is not None:
            on_start(wanted.tasks)
        if wanted.tasks:
            try:
                with engine_of(where, wanted.tasks) as hands:
                    opened.note_run(_command(plan, where, time_limit), environment_of(tasks))
                    run_missing(opened, claimer, hands, wanted, on_done or _nobody)
            except KeyboardInterrupt:
                interrupted = True
            opened.release(claimer)
        failures = opened.outcomes((task.key for task in tasks), [State.FAILED])
        return StudyResult(
            plan,
            place,
            counts(opened, [cell.key for cell in plan.cells]),
            tuple(outcome.code for outcome in failures),
            interrupted,
        )


def _nobody(task: Task, outcome: Outcome | None) -> None:
    """Nobody is told."""


def _command(plan: Plan, where: Where, time_limit: float | None) -> str:
    """The command line of this run, as far as it matters to the results."""
    more = [] if time_limit is None else ["--time-limit", f"{time_limit:g}"]
    if where.scheduler is not None:
        more += ["--engine", where.engine, "--scheduler", where.scheduler]
    return command_of(plan, *more)
