"""Owner of stdout and stderr: the result goes to one, everything else to the other.

While a command runs, file descriptor 1 belongs to this module alone: what native solvers or libraries print
there goes to stderr with -v and nowhere without, so that stdout holds the result and nothing else.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, TextIO

import click

from planner.cli import codes
from planner.errors import InputError, PlannerError, UsageError
from planner.report.layout import Line, Span, paragraph, plain
from planner.report.names import visible
from planner.result import Result

WIDTH = 80
_NARROWEST = 40

_COLOURS: dict[str, dict[str, object]] = {
    "strong": {"bold": True},
    "faint": {"dim": True},
    "good": {"fg": "green"},
    "fair": {"fg": "cyan"},
    "warn": {"fg": "yellow"},
    "bad": {"fg": "red", "bold": True},
}


class OutputError(PlannerError):
    """The result could not be written: a full disk, or a file that became unwritable."""


class Live(Protocol):
    """A moving line on stderr that everything else printed must go around."""

    def print(self, text: str) -> None:
        """Print above the line."""

    def hidden(self) -> contextlib.AbstractContextManager[None]:
        """Take the line away for a while."""


class Console:
    """What one command prints."""

    def __init__(self, output: str | None = None, quiet: bool = False, verbose: bool = False) -> None:
        """Raises `UsageError` where the file `output` cannot be written."""
        self.output = None if output in (None, "-") else output
        self.quiet, self.verbose = quiet, verbose
        self.reader_gone = False
        self.live: Live | None = None
        self._kept: list[str] = []
        self._stdout: TextIO | None = sys.stdout
        self._claimed: int | None = None
        if self.output is not None:
            refuse_unwritable(self.output, "--output")

    def __enter__(self) -> Console:
        """Claim stdout."""
        self._claim()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give stdout back."""
        self._give_back()

    @property
    def interactive(self) -> bool:
        """Whether a person watches stderr."""
        return not self.quiet and _is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"

    @property
    def prints_on_terminal(self) -> bool:
        """Whether the result goes to a terminal."""
        return self.output is None and _is_terminal(self._stdout)

    @property
    def width(self) -> int:
        """Columns for the result: COLUMNS, else the terminal's, else 80."""
        return _columns(self._stdout if self.output is None else None)

    def result(self, text: str) -> None:
        """Part of the result, as it is."""
        if self.output is not None:
            self._kept.append(text)
        elif self._stdout is not None and not self.reader_gone:
            # A moving line and the result may share a terminal.
            with self.live.hidden() if self.live is not None else contextlib.nullcontext():
                self._write(self._stdout, text)

    def show(self, block: Iterable[Line]) -> None:
        """Part of the result for people: in colour on a terminal, plain text elsewhere."""
        coloured = self.output is None and self._stdout is not None and _in_colour(self._stdout)
        self.result(_painted(block) if coloured else plain(block))

    def finish(self) -> None:
        """Write the file of --output, whole; called when the command has its result."""
        if self.output is None or not self._kept:
            return
        self.write_file(self.output, "".join(self._kept))

    def write_file(self, path: str, content: str | bytes) -> None:
        """Write a file whole or not at all, and say so. Raises `OutputError`."""
        from planner.files import write_bytes, write_text

        try:
            if isinstance(content, bytes):
                write_bytes(path, content)
            else:
                write_text(path, content)
        except InputError as error:
            raise OutputError(str(error)) from error
        self.note(f"wrote {path}")

    def error(self, text: str) -> None:
        """What went wrong; printed always."""
        self._say("error", "red", text)

    def failure(self, error: PlannerError) -> None:
        """What went wrong; faults of files, which may be long, are wrapped as validate does."""
        if not isinstance(error, InputError) or not str(error):
            self.error(str(error))
            return
        width = _columns(sys.stderr)
        head, *rest = str(error).splitlines()
        rows = paragraph(f"error: {head}", width, "    ", first="")
        for text in rest:
            rows += paragraph(text, width, "    ", first="  ")
        lines = plain(rows).rstrip("\n").removeprefix("error: ").splitlines()
        self._say("error", "red", lines, indent="")

    def crash(self, result: Result[Any]) -> None:
        """That a solver failed after it had found the plan that stands in its result, where it did."""
        if codes.crashed(result):
            self.error(result.message or f"solver {result.solver!r} failed on {result.instance!r}")

    def warning(self, text: str) -> None:
        """What a person should know; left out when quiet."""
        if not self.quiet:
            self._say("warning", "yellow", text)

    def note(self, text: str) -> None:
        """What happened; left out when quiet."""
        if not self.quiet:
            self._stderr(text)

    def skipped(self, path: Path, form: str) -> None:
        """A file of a folder that holds something else than was asked for."""
        self.note(f"note: {path} holds {form}, skipped")

    def detail(self, text: str) -> None:
        """What happened in detail; only with -v."""
        if self.verbose and not self.quiet:
            self._stderr(text)

    def trace(self, error: BaseException) -> None:
        """The traceback of an error, with -v only."""
        if self.verbose:
            self._stderr("".join(traceback.format_exception(error)).rstrip())

    def _write(self, stream: TextIO, text: str) -> None:
        try:
            stream.write(text)
            stream.flush()
        except BrokenPipeError:
            self.reader_gone = True
        except (OSError, ValueError) as error:
            self.reader_gone = True
            raise OutputError(f"the result cannot be written to stdout: {error}") from error

    def _say(self, word: str, colour: str, text: str | list[str], indent: str = "  ") -> None:
        shown = click.style(word, fg=colour, bold=True) if _in_colour(sys.stderr) else word
        first, *rest = (text.splitlines() if isinstance(text, str) else text) or [""]
        self._stderr(
            "\n".join([f"{shown}: {visible(first)}", *(f"{indent}{visible(part)}" for part in rest)]),
            safe=True,
        )

    def _stderr(self, text: str, safe: bool = False) -> None:
        shown = text if safe else "\n".join(visible(part) for part in text.splitlines())
        if self.live is not None:
            self.live.print(shown)
        elif sys.stderr is not None:
            with contextlib.suppress(OSError, ValueError):
                print(shown, file=sys.stderr, flush=True)

    def _claim(self) -> None:
        stream = self._stdout
        try:
            if stream is None or stream.fileno() != 1:
                return
            stream.flush()
            kept = os.dup(1)
        except (OSError, ValueError):  # stdout is closed, or stands for something without a descriptor
            return
        elsewhere = os.dup(2) if self.verbose else os.open(os.devnull, os.O_WRONLY)
        os.dup2(elsewhere, 1)
        os.close(elsewhere)
        self._claimed = kept
        self._stdout = os.fdopen(
            kept, "w", encoding=stream.encoding, errors="backslashreplace", closefd=False
        )

    def _give_back(self) -> None:
        if self._claimed is None:
            return
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
        os.dup2(self._claimed, 1)
        os.close(self._claimed)
        self._claimed, self._stdout = None, sys.stdout


def usage_error(error: click.ClickException, bare: bool = False) -> None:
    """Say on stderr what is wrong with the command line, and where its help is; `bare`: just the text."""
    message = error.format_message()
    if bare:
        print(message, file=sys.stderr)
        return
    Console().error(message)
    context = getattr(error, "ctx", None)
    if context is not None:
        print(f"Try '{context.command_path} --help'.", file=sys.stderr)


def refuse_unwritable(path: str, option: str, ending: str = "") -> None:
    """Raise `UsageError` before any work is done where `path` cannot become a file with that ending."""
    parent = Path(path).parent
    if path == "-":
        raise UsageError(f"{option}: a file's name is needed; only the result itself goes to stdout")
    if os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises on names no path can have
        raise UsageError(f"{option}: {path} is a folder; a file's name is needed")
    if "\0" in path or not os.path.isdir(parent):  # noqa: PTH112
        raise UsageError(f"{option}: there is no folder {parent}")
    if not os.access(path if os.path.exists(path) else parent, os.W_OK):  # noqa: PTH110
        raise UsageError(f"{option}: {path} may not be written: permission denied")
    if not path.lower().endswith(ending):
        raise UsageError(f"{option}: {path} must end in {ending}, as that is what is written")


def _columns(stream: TextIO | None) -> int:
    """COLUMNS, else the terminal's that the stream is, else 80."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return max(_NARROWEST, int(columns))
    if stream is not None and _is_terminal(stream):
        with contextlib.suppress(OSError, ValueError):
            return max(_NARROWEST, os.get_terminal_size(stream.fileno()).columns or WIDTH)
    return WIDTH


def _painted(block: Iterable[Line]) -> str:
    return "".join(_trimmed(parts) + "\n" for parts in block)


def _trimmed(parts: Line) -> str:
    """The line in colour, without blanks at its end."""
    end = max((index + 1 for index, part in enumerate(parts) if part.text.strip()), default=0)
    return "".join(_paint(part) for part in parts[:end])


def _paint(part: Span) -> str:
    return click.style(part.text, **_COLOURS[part.style]) if part.style else part.text  # type: ignore[arg-type]


def _in_colour(stream: TextIO | None) -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and _is_terminal(stream)


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False
