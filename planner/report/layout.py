"""Lines of text in columns, with styles beside the text: how every table of this project is laid out.

Nothing is ever cut: a number that is wider than its column makes the line longer. Only a column that may
wrap is fitted to the width.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from planner.report.names import visible

GUTTER = 2
NARROWEST = 13
"""Characters a wrapping column gets even where the width has no room for them."""

_GLUE = "\u00a0"


class Span(NamedTuple):
    """Text in one style: "", "strong", "faint", "good", "fair", "warn" or "bad". Made by `span`."""

    text: str
    style: str = ""


Line: TypeAlias = tuple[Span, ...]
Block: TypeAlias = list[Line]


class Cells(NamedTuple):
    """One row of a table."""

    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column's title; numbers stand to the right; at most the last column wraps."""

    title: str
    right: bool = False
    wrap: bool = False


def span(text: str, style: str = "") -> Span:
    """A span whose text cannot act on a terminal, whatever file it came from."""
    return Span(visible(text), style)


def line(*parts: str | Span) -> Line:
    """A line of spans; plain text has no style."""
    return tuple(part if isinstance(part, Span) else span(part) for part in parts)


def glued(text: str) -> str:
    """`text` so that a wrapping column does not break it."""
    return text.replace(" ", _GLUE)


def added(counts: Mapping[str, int]) -> str:
    """`2 it3 + 4 it4`, to be broken only behind a plus."""
    last = len(counts) - 1
    parts = (f"{n} {name}{' +' if i < last else ''}" for i, (name, n) in enumerate(counts.items()))
    return " ".join(map(glued, parts))


def plain(block: Iterable[Line]) -> str:
    """The block as text without styles; every line ends with a newline and has no trailing blanks."""
    return "".join("".join(part.text for part in parts).rstrip() + "\n" for parts in block)


def cells(text: str) -> int:
    """Columns of a terminal that `text` takes."""
    if text.isascii():
        return len(text)
    return sum(_cells(character) for character in text)


def paragraph(text: str, width: int, indent: str = "", style: str = "", first: str | None = None) -> Block:
    """`text` wrapped to `width`, each line after `indent`, the first one after `first` where given."""
    room = max(NARROWEST, width - cells(indent))
    parts = [part for own in text.splitlines() or [""] for part in _wrapped(visible(own), room)]
    heads = [indent if first is None else first] + [indent] * len(parts)
    return [(Span(head), Span(part, style)) for head, part in zip(heads, parts, strict=False)]


def table(
    columns: Sequence[Column], rows: Sequence[Cells | Line], width: int, indent: int = 0, header: bool = True
) -> Block:
    """Rows in columns that are as wide as their widest cell; a `Line` among them stands as it is.

    `columns` without any content in the rows keep their title. The wrapping column takes what `width` leaves,
    and at least `NARROWEST` unless less will do for all its words.
    """
    titles = Cells(tuple(span(column.title, "faint") for column in columns))
    data = [row for row in rows if isinstance(row, Cells)]
    widths = [
        max(cells(row.spans[index].text) for row in [*data, *([titles] if header else [])])
        if data or header
        else 0
        for index in range(len(columns))
    ]
    if columns[-1].wrap:
        room = width - indent - sum(widths[:-1]) - GUTTER * (len(columns) - 1)
        words = (word for row in [*data, titles] for word in row.spans[-1].text.split(" "))
        longest = min(NARROWEST, max(map(cells, words), default=0))
        widths[-1] = min(widths[-1], max(longest, room))
    block: Block = []
    for row in [titles, *rows] if header else rows:
        block += _row(columns, row.spans, widths, indent) if isinstance(row, Cells) else [row]
    return block


def _row(columns: Sequence[Column], spans: tuple[Span, ...], widths: Sequence[int], indent: int) -> Block:
    parts = [Span(" " * indent)]
    tail = [""]
    for index, (column, part, width) in enumerate(zip(columns, spans, widths, strict=True)):
        text = part.text
        if column.wrap:
            text, *tail = _wrapped(text, width) or [""]
        space = Span(" " * (width - cells(text)))
        parts += [Span(" " * GUTTER)] if index else []
        parts += [space, Span(text, part.style)] if column.right else [Span(text, part.style), space]
    start = " " * (indent + sum(widths[:-1]) + GUTTER * (len(columns) - 1))
    rest = [(Span(start), Span(text, spans[-1].style)) for text in tail if text] if columns[-1].wrap else []
    return [tuple(parts), *rest]


def _wrapped(text: str, width: int) -> list[str]:
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return [part.replace(_GLUE, " ") for part in lines]


def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
