"""What moves on stderr while a command works: one way to make it, and to print around it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


def moving(*columns: ProgressColumn, refresh_per_second: int = 8) -> Progress:
    """A line of these columns that is erased at the end and takes no other text for its own."""
    from rich.console import Console as RichConsole
    from rich.progress import Progress

    return Progress(
        *columns,
        console=RichConsole(file=sys.stderr, markup=False, emoji=False, highlight=False),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        refresh_per_second=refresh_per_second,
    )


class Around:
    """Prints around a moving line (`planner.cli.console.Live`); `_line` is None where there is none."""

    _line: Progress | None = None

    def print(self, text: str) -> None:
        """Print above the line."""
        if self._line is not None:
            self._line.console.out(text, highlight=False)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the line away for a while."""
        if self._line is not None:
            self._line.stop()
        yield
        if self._line is not None:
            self._line.start()
