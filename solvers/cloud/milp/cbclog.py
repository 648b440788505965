"""The lower bound that CBC proves, which PuLP does not hand on, from CBC's log.

The report at the end of a search is read and nothing before it: there the bound has three decimals, while
the lines printed during the search ("best possible …") have six digits in all and may be rounded up.
"""

from __future__ import annotations

import math
import re

_REPORT = re.compile(r"(?s:.*)^Result - (?P<result>.*?)\s*$(?P<rest>(?s:.*))", re.MULTILINE)
_NUMBER = r"\s*(\S+)\s*$"
_VALUE = re.compile(r"^Objective value:" + _NUMBER, re.MULTILINE)
_BOUND = re.compile(r"^Lower bound:" + _NUMBER, re.MULTILINE)
_LAST_DIGIT = 1e-3
_NOTHING = 1e30  # CBC's own numbers for "no bound" are far beyond


def lower_bound(log: str) -> float | None:
    """The bound in the last report of the log, less what its printing may have rounded; None: no report."""
    found = _REPORT.search(log)
    if found is None:
        return None
    # A search that ended by itself prints no bound: it is the value.
    exact = found["result"] == "Optimal solution found"
    number = (_VALUE if exact else _BOUND).search(found["rest"])
    try:
        value = float("nan" if number is None else number[1])
    except ValueError:
        return None
    return value - _LAST_DIGIT if math.isfinite(value) and abs(value) < _NOTHING else None
