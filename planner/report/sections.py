"""From records to the sections of a report: overview, failures, a section a goal, environment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from planner.report.cells import ALOR, cell_frame, contradictions
from planner.report.chart.budgets import budget_curve, fleets
from planner.report.chart.figure import Figure
from planner.report.chart.looks import MOST
from planner.report.chart.plan import plan_figure
from planner.report.chart.policies import load_figure
from planner.report.chart.profiles import time_profile, value_profile
from planner.report.contents import Block, Code, Detail, Figures, Section, TextTable, Words
from planner.report.families import families
from planner.report.names import visible
from planner.report.numbers import counted
from planner.report.pairs import paired
from planner.report.profiles import by_problem, duels
from planner.report.records import Record, Reported
from planner.report.standings import standings
from planner.report.summaries import (
    duel_table,
    pair_table,
    policy_table,
    standing_table,
    system_table,
    verdict,
)

MOST_FAMILIES = 3
MOST_SYSTEMS = 6
MOST_FAILURES = 40
"""Kinds of failure that are told with their traceback."""

STATUSES = {
    "optimal": "a plan, proven the best",
    "feasible": "a plan, not proven the best",
    "simulated": "a policy's run",
    "infeasible": "proven to have no plan",
    "unknown": "neither plan nor proof",
    "unsupported": "beyond what the solver can do",
    "failed": "no answer: crash, limit of memory, failed check",
}

_UNITS = {"makespan": "s", "cost": "money", "flow": "steps", "load": "steps", ALOR: "steps"}
_KINDS = {"cloud": "Cloud", "grid-step": "Grid step", "grid": "Grid system"}


@dataclass(frozen=True, slots=True)
class Sections:
    """All sections in order, and the cells they are about."""

    sections: tuple[Section, ...]
    frame: pd.DataFrame


def sections_of(reported: Reported) -> Sections:
    """Everything a report says."""
    frame = cell_frame(reported.records)
    found = [_statuses(reported, frame)]
    failures = _failures(reported.records)
    if failures is not None:
        found.append(failures)
    for number, ((kind, goal), own) in enumerate(frame.groupby(["kind", "goal"], sort=False), 1):
        found.append(_part(f"part{number}", str(kind), str(goal), own, reported.records))
    if reported.schedule is not None:
        figure = plan_figure(reported.schedule, "plan")
        if figure is not None:
            found.append(Section("one-plan", "One plan", (Figures((figure,)),)))
    found.append(_environment(reported))
    return Sections(tuple(found), frame)


def _statuses(reported: Reported, frame: pd.DataFrame) -> Section:
    counts = frame["status"].value_counts()
    present = [status for status in STATUSES if counts.get(status, 0)]
    rows = [
        (str(solver), *(str(int((own["status"] == status).sum())) for status in present), str(len(own)))
        for solver, own in frame.groupby("solver", sort=False)
    ]
    blocks: list[Block] = []
    if not len(frame):
        blocks.append(Words("No cell has run.", warning=True))
    if reported.pending:
        blocks.append(
            Words(f"{counted(reported.pending, 'cell')} of this study did not run yet.", warning=True)
        )
    wrong = contradictions(frame)
    if len(wrong):
        cell = wrong.iloc[0]
        blocks.append(
            Words(
                f"{counted(len(wrong), 'plan')} better than what another cell calls the best possible, the "
                f"first of {cell['solver']} on {cell['instance']}: one of the two is wrong, and so are gaps.",
                warning=True,
            )
        )
    note = "; ".join(f"{status}: {STATUSES[status]}" for status in present)
    if rows:
        blocks.append(TextTable("Cells by status", ("solver", *present, "all"), tuple(rows), note=note))
    return Section("status", "What came of the cells", tuple(blocks))


def _failures(records: Sequence[Record]) -> Section | None:
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if record.status == "failed":
            line = (record.error or "no reason is known").splitlines()[0]
            groups.setdefault((record.solver, _general(line, record.instance)), []).append(record)
    if not groups:
        return None
    blocks: list[Block] = []
    for (solver, error), own in sorted(groups.items(), key=lambda item: -len(item[1]))[:MOST_FAILURES]:
        example = own[0]
        where = f"{visible(example.instance)}, seed {example.seed}"
        times = where if len(own) == 1 else f"{counted(len(own), 'cell')}, the first {where}"
        body = example.traceback or example.error or "no traceback was kept"
        blocks.append(
            Detail(
                f"{visible(solver)} on {times}: {visible(error)[:300]}",
                "\n".join(visible(line) for line in body.splitlines()),
            )
        )
    if len(groups) > MOST_FAILURES:
        blocks.append(
            Words(f"{len(groups) - MOST_FAILURES} more kinds of failure are in the table of cells.")
        )
    count = sum(len(own) for own in groups.values())
    return Section("failures", f"{counted(count, 'cell')} failed", tuple(blocks))


def _general(error: str, instance: str) -> str:
    """The error without the instance's name, so that one fault on many instances is told once."""
    return error.removeprefix(f"{instance}: ")


def _part(key: str, kind: str, goal: str, frame: pd.DataFrame, records: Sequence[Record]) -> Section:
    """All that is said about the cells of one kind and goal."""
    found = standings(frame)
    ranked = [standing.solver for standing in found]
    instances = frame[["instance", "instance_sha256"]].drop_duplicates()
    noun, who = ("system", "policy") if kind == "grid" else ("instance", "solver")
    several = ranked if len(ranked) > MOST else None
    blocks: list[Block] = [Words(verdict(found, goal))] if len(found) > 1 else []
    figures: list[Figure | None] = []
    if kind == "grid":
        blocks.append(policy_table(found, frame, records))
        if len(instances) > 1:
            blocks.append(system_table(frame, ranked))
        figures += _systems(key, frame, records, ranked)
    else:
        blocks.append(standing_table(found, goal))
    if several:
        blocks.append(
            Words(f"Figures show the {MOST} of {len(ranked)} that come closest to the best, tables all.")
        )
    figures.append(value_profile(frame, key, goal, ranked))
    figures.append(None if kind == "grid" else time_profile(frame, key, ranked))
    blocks += _side_by_side(figures)
    if kind == "grid" and len(instances) > MOST_SYSTEMS:
        blocks.append(Words(f"Load over time is shown of {MOST_SYSTEMS} of {len(instances)} systems."))
    if kind == "cloud":
        blocks += _families(key, frame, records, ranked, goal)
    if len(ranked) > 1:
        values = by_problem(frame, "objective")
        shown = [name for name in ranked if name in values.columns][:MOST]
        if len(shown) > 1 and len(values) > 1:
            blocks.append(duel_table(duels(values[shown]), shown, goal))
        blocks.append(pair_table(paired(frame, ranked), goal))
    plural = (
        "policies" if who == "policy" and len(ranked) != 1 else counted(len(ranked), who).split(" ", 1)[1]
    )
    title = f"{_KINDS.get(kind, kind)}: {goal} of {len(ranked)} {plural} on {counted(len(instances), noun)}"
    return Section(key, title, tuple(blocks))


def _systems(
    key: str, frame: pd.DataFrame, records: Sequence[Record], ranked: Sequence[str]
) -> list[Figure | None]:
    """Load over time, a figure a system; of very many the first ones."""
    groups = list(frame.groupby(["instance", "instance_sha256"], sort=False))[:MOST_SYSTEMS]
    return [
        load_figure(str(name), own, records, f"{key}-load{number}", ranked)
        for number, ((name, _), own) in enumerate(groups, 1)
    ]


def _families(
    key: str, frame: pd.DataFrame, records: Sequence[Record], ranked: Sequence[str], goal: str
) -> list[Block]:
    found = families(frame)
    figures: list[Figure | None] = []
    for number, (name, own) in enumerate(list(found.items())[:MOST_FAMILIES], 1):
        quanta = {records[int(row)].facts.get("quantum") for row in own.drop_duplicates("instance").index}
        quantum = quanta.pop() if len(quanta) == 1 else None
        unit = _UNITS.get(goal, "")
        figures.append(budget_curve(name, own, f"{key}-budget{number}", ranked, goal, unit, quantum))
        figures.append(fleets(name, own, records, f"{key}-fleet{number}", ranked))
    blocks = _side_by_side(figures)
    if len(found) > MOST_FAMILIES:
        blocks.append(Words(f"Curves over budgets are shown of {MOST_FAMILIES} of {len(found)} families."))
    return blocks


def _side_by_side(figures: Sequence[Figure | None]) -> list[Block]:
    present = tuple(figure for figure in figures if figure is not None)
    return [Figures(present)] if present else []


def _environment(reported: Reported) -> Section:
    found = {
        pair for record in reported.records for pair in ((record.result or {}).get("versions") or {}).items()
    }
    rows = dict.fromkeys([*reported.environment.items(), *sorted(found)])
    shown = [(visible(name), visible(str(value))) for name, value in rows]
    blocks: list[Block] = []
    mixed = sorted(name for name, count in Counter(name for name, _ in shown).items() if count > 1)
    if mixed:
        blocks.append(Words(f"Cells ran with several versions of {', '.join(mixed)}.", warning=True))
    shown.append(("seeds", _ranges(sorted({record.seed for record in reported.records}))))
    blocks.append(TextTable("What it ran with", ("what", "value"), tuple(shown), left=2))
    blocks.append(Code("The command that runs it again", visible(reported.command)))
    return Section("environment", "Environment", tuple(blocks))


def _ranges(seeds: Sequence[int]) -> str:
    """`1–10, 12`."""
    parts: list[list[int]] = []
    for seed in seeds:
        if parts and seed == parts[-1][1] + 1:
            parts[-1][1] = seed
        else:
            parts.append([seed, seed])
    return ", ".join(str(low) if low == high else f"{low}–{high}" for low, high in parts) or "-"
