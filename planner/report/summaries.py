"""The tables of a report on solvers and policies: standings, wins, paired differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import Any

import numpy as np
import pandas as pd

from planner.report.chart.looks import MOST
from planner.report.contents import TextTable, Words
from planner.report.numbers import elapsed, percent
from planner.report.pairs import FEWEST, MOST_SOLVERS, Paired
from planner.report.profiles import Duel
from planner.report.records import Record
from planner.report.standings import SHIFT, Standing
from planner.report.statistics import half_interval

NONE = "-"
MOST_ROWS = 60


def verdict(found: Sequence[Standing], goal: str, most: int = 7) -> str:
    """Who is best, and how far from it the others are, in a sentence."""
    known = [(one.solver, one.mean_excess) for one in found if one.mean_excess is not None]
    if not known:
        return f"No {goal} is known: there is no plan."
    (best, least), *others = known
    head = f"{best} has the least {goal}"
    if least > 0:
        head = f"{best} comes closest to the least {goal} found, on average {_times(least)}"
    if not others:
        return f"{head}; no other has a plan."
    words = [f"{name} {_times(share)}" for name, share in others[:most]]
    rest = f", {len(others) - most} others more" if len(others) > most else ""
    return f"{head}. The others against the least found, on average: {', '.join(words)}{rest}."


def standing_table(found: Sequence[Standing], goal: str) -> TextTable:
    """Gaps, proofs and times, a row a solver."""
    rows = [
        (
            one.solver,
            f"{one.planned:,}/{one.cells:,}",
            _percent(one.proven),
            _percent(one.mean_gap),
            _percent(one.median_gap),
            _percent(one.worst_gap),
            _percent(one.mean_excess),
            NONE if one.time is None else elapsed(one.time),
            elapsed(one.total_time),
        )
        for one in found
    ]
    return TextTable(
        f"Gap to the optimum or bound in {goal}, and time",
        ("solver", "plans", "proven", "mean gap", "median", "worst", "excess", "time (s)", "total (s)"),
        tuple(rows),
        note="gap: (value - bound) / value, to the best bound that any solver proved, 0 where the optimum "
        "is proven; proven: share of cells with a plan proven optimal, of those not proven infeasible; "
        f"excess: mean over the best plan known; time: shifted geometric mean, shift {SHIFT:g} s.",
    )


_METRICS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "last quarter": lambda run: run["alor"]["last_quarter"],
    "response": lambda run: (run.get("response_time") or {}).get("mean"),
    "fairness": lambda run: run.get("fairness"),
    "utilisation": lambda run: run.get("utilisation"),
    "regret": lambda run: (run.get("regret") or {}).get("mean"),
    "messages": lambda run: run.get("messages"),
}


def policy_table(found: Sequence[Standing], frame: pd.DataFrame, records: Sequence[Record]) -> TextTable:
    """ALoR and what else is measured, a row a policy: means over all its runs.

    Only runs on one system have an interval: those on different systems are no sample of one mean.
    """
    one_system = frame["instance"].nunique() == 1
    rows = []
    groups = {str(name): own.index for name, own in frame.groupby("solver", sort=False)}
    for one in found:
        runs = [result for row in groups[one.solver] if (result := records[int(row)].result)]
        metrics = {name: _mean([read(run) for run in runs]) for name, read in _METRICS.items()}
        rows.append(
            (
                one.solver,
                f"{one.planned:,}/{one.cells:,}",
                NONE if one.value is None else _mean_of(one.value, one.interval if one_system else None),
                _percent(one.mean_gap),
                _percent(one.worst_gap),
                *(NONE if value is None else _metric(name, value) for name, value in metrics.items()),
                elapsed(one.total_time),
            )
        )
    titles = ("policy", "runs", "ALoR", "mean gap", "worst", *_METRICS, "total (s)")
    known = [any(row[index] != NONE for row in rows) for index in range(len(titles))]
    return TextTable(
        "Mean load of the resources (ALoR), and what it takes",
        tuple(compress(titles, known)),
        tuple(tuple(compress(row, known)) for row in rows),
        note=f"ALoR in steps of work waiting, mean {'± half a 95 % interval ' if one_system else ''}over all "
        "runs; gap: (ALoR - bound) / ALoR, where no policy at all can be below the bound; response in steps; "
        "messages a step.",
    )


def system_table(frame: pd.DataFrame, ranked: Sequence[str]) -> TextTable:
    """Mean ALoR of each policy on each system with its interval, the bound beside it; of many the first."""
    shown = list(ranked[:MOST])
    groups = list(frame.groupby(["instance", "instance_sha256"], sort=False))
    rows = []
    for (name, _), own in groups[:MOST_ROWS]:
        values = {
            str(policy): cells["objective"].dropna().tolist() for policy, cells in own.groupby("solver")
        }
        means = [
            _mean_of(float(np.mean(values[policy])), half_interval(values[policy]))
            if values.get(policy)
            else NONE
            for policy in shown
        ]
        bound = own["bound"].mean()
        rows.append((str(name), *means, NONE if np.isnan(bound) else _short(float(bound))))
    note = "Mean ± half a 95 % interval over seeds, in steps; the bound is the mean of the seeds' bounds."
    if len(groups) > MOST_ROWS:
        note += f" The first {MOST_ROWS} of {len(groups)} systems."
    return TextTable("Mean ALoR by system", ("system", *shown, "bound"), tuple(rows), note=note)


def duel_table(found: Sequence[Duel], shown: Sequence[str], goal: str) -> TextTable:
    """How often the solver of the row has a smaller value than that of the column."""
    known = {(duel.winner, duel.loser): duel for duel in found}
    rows = [
        (name, *(NONE if (name, other) not in known else _duel(known[name, other]) for other in shown))
        for name in shown
    ]
    return TextTable(
        "Pairwise wins",
        ("row beats column", *shown),
        tuple(rows),
        note=f"Share of the problems on which both have a plan where the row's {goal} is the smaller one.",
    )


def pair_table(found: Paired | None, goal: str) -> TextTable | Words:
    """The paired differences, or why there are none."""
    if found is None or not found.pairs:
        return Words(
            "Paired differences: no two solvers have values on at least two common instances or seeds."
        )
    rows = [
        (
            f"{pair.first} against {pair.second}",
            str(pair.pairs),
            _times(pair.mean),
            f"{_times(pair.mean - pair.interval)} to {_times(pair.mean + pair.interval)}",
            "too few pairs" if pair.p is None and pair.differing else _p(pair.p),
            "too few pairs" if pair.adjusted is None and pair.differing else _p(pair.adjusted),
        )
        for pair in found.pairs
    ]
    few = sum(pair.p is None for pair in found.pairs)
    note = (
        f"How much larger the first one's {goal} is, as a share of the second one's. A pair is {found.what}. "
        "p is of Wilcoxon's signed-rank test, Holm's of all tests in this table together."
    )
    if few:
        note += f" With fewer than {FEWEST} pairs that differ no test can reach 0.05, and none is made."
    if len({pair.second for pair in found.pairs}) == 1 and len(found.pairs) >= MOST_SOLVERS:
        note += " With so many solvers, each is paired with the best one only."
    return TextTable(
        "Paired differences",
        ("pair", "pairs", "difference", "95 % interval", "p", "p, Holm"),
        tuple(rows),
        note=note,
    )


def _duel(duel: Duel) -> str:
    if not duel.both:
        return NONE
    ties = f" (ties {100 * duel.ties / duel.both:.0f} %)" if duel.ties else ""
    return f"{100 * duel.wins / duel.both:.0f} %{ties}"


def _p(p: float | None) -> str:
    if p is None:
        return "no difference"
    return "< 0.0001" if p < 1e-4 else f"{p:.4f}"


def _signed(share: float) -> str:
    return f"+{percent(share)}" if share > 0 else percent(share)


def _times(excess: float) -> str:
    """`+3.20 %`, or `×21.2` where percents say little."""
    return f"×{excess + 1:.3g}" if excess >= 2 else _signed(excess)


def _percent(share: float | None) -> str:
    return NONE if share is None else percent(share)


def _mean(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return float(np.mean(present)) if present else None


def _metric(name: str, value: float) -> str:
    return percent(value) if name in ("regret", "utilisation") else _short(value)


def _mean_of(value: float, half: float | None) -> str:
    """`2.62 ± 0.1`."""
    if half is None:
        return _short(value)
    return f"{_short(value)} ± {half:,.0f}" if half >= 10 else f"{_short(value)} ± {half:.2g}"


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
