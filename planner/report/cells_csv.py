"""The cells of a report as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import re

import pandas as pd

from planner.report.cells import COLUMNS, cell_frame
from planner.report.records import Reported

_FORMULA = re.compile(r"[=+\-@\t\r]")


def as_csv(reported: Reported) -> str:
    """One row a cell with the columns of `cells.COLUMNS`, header first; no value: an empty field.

    A spreadsheet takes text that starts like a formula for one, so such names get an apostrophe before them.
    """
    frame = cell_frame(reported.records)[list(COLUMNS)]
    for name in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            safe = {text: _safe(text) for text in frame[name].unique()}
            frame = frame.assign(**{name: frame[name].map(safe)})
    text: str = frame.to_csv(index=False, lineterminator="\n")
    return text


def _safe(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) else text
