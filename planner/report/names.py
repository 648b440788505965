"""Names and texts that came from files, made safe to print: nothing in them can act on a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from planner.result import Result

_BREAKS = {"Cc", "Zl", "Zp", "Cs"}
"""Unicode categories that end lines or steer terminals; `Cf` below only where it reorders text."""

_REORDER = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    """`text` with control, line-breaking and reordering characters written as escapes."""
    return "".join(_escape(char) if _acts(char) else char for char in text)


def label(result: Result[Any]) -> str:
    """The solver as one would write it: `name`, or `name:option=value;…`."""
    return solver_label(result.solver, result.options)


def solver_label(name: str, options: Mapping[str, object]) -> str:
    """`name:option=value;…` with the options in order of their names."""
    if not options:
        return name
    return f"{name}:" + ";".join(f"{key}={_value(value)}" for key, value in sorted(options.items()))


def _acts(char: str) -> bool:
    return unicodedata.category(char) in _BREAKS or char in _REORDER


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)
