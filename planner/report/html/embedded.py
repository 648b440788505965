"""The data in the page, as JSON in script tags: all cells by columns, and the numbers of each figure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from planner.report.chart.figure import Figure
from planner.report.numbers import percent

FIRST = 25
"""Rows that stand in the page without scripts, and on one page of the table with them."""

_SHOWN = (
    "instance", "solver", "goal", "seed", "status", "objective", "bound", "gap", "excess", "makespan", "cost",
    "vms", "fleet", "seconds", "message",
)  # fmt: skip
_SHARES = ("gap", "excess")
_LONGEST, _ALL = 300, 6_000_000
"""Letters of a text that the table keeps, and of all different texts of a column together: tracebacks have a
section of their own, and the page must stay small."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A column of the table: its name, whether numbers stand in it, and its first rows as text."""

    name: str
    number: bool
    first: tuple[str, ...]


def first_rows(frame: pd.DataFrame) -> list[Shown]:
    """The columns that have anything to show."""
    return [
        Shown(
            name,
            _is_number(frame, name),
            tuple(_text(value, name) for value in frame[name].head(FIRST).tolist()),
        )
        for name in _present(frame)
    ]


def cells_json(frame: pd.DataFrame) -> str:
    """Columns in the same order: numbers to nine digits, texts as places in a list of different ones."""
    parts = []
    for name in _present(frame):
        if _is_number(frame, name):
            values = frame[name].to_numpy(dtype=np.float64)
            form = ".3g" if name == "seconds" else ".9g"
            written = (format(value, form) for value in values.tolist())
            numbers = ",".join("null" if text == "nan" else text for text in written)
            share = "true" if name in _SHARES else "false"
            parts.append(f'{{"name":{_dump(name)},"share":{share},"numbers":[{numbers}]}}')
        else:
            codes, texts = pd.factorize(frame[name])
            most = min(_LONGEST, _ALL // max(1, len(texts)))
            short = [str(text)[:most] for text in texts]
            places = ",".join(map(str, codes.tolist()))
            parts.append(f'{{"name":{_dump(name)},"texts":{_dump(short)},"places":[{places}]}}')
    return f'{{"page":{FIRST},"rows":{len(frame)},"columns":[{",".join(parts)}]}}'


def figures_json(figures: Sequence[Figure]) -> str:
    """The numbers of each figure by its key."""
    return _dump(
        {
            figure.key: {
                "columns": figure.data.columns,
                "rows": [[_round(value) for value in row] for row in figure.data.rows],
            }
            for figure in figures
        }
    )


def _present(frame: pd.DataFrame) -> list[str]:
    """The columns that say something: not those that are empty, of one value, or repeat the objective."""
    always = ("instance", "solver", "status")
    goals = frame["goal"].unique().tolist()
    same = (*(("goal",) if len(goals) == 1 else ()), *(("seed",) if frame["seed"].nunique() == 1 else ()))
    twice = ("objective",) if goals in (["makespan"], ["cost"]) else ()
    return [
        name
        for name in _SHOWN
        if name in always
        or (
            name not in same + twice
            and (frame[name].notna().any() if _is_number(frame, name) else (frame[name] != "").any())
        )
    ]


def _is_number(frame: pd.DataFrame, name: str) -> bool:
    return bool(pd.api.types.is_numeric_dtype(frame[name]))


def _text(value: str | float, name: str) -> str:
    if isinstance(value, str):
        return value[:_LONGEST]
    if value != value:
        return ""
    if name in _SHARES:
        return percent(value)
    return f"{value:.3g}" if name == "seconds" else f"{value:.6g}"


def _round(value: str | float | None) -> str | float | None:
    return float(f"{value:.9g}") if isinstance(value, float) else value


def _dump(value: object) -> str:
    """JSON that a script tag can hold: nothing in it ends the tag or starts another."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
