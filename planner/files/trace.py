"""Jobs from a CSV file that a grid system names.

Read leniently, because other programs write it: a byte order mark, Windows line ends, blank lines, blanks
around values, whole numbers as `3.0` and columns of other names are taken as they are meant.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from planner.files.crossref_system import trace_faults
from planner.files.faults import did_you_mean
from planner.files.numbers import LARGEST
from planner.files.paths import quoted
from planner.files.text import LARGEST_FILE, MOST_FAULTS
from planner.files.wire.trace import MOST_STEPS, Columns, no_columns

COLUMNS = ("step", "scheduler", "length")

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?\Z")


@dataclass(frozen=True, slots=True)
class TraceFile:
    """The jobs of a trace's file, the hash of its bytes, and what is wrong with it, a sentence a fault."""

    columns: Columns
    sha256: str | None
    faults: tuple[str, ...]


class _Fault(NamedTuple):
    line: int
    message: str


class _Unreadable(Exception):
    """The whole file cannot be taken; the message says why."""


class _BadCell(Exception):
    """A value that is not what its column holds; the message says why."""


def read_trace(
    folder: Path | None, name: str, steps: int | None, agents: Mapping[str, int] | None
) -> TraceFile:
    """The jobs in the file of that name in `folder` or below; None: the system comes from no folder.

    Steps must be below `steps` and schedulers be among `agents`, where these are known.
    """
    columns, lines, sha256 = no_columns(), array("q"), None
    try:
        data = _bytes(folder, name)
        sha256 = hashlib.sha256(data).hexdigest()
        found = list(islice(_filled(columns, lines, _text(data), agents or {}), MOST_FAULTS))
    except _Unreadable as error:
        return TraceFile(columns, sha256, (f"{quoted(name)} {error}",))
    rows = zip(((line,) for line in lines), columns.steps, columns.schedulers, strict=True)
    between = trace_faults(rows, steps, agents)
    found += [_Fault(int(where[0]), what) for where, what in islice(between, MOST_FAULTS)]
    if not found and not lines:
        return TraceFile(columns, sha256, (f"{quoted(name)} holds no job: there is nothing to simulate",))
    found.sort(key=lambda fault: fault.line)
    return TraceFile(columns, sha256, tuple(f"{name}, line {line}: {what}" for line, what in found))


def _bytes(folder: Path | None, name: str) -> bytes:
    if folder is None:
        raise _Unreadable("cannot be found from stdin; name the system's file instead")
    home, path = os.path.realpath(folder), os.path.realpath(folder / name)
    if Path(home) not in Path(path).parents:
        raise _Unreadable("is outside the folder of this file; a trace must be in it or below")
    try:
        if Path(path).exists() and not Path(path).is_file():
            raise _Unreadable("is no file")
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise _Unreadable("does not exist") from None
    except OSError as error:
        raise _Unreadable(f"cannot be read: {os.strerror(error.errno or 0)}") from error
    if len(data) > LARGEST_FILE:
        raise _Unreadable(f"is larger than {LARGEST_FILE // 2**20} MiB, the most a file may be")
    return data


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _Unreadable(f"is not UTF-8: byte 0x{data[error.start]:02x} in line {line}") from error


def _filled(columns: Columns, lines: array[int], text: str, agents: Mapping[str, int]) -> Iterator[_Fault]:
    """Fill the columns, and the number of each job's line; yield what is wrong with single values."""
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        header = next((row for row in reader if any(row)), None)
        if header is None:
            raise _Unreadable(f"is empty; a header with {', '.join(COLUMNS)} is needed")
        places = _places([cell.strip() for cell in header])
        step_at, scheduler_at, length_at = places
        widest = max(places)
        for row in reader:
            if len(row) <= widest:
                if not _blank(row):
                    yield _Fault(reader.line_num, f"has too few values: {len(row)}, not {len(header)}")
                continue
            step, scheduler, length = row[step_at], row[scheduler_at], row[length_at]
            try:
                columns.append(_step(step), _scheduler(scheduler, agents), _length(length))
            except _BadCell:
                if not _blank(row):
                    yield from _bad_cells(reader.line_num, step, scheduler, length)
                continue
            lines.append(reader.line_num)
    except csv.Error as error:
        raise _Unreadable(f"is not CSV: line {reader.line_num}: {error}") from error


def _blank(row: list[str]) -> bool:
    return not any(cell.strip() for cell in row)


def _bad_cells(line: int, step: str, scheduler: str, length: str) -> Iterator[_Fault]:
    """All that is wrong with the values of a job."""
    for check in (lambda: _step(step), lambda: _scheduler(scheduler, {}), lambda: _length(length)):
        try:
            check()
        except _BadCell as error:
            yield _Fault(line, str(error))


def _places(header: list[str]) -> list[int]:
    """Where the three columns are."""
    wrong = []
    for name in COLUMNS:
        if name not in header:
            others = [cell for cell in header if cell not in COLUMNS]
            wrong.append(f"has no column {quoted(name)}{did_you_mean(name, others)}")
        elif header.count(name) > 1:
            wrong.append(f"has more than one column {quoted(name)}")
    if wrong:
        shown = quoted(",".join(header))
        raise _Unreadable(f"{', '.join(wrong)}; its first line, to be separated by commas, is {shown}")
    return [header.index(name) for name in COLUMNS]


def _step(cell: str) -> int:
    step = _whole(cell)
    if step is None or step < 0:
        raise _BadCell(f"step must be a whole number that is at least 0, not {quoted(cell)}")
    if step > MOST_STEPS:
        raise _BadCell(f"step must be at most {MOST_STEPS}, not {cell.strip()}")
    return step


def _scheduler(cell: str, agents: Mapping[str, int]) -> int | str:
    """The index of the scheduler of that name, or with that index; else the name."""
    if cell in agents:
        return agents[cell]
    text = cell.strip()
    if text in agents:
        return agents[text]
    index = _whole(text)
    if index is not None and index < 0:
        raise _BadCell(f"scheduler must be a name or an index from 0, not {quoted(cell)}")
    if index is None and not text:
        raise _BadCell("scheduler is missing")
    return text if index is None else index


def _length(cell: str) -> float:
    text = cell.strip()
    if not _NUMBER.match(text):
        raise _BadCell(f"length must be a number, not {quoted(cell)}")
    length = float(text)
    if length <= 0:
        raise _BadCell(f"length must be greater than 0, not {text}")
    if length > LARGEST:
        raise _BadCell(f"length {text} is beyond 1e15 in size")
    return length


def _whole(cell: str) -> int | None:
    text = cell.strip()
    if len(text) <= 15 and text.isascii() and text.isdigit():
        return int(text)
    if not _NUMBER.match(text):
        return None
    number = float(text)
    return int(number) if number.is_integer() and abs(number) <= LARGEST else None
