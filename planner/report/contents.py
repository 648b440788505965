"""What stands in a report, in order: words, tables and figures, before they become HTML or Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from planner.report.chart.figure import Figure


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph; a `warning` stands out."""

    text: str
    warning: bool = False


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows of text; the first `left` columns are words, the others numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1
    note: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures side by side where there is room."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Detail:
    """Text as it is, to be opened."""

    summary: str
    body: str


@dataclass(frozen=True, slots=True)
class Code:
    """Text as it is under a title, to be copied."""

    title: str
    body: str


Block: TypeAlias = Words | TextTable | Figures | Detail | Code


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report under a heading; `key` is its address in the page."""

    key: str
    title: str
    blocks: tuple[Block, ...]
