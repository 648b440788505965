"""Results of several solvers on several instances as a table, with one summary line a solver."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from typing import Any, NamedTuple

from planner.cloud.plan import CloudPlan
from planner.goal import Goal
from planner.kinds import CLOUD, Plan
from planner.report.layout import (
    Block,
    Cells,
    Column,
    Line,
    Span,
    added,
    cells,
    glued,
    line,
    paragraph,
    plain,
    span,
    table,
)
from planner.report.names import label, visible
from planner.report.numbers import elapsed, number, percent
from planner.result import Result, Status
from planner.summary import SolverSummary, groups, summarise

WIDTH = 80

STYLES = {
    Status.OPTIMAL: "good",
    Status.FEASIBLE: "fair",
    Status.INFEASIBLE: "warn",
    Status.UNKNOWN: "warn",
    Status.UNSUPPORTED: "faint",
    Status.FAILED: "bad",
}

NONE = "-"
"""Stands in tables where a value does not exist."""

_LONGEST_NAME = 24
"""Instance names up to this long share the row with the numbers where there is one solver only."""


def comparison_table(results: Sequence[Result[Any]], width: int = WIDTH) -> Block:
    """One row a result, grouped by instance, then a summary line for each solver."""
    by_instance = groups(results)
    if not by_instance:
        return []
    one_solver = all(len(group) == 1 for group in by_instance) and len({label(r) for r in results}) == 1
    short = all(cells(visible(result.instance)) <= _LONGEST_NAME for result in results)
    if one_solver and short:
        head = [line(span("solver ", "faint"), span(label(results[0]), "strong"))]
        body = _flat(by_instance, width)
    else:
        head = []
        body = _grouped(by_instance, width)
    return [*head, *body, (), *summary_table(summarise(results), width)]


def summary_table(summaries: Iterable[SolverSummary], width: int = WIDTH) -> Block:
    """One line a solver; `SolverSummary` says what the numbers are.

    optimal: of the instances not proven infeasible. worst: the largest gap. excess: the mean over the best
    plan known. no plan: the other outcomes.
    """
    columns = [
        Column("summary"),
        Column("optimal", right=True),
        Column("mean gap", right=True),
        Column("worst", right=True),
        Column("excess", right=True),
        Column("solved", right=True),
        Column("seconds", right=True),
        Column("no plan", wrap=True),
    ]
    return _fitted(columns, [Cells(_summary_cells(summary)) for summary in summaries], width)


def as_text(block: Block) -> str:
    """The table as plain text."""
    return plain(block)


def as_html(results: Sequence[Result[Any]]) -> str:
    """An HTML table, one row a result, all names and messages escaped; notebooks show it."""
    view = _view(results)
    titles = ["instance", "solver", "status", *(column.title for column in _columns(view)), "message"]
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join(f"<tr>{_html_row(result, view)}</tr>" for result in results)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _grouped(by_instance: list[list[Result[Any]]], width: int) -> Block:
    view = _view([result for group in by_instance for result in group])
    rows: list[Cells | Line] = []
    for group in by_instance:
        rows += [(), line(span(group[0].instance, "strong"))]
        rows += [Cells((span(f"  {label(result)}"), *_cells(result, view))) for result in group]
        rows += _notes(group, width)
    return _fitted([Column("  solver"), Column("status"), *_columns(view)], rows, width)


def _fitted(columns: Sequence[Column], rows: Sequence[Cells | Line], width: int) -> Block:
    """The table; where long first cells (solvers with options) make it too wide, they get their own lines."""
    block = table(columns, rows, width)
    stacked: list[Cells | Line] = []
    for row in rows:
        stacked += [(row.spans[0],), Cells((span(""), *row.spans[1:]))] if isinstance(row, Cells) else [row]
    narrower = table(columns, stacked, width)
    return narrower if width < _widest(block) > _widest(narrower) else block


def _widest(block: Block) -> int:
    return max((cells("".join(part.text for part in parts).rstrip()) for parts in block), default=0)


def _flat(by_instance: list[list[Result[Any]]], width: int) -> Block:
    view = _view([result for group in by_instance for result in group])
    rows: list[Cells | Line] = []
    for (result,) in by_instance:
        rows.append(Cells((span(result.instance, "strong"), *_cells(result, view))))
        if result.message:
            rows += paragraph(result.message, width, "  ", "faint")
    return _fitted([Column("instance"), Column("status"), *_columns(view)], rows, width)


class _View(NamedTuple):
    """What the columns show: cloud values, or the objective, with its goal where goals differ."""

    cloud: bool
    goal: Goal | None

    def titles(self) -> tuple[str, str, str]:
        """Of the two values before the bound, and of what the plan uses: VMs, or how many resources."""
        if self.cloud:
            return "makespan", "cost", "VMs"
        return "objective" if self.goal is None else self.goal.value, self._other.value, "used"

    def values(self, result: Result[Any]) -> tuple[str, str]:
        """The two values."""
        if self.cloud:
            return _number(result.makespan), _number(result.cost)
        name = f"{result.goal.value} " if self.goal is None and result.objective is not None else ""
        return name + _number(result.objective), _number(result.value(self._other))

    @property
    def _other(self) -> Goal:
        """Of steps, the value to show beside the objective."""
        return Goal.FLOW if self.goal is Goal.MAKESPAN else Goal.MAKESPAN


def _view(results: Sequence[Result[Any]]) -> _View:
    goals = {result.goal for result in results}
    cloud = all(result.kind == CLOUD.name for result in results)
    return _View(cloud, goals.pop() if len(goals) == 1 else None)


def _columns(view: _View) -> list[Column]:
    one, two, used = view.titles()
    numbers = [Column(title, right=True) for title in (one, two, "bound", "gap", "seconds")]
    return [*numbers, Column(used, wrap=True)]


def _cells(result: Result[Any], view: _View) -> tuple[Span, ...]:
    values = [*view.values(result), _number(result.bound)]
    share = NONE if result.gap is None else percent(result.gap)
    return (
        span(result.status.value, STYLES[result.status]),
        *(span(value) for value in values),
        span(share),
        span(elapsed(result.seconds.total)),
        span(_used(result.plan)),
    )


def _used(plan: Plan | None) -> str:
    if plan is None:
        return NONE
    return added(plan.fleet) or NONE if isinstance(plan, CloudPlan) else str(plan.used)


def _notes(group: Sequence[Result[Any]], width: int) -> Block:
    """The messages of a group, each once, with the solvers they are from where not all say the same."""
    messages: dict[str, list[str]] = {}
    for result in group:
        if result.message:
            messages.setdefault(result.message, []).append(label(result))
    block: Block = []
    for message, solvers in messages.items():
        names = "" if len(solvers) == len(group) else f"{', '.join(solvers)}: "
        block += paragraph(names + message, width, "    ", "faint")
    return block


def _summary_cells(summary: SolverSummary) -> tuple[Span, ...]:
    possible = summary.cells - summary.infeasible
    counts = {
        "infeasible": summary.infeasible,
        "unknown": summary.unknown,
        "unsupported": summary.unsupported,
        "failed": summary.failed,
    }
    rest = ", ".join(glued(f"{count} {name}") for name, count in counts.items() if count)
    return (
        span(summary.solver, "strong"),
        span(f"{summary.optimal}/{possible}" if possible else NONE),
        span(_percent(summary.mean_gap)),
        span(_percent(summary.worst_gap)),
        span(_percent(summary.mean_excess)),
        span(f"{summary.solved}/{summary.cells}"),
        span(elapsed(summary.seconds)),
        span(rest or NONE, "bad" if summary.failed else ""),
    )


def _html_row(result: Result[Any], view: _View) -> str:
    status, *values = _cells(result, view)
    texts = [visible(result.instance), visible(label(result)), status.text]
    texts += [value.text.replace("\u00a0", " ") for value in values]
    texts.append(visible(result.message or ""))
    return "".join(f"<td>{escape(text)}</td>" for text in texts)


def _number(value: Fraction | None) -> str:
    return NONE if value is None else number(value)


def _percent(share: Fraction | None) -> str:
    return NONE if share is None else percent(share)
