"""Instances that differ in their budget only, as their names tell: a curve of makespan against budget."""

from __future__ import annotations

import re

import pandas as pd

FEWEST = 3
"""Budgets from which there is a curve to draw."""

_BUDGET = re.compile(r"[-_. ]*(?:b|budget)?[-_= ]*([0-9]+(?:\.[0-9]+)?)$", re.IGNORECASE)


def family(instance: str, budget: float) -> str:
    """The name up to the budget it ends in, as `thai2015` of `thai2015-b60`; all of it where it does not."""
    match = _BUDGET.search(instance)
    if match is None or float(match[1]) != budget:
        return instance
    return instance[: match.start()] or "instances"


def families(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The cells with a budget by family, the most budgets first; families of few budgets are left out."""
    own = frame[frame["budget"].notna()]
    if own.empty:
        return {}
    names = own[["instance", "budget"]].drop_duplicates()
    known = {
        (instance, budget): family(instance, budget)
        for instance, budget in zip(names["instance"], names["budget"], strict=True)
    }
    keys = [known[key] for key in zip(own["instance"], own["budget"], strict=True)]
    groups = {str(name): cells for name, cells in own.groupby(pd.Series(keys, index=own.index), sort=False)}
    counts = {name: cells["budget"].nunique() for name, cells in groups.items()}
    large = [name for name in groups if counts[name] >= FEWEST]
    return {name: groups[name] for name in sorted(large, key=lambda name: -counts[name])}
