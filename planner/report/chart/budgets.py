"""Figures of a family of instances that differ in their budget: the goal's value, and the fleets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from planner.report.cells import fleet_of
from planner.report.chart.figure import Data, Figure, named
from planner.report.chart.lines import Across, Axis, Line, line_chart
from planner.report.chart.looks import MOST
from planner.report.chart.scale import plain, spans_much
from planner.report.chart.stacks import Panel, stack_chart
from planner.report.names import visible
from planner.report.numbers import percent
from planner.report.records import Record

MOST_PANELS = 6
MOST_BARS = 24
OTHER = "other types"


def budget_curve(
    family: str,
    frame: pd.DataFrame,
    key: str,
    ranked: Sequence[str],
    goal: str,
    unit: str,
    quantum: float | None,
) -> Figure | None:
    """The value of the goal against the budget, a line a solver."""
    means = frame.groupby(["solver", "budget"])["objective"].mean().unstack("budget").sort_index(axis=1)
    means = means.reindex([name for name in ranked if name in means.index]).dropna(how="all")
    shown = means.iloc[:MOST]
    if shown.empty or shown.shape[1] < 2:
        return None
    lines = []
    for name, row in shown.iterrows():
        own = row.dropna()
        lines.append(Line(str(name), [float(budget) for budget in own.index], own.tolist()))
    highest = float(np.nanmax(shown.to_numpy()))
    steep = spans_much(float(np.nanmin(shown.to_numpy())), highest)
    crossing = []
    if quantum is not None and goal == "makespan" and 0.3 * highest <= quantum <= 1.5 * highest:
        crossing = [
            Across("one billed hour" if quantum == 3600 else f"billing quantum, {plain(quantum)} s", quantum)
        ]
    title = f"{family}: {_difference(shown, goal)}"
    caption = f"{goal.capitalize()} that each solver reaches within each budget; lower is better." + _missing(
        shown
    )
    svg = line_chart(
        key, title, caption, lines,
        Axis("budget (money)", holds=tuple(float(budget) for budget in shown.columns)),
        Axis(f"{goal} ({unit})", log=steep, holds=() if steep else (0.0,)),
        crossing,
    )  # fmt: skip
    rows = [(line.name, x, y) for line in lines for x, y in zip(line.x, line.y, strict=True)]
    return Figure(key, title, caption, svg, Data(("solver", "budget", goal), tuple(rows)))


def fleets(
    family: str, frame: pd.DataFrame, records: Sequence[Record], key: str, ranked: Sequence[str]
) -> Figure | None:
    """VMs by type at each budget, a panel a solver; of several seeds the first."""
    budgets = sorted(float(budget) for budget in frame["budget"].unique())
    if len(budgets) > MOST_BARS:
        budgets = [
            budgets[i] for i in np.unique(np.linspace(0, len(budgets) - 1, MOST_BARS).round().astype(int))
        ]
    found: dict[tuple[str, float], dict[str, int]] = {}
    first = frame.drop_duplicates(["solver", "budget"])
    for row, solver, budget in zip(first.index, first["solver"], first["budget"], strict=True):
        found[(str(solver), float(budget))] = fleet_of(records[int(row)].result or {})
    solvers = [name for name in ranked if any(found.get((name, budget)) for budget in budgets)][:MOST_PANELS]
    if not solvers:
        return None
    totals: Counter[str] = Counter()
    for fleet in found.values():
        totals.update(fleet)
    types = [name for name, _ in totals.most_common(MOST if len(totals) <= MOST else MOST - 1)]
    types.sort()
    parts = [visible(name) for name in types] + ([OTHER] if len(totals) > len(types) else [])
    panels = [
        Panel(solver, [_bar(found.get((solver, budget)), types, len(parts)) for budget in budgets])
        for solver in solvers
    ]
    title = f"{family}: {_habits(solvers, found)}"
    caption = "VMs rented at each budget, by instance type; a dash where the solver has no plan."
    svg = stack_chart(
        key,
        title,
        caption,
        panels,
        [plain(budget) for budget in budgets],
        parts,
        "budget (money)",
        "number of VMs",
    )
    rows = [
        (solver, budget, visible(name), float(count))
        for solver in solvers
        for budget in budgets
        for name, count in (found.get((solver, budget)) or {}).items()
    ]
    return Figure(key, title, caption, svg, Data(("solver", "budget", "type", "vms"), tuple(rows)))


def _difference(shown: pd.DataFrame, goal: str) -> str:
    """What the curves say: the mean ratio of the last to the first solver over the budgets both have."""
    if len(shown) < 2:
        return f"{goal} of {shown.index[0]} against budget"
    best = shown.iloc[0]
    ratios = {str(name): float((row / best).mean()) for name, row in shown.iloc[1:].iterrows()}
    worst = max(ratios, key=lambda name: ratios[name])
    if not ratios[worst] > 1.00005:
        return f"{named([str(name) for name in shown.index])} reach the same {goal} at each budget"
    return f"{goal} of {worst} is {percent(ratios[worst] - 1)} above that of {shown.index[0]} on average"


def _missing(shown: pd.DataFrame) -> str:
    """From which budget on solvers have a plan, where that is not the first one."""
    starts: dict[str, Any] = {str(name): row.first_valid_index() for name, row in shown.iterrows()}
    late = [
        f"{name} from {plain(float(start))}" for name, start in starts.items() if start != shown.columns[0]
    ]
    return f" Plans exist of {named(late)} on." if late else ""


def _bar(fleet: Mapping[str, int] | None, types: Sequence[str], parts: int) -> list[float] | None:
    if not fleet:
        return None
    own = [float(fleet.get(name, 0)) for name in types]
    rest = float(sum(fleet.values())) - sum(own)
    return own if parts == len(types) else [*own, rest]


def _habits(solvers: Sequence[str], found: Mapping[tuple[str, float], Mapping[str, int]]) -> str:
    """Who rents how many types, those of the most types first."""
    groups: dict[tuple[int, str], list[str]] = {}
    for solver in solvers:
        rented = sorted({name for (who, _), fleet in found.items() if who == solver for name in fleet})
        only = f"only {visible(rented[0])}" if len(rented) == 1 else f"{len(rented)} types"
        groups.setdefault((-len(rented), only), []).append(solver)
    words = [
        f"{named(own)} {'rents' if len(own) == 1 else 'rent'} {only}"
        for (_, only), own in sorted(groups.items())
    ]
    return ", ".join(words)
