"""A figure of a report: the picture, what it says, and the numbers in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Data:
    """The numbers of a figure as a table."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """`title` says what is seen, `caption` how to read it; `svg` is a whole picture."""

    key: str
    title: str
    caption: str
    svg: str
    data: Data


def named(texts: Sequence[str], most: int = 3) -> str:
    """`a`, `a and b`, `a, b and c`, or the first few `and 4 others`."""
    shown = list(texts[:most])
    if len(texts) > most + 1:
        shown.append(f"{len(texts) - most} others")
    else:
        shown = list(texts)
    if len(shown) < 2:
        return "".join(shown)
    return ", ".join(shown[:-1]) + " and " + shown[-1]
