"""What a person sees on stderr while solvers work: which cell runs, and its best plan and bound so far."""

from __future__ import annotations

import time
from contextlib import ExitStack
from fractions import Fraction
from types import TracebackType
from typing import TYPE_CHECKING, Any

from planner.cli.console import Console
from planner.cli.moving import Around, moving
from planner.goal import Goal
from planner.kinds import Instance, Plan, kind_of
from planner.report.names import visible
from planner.report.numbers import number, percent
from planner.result import Result, gap
from planner.run import goal_of
from solvers import catalog

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress


class Watch(Around):
    """Listens to the runs of one command: a moving line on a terminal, log lines with -v, else nothing.

    Solvers call `incumbent` and `bound` from their own threads and often, so on a terminal both only take
    note; the plan is valued when the line is drawn.
    """

    def __init__(self, console: Console, goal: Goal | None, total: int) -> None:
        """`total` cells will run, with this goal or each with its solver's own."""
        self._console, self._asked, self._total = console, goal, total
        self._instance: Instance | None = None
        self._solver = ""
        self._goal = goal or Goal.MAKESPAN
        self._plan: Plan | None = None
        self._bound: Fraction | None = None
        self._value: Fraction | None = None
        self._valued: Plan | None = None
        self._started = time.perf_counter()
        self._line: RichProgress | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Watch:
        """Start the moving line, where somebody watches."""
        if self._console.interactive:
            self._line = self._stack.enter_context(_moving_line(self, self._total))
            self._console.live = self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Erase the moving line."""
        self._console.live = None
        self._stack.close()

    def start(self, instance: Instance, solver: str) -> None:
        """The next cell begins."""
        self._instance, self._solver = instance, solver
        self._goal = self._asked or goal_of(catalog.configure(solver)[0], None)
        self._plan = self._bound = self._value = self._valued = None
        self._started = time.perf_counter()

    def finish(self, result: Result[Any]) -> None:
        """The cell ended with this result."""
        if self._line is not None:
            self._line.advance(self._line.task_ids[0])
        else:
            self._log(f"{result.status.value}, {self.state()}" if self.state() else result.status.value)

    def incumbent(self, plan: Plan) -> None:
        """A better plan (`planner.solver.Progress`)."""
        self._plan = plan
        self._log()

    def bound(self, value: Fraction) -> None:
        """A better bound (`planner.solver.Progress`)."""
        self._bound = value
        self._log()

    def where(self) -> str:
        """Which cell runs."""
        return "" if self._instance is None else f"{visible(self._instance.name)} · {visible(self._solver)}"

    def state(self) -> str:
        """The best plan's value, the bound and the gap, as far as there are any."""
        if self._plan is not self._valued and self._plan is not None and self._instance is not None:
            self._valued = self._plan
            self._value = kind_of(self._instance).check(self._instance, self._plan).value(self._goal)
        share = gap(self._value, self._bound)
        parts = [
            "" if self._value is None else f"plan {number(self._value)}",
            "" if self._bound is None else f"bound {number(self._bound)}",
            "" if share is None else f"gap {percent(share)}",
        ]
        return ", ".join(filter(None, parts))

    def _log(self, text: str | None = None) -> None:
        if self._console.verbose and self._line is None:
            seconds = time.perf_counter() - self._started
            self._console.detail(
                f"{seconds:8.2f} s  {self.where()}: {self.state() if text is None else text}"
            )


def _moving_line(watch: Watch, total: int) -> RichProgress:
    """A line with spinner, cell, state, time and, for several cells, a bar; it is erased at the end."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        ProgressColumn,
        SpinnerColumn,
        Task,
        TimeElapsedColumn,
    )
    from rich.text import Text

    class State(ProgressColumn):
        """The cell and its state, valued when drawn."""

        def render(self, task: Task) -> Text:  # noqa: ARG002 - rich's signature
            return Text(f"{watch.where()}  {watch.state()}", overflow="ellipsis", no_wrap=True)

    bar = [BarColumn(bar_width=16), MofNCompleteColumn()] if total > 1 else []
    progress = moving(SpinnerColumn(), *bar, TimeElapsedColumn(), State())
    progress.add_task("", total=total)
    return progress
