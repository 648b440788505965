"""A budget-makespan frontier as a table, as flat rows and as CSV."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.report import rows as result_rows
from planner.report.layout import Block, Cells, Column, Line, added, glued, line, paragraph, span, table
from planner.report.names import visible
from planner.report.numbers import counted, number, percent
from planner.report.tables import NONE, STYLES, WIDTH
from planner.result import Result, Status
from planner.summary import excess

if TYPE_CHECKING:
    from planner.tradeoff import Frontier, Point

_SHOWN_GAPS = 3

COLUMNS = {
    "budget": "most that the plan may cost, nearest double",
    "budget_exact": "the same as an exact fraction",
    "overlay": "whether the solver is an overlay, not the frontier's own",
    **result_rows.COLUMNS,
}
"""Column names, in order, with what each holds. What does not exist is None (empty in CSV)."""


def frontier_rows(frontier: Frontier) -> list[dict[str, object]]:
    """One dict a budget and solver with the keys of `COLUMNS`, by budget; `excess` is over the best at it."""
    found: list[dict[str, object]] = []
    for point, others in _by_budget(frontier):
        results = [point.result, *(result for _, result in others)]
        head: dict[str, object] = {"budget": float(point.budget), "budget_exact": str(point.budget)}
        found += [
            {**head, "overlay": index > 0, **row} for index, row in enumerate(result_rows.rows(results))
        ]
    return found


def frontier_csv(frontier: Frontier) -> str:
    """The rows as CSV, header first: quoted as in RFC 4180, newline at line ends, booleans in lower case."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    for row in frontier_rows(frontier):
        writer.writerow({k: str(v).lower() if isinstance(v, bool) else v for k, v in row.items()})
    return text.getvalue()


def frontier_table(frontier: Frontier, width: int = WIDTH) -> Block:
    """One row a budget, what is proven of all of them together, and the overlays in a table of their own."""
    columns = [
        Column("budget", right=True),
        Column("makespan", right=True),
        Column("cost", right=True),
        Column("bound", right=True),
        Column("gap", right=True),
        Column("status"),
        Column("VMs", wrap=True),
    ]
    name = visible(frontier.instance.name)
    block: Block = [line(span(name, "strong"), "  ", span(f"solver {frontier.solver}", "faint"))]
    block += table(columns, [_row(point) for point in frontier.points], width)
    if frontier.overlays:
        block += [(), *_overlays(frontier, width)]
    block += [(), *paragraph("; ".join(told(frontier)), width)]
    for result in (point.result for point in frontier.points):
        if result.status is Status.INFEASIBLE and frontier.least_budget is None and result.message:
            return [*block, *paragraph(result.message, width)]
    return block


def told(frontier: Frontier) -> list[str]:
    """What a person should know of the points as a whole."""
    statuses = [point.result.status for point in frontier.points]
    planned = [point for point in frontier.points if point.result.plan is not None]
    facts = [counted(len(statuses), "budget")]
    if planned:
        optimal = statuses.count(Status.OPTIMAL)
        facts.append("all proven" if optimal == len(planned) else f"{optimal} of {len(planned)} proven")
    infeasible = statuses.count(Status.INFEASIBLE)
    if infeasible:
        facts.append(f"{infeasible} too small" if planned else "none works")
    if frontier.least_budget is not None:
        facts.append(f"the least budget that works is {number(frontier.least_budget)}")
    if len(planned) > 1:
        ends = f"{number(planned[0].budget)} and {number(planned[-1].budget)}"
        facts.append(
            f"no other budget between {ends} changes the makespan"
            if frontier.complete
            else f"the makespan may have further steps between {_open(frontier) or ends}"
        )
    return facts


def _open(frontier: Frontier) -> str:
    """The intervals in which steps may be missing, where they are few."""
    gaps = frontier.gaps
    if len(gaps) > _SHOWN_GAPS:
        return ""
    return ", ".join(glued(f"{number(gap.low)} and {number(gap.high)}") for gap in gaps)


def _row(point: Point) -> Cells:
    result = point.result
    vms = {} if result.plan is None else result.plan.fleet
    return Cells(
        (
            span(number(point.budget), "strong"),
            span(_number(result.makespan)),
            span(_number(result.cost)),
            span(_number(result.bound)),
            span(NONE if result.gap is None else percent(result.gap)),
            span(result.status.value, STYLES[result.status]),
            span(added(vms) or NONE),
        )
    )


def _overlays(frontier: Frontier, width: int) -> Block:
    """Makespan of each other solver, and its excess over the best plan for that budget."""
    labels = list(frontier.overlays)
    columns = [Column("budget", right=True), *(Column(name, right=True) for name in labels)]
    rows: list[Cells | Line] = []
    for point, others in _by_budget(frontier):
        results = dict(others)
        if not results:
            continue
        peers = [point.result, *results.values()]
        rows.append(
            Cells(
                (
                    span(number(point.budget), "strong"),
                    *(span(_compared(results.get(name), peers)) for name in labels),
                )
            )
        )
    return table(columns, rows, width)


def _compared(result: Result | None, peers: list[Result]) -> str:
    if result is None:
        return NONE
    if result.makespan is None:
        return result.status.value
    over = excess(result, peers)
    return number(result.makespan) + ("" if over is None else f" (+{percent(over)})")


def _by_budget(frontier: Frontier) -> list[tuple[Point, list[tuple[str, Result]]]]:
    """Each point with what the overlays have at its budget."""
    by_solver = {
        name: {point.budget: point.result for point in points} for name, points in frontier.overlays.items()
    }
    return [
        (point, [(name, own[point.budget]) for name, own in by_solver.items() if point.budget in own])
        for point in frontier.points
    ]


def _number(value: Fraction | None) -> str:
    return NONE if value is None else number(value)
