"""What a person sees on stderr while a study runs: a bar with what is left, or a line a cell with -v."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING

from planner.cli.console import Console
from planner.cli.moving import Around, moving
from planner.report.names import solver_label, visible
from planner.report.numbers import counted

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from planner.studies.eta import Estimate
    from planner.studies.task import Outcome, Task


class StudyWatch(Around):
    """Listens to one run of a study; to be entered before it starts."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._failed = 0
        self._estimate: Estimate | None = None
        self._line: Progress | None = None
        self._row: TaskID | None = None
        self._stack = ExitStack()

    def __enter__(self) -> StudyWatch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._console.live = None
        self._stack.close()

    def start(self, tasks: Sequence[Task]) -> None:
        """These cells will run."""
        self._console.detail(f"{counted(len(tasks), 'cell')} to run")
        if not tasks or not self._console.interactive:
            return
        from planner.studies.eta import Estimate

        self._estimate = Estimate(tasks)
        self._line = self._stack.enter_context(_bar(self))
        self._row = self._line.add_task("", total=len(tasks))
        self._console.live = self

    def done(self, task: Task, outcome: Outcome | None) -> None:
        """That cell is done; None: another run had it."""
        failed = outcome is not None and outcome.code != 0
        self._failed += failed
        name = (
            f"{visible(task.instance)} · {visible(solver_label(task.solver, task.options))}, seed {task.seed}"
        )
        if failed and outcome is not None:
            self._console.warning(f"{name} failed: {(outcome.error or '').splitlines()[0]}")
        elif outcome is not None and self._console.verbose and self._line is None:
            self._console.detail(f"{outcome.seconds or 0.0:8.2f} s  {name}: {outcome.status}")
        if self._line is not None and self._row is not None and self._estimate is not None:
            self._estimate.done(task, None if outcome is None else outcome.seconds)
            self._line.advance(self._row)

    def state(self) -> str:
        """What is left, and what went wrong."""
        left = None if self._estimate is None else self._estimate.remaining()
        text = "" if left is None else f"{_clock(left)} left"
        return f"{text}  {self._failed} failed" if self._failed else text


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def _bar(watch: StudyWatch) -> Progress:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.progress import Task as Row
    from rich.text import Text

    class State(ProgressColumn):
        """What is left; computed a few times a second at most, as there may be many groups of cells."""

        max_refresh = 0.5

        def render(self, task: Row) -> Text:  # noqa: ARG002 - rich's signature
            return Text(watch.state(), no_wrap=True)

    return moving(
        BarColumn(bar_width=24),
        TextColumn("{task.percentage:>3.0f} %"),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        State(),
        refresh_per_second=4,
    )
