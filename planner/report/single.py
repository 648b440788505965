"""One result on its own: as a block to read, or as one line among many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan, PlannedVM
from planner.goal import Goal
from planner.grid.step import GridStep
from planner.kinds import Instance
from planner.report.layout import (
    Block,
    Cells,
    Column,
    Span,
    added,
    cells,
    glued,
    line,
    paragraph,
    span,
    table,
)
from planner.report.names import label, visible
from planner.report.numbers import counted, duration, elapsed, number, percent
from planner.report.step import step_plan
from planner.report.tables import STYLES, WIDTH
from planner.result import Result, Status, StoppedBy
from planner.verdict import Verdict

_REASONS = {
    StoppedBy.COMPLETED: "completed",
    StoppedBy.TIME_LIMIT: "at the time limit",
    StoppedBy.INTERRUPTED: "by an interrupt",
    StoppedBy.ERROR: "by an error",
}

_INDENT = 2
_BEYOND_NAME = 64
"""Columns that a line of `result_lines` takes behind the name, fourteen of them for the VMs."""


class TypeUse(NamedTuple):
    """What a plan does with one type: VMs, shortest and longest runtime (s), cost, tasks by application."""

    type: str
    vms: int
    shortest: Fraction | None
    longest: Fraction | None
    cost: Fraction | None
    tasks: dict[str, int]


def uses(instance: CloudInstance, plan: CloudPlan) -> Iterator[TypeUse]:
    """What the plan does with each type it rents, valued by the checker, in the plan's order."""
    # Without tasks to be missed, the checker values a VM alone and quickly.
    bare = replace(instance, applications=tuple(replace(a, tasks=()) for a in instance.applications))
    by_type: dict[str, list[PlannedVM]] = {}
    for vm in plan.vms:
        by_type.setdefault(vm.type, []).append(vm)
    for name, vms in by_type.items():
        tasks: Counter[str] = Counter()
        for vm in vms:
            for planned in vm.tasks:
                tasks[planned.application] += vm.count * planned.count
        verdicts = [check(bare, CloudPlan(plan.instance, (vm,))) for vm in vms]
        times = [verdict.makespan for verdict in verdicts if verdict.makespan is not None]
        costs = [verdict.cost for verdict in verdicts if verdict.cost is not None]
        cost = sum(costs, Fraction(0)) if len(costs) == len(vms) else None
        count = sum(vm.count for vm in vms)
        yield TypeUse(name, count, min(times, default=None), max(times, default=None), cost, dict(tasks))


def result_block(result: Result[Any], instance: Instance, width: int) -> Block:
    """All that a person wants to know about one result: what it is worth, what is proven, what to rent."""
    currency = instance.notes.currency
    block: Block = [
        line(span(result.instance, "strong"), "  ", span(result.status.value, STYLES[result.status]))
    ]
    facts = [("solver", label(result)), *values(result, instance)]
    unit, tick_unit = "", "steps"
    if isinstance(instance, CloudInstance):
        unit, tick_unit = " s" if result.goal is Goal.MAKESPAN else _unit(currency), "s"
    if result.bound is not None:
        gap = "" if result.gap is None else f", gap {percent(result.gap)}"
        facts.append(("bound", f"{result.goal.value} at least {number(result.bound)}{unit}{gap}"))
    facts.append(("stopped", f"{_REASONS[result.stopped_by]}, {elapsed(result.seconds.total)} s"))
    if result.resolution is not None and result.resolution.rounded:
        tick = f"{float(result.resolution.seconds_per_tick):.3g} {tick_unit}"
        facts.append(("ticks", f"times were rounded to {tick}: up for plans, down for bounds"))
    for name, text in facts:
        head = f"{' ' * _INDENT}{name:<8}  "
        block += paragraph(text, width, " " * len(head), first=head)
    if result.message and result.status is not Status.FAILED:
        block += [(), *paragraph(result.message, width, " " * _INDENT)]
    if result.plan is not None and isinstance(instance, CloudInstance):
        block += [(), *_fleet(result.plan, instance, width)]
    elif result.plan is not None and isinstance(instance, GridStep):
        block += [(), *step_plan(result.plan, instance, width, _INDENT)]
    return block


def values(judged: Result[Any] | Verdict, instance: Instance) -> list[tuple[str, str]]:
    """What the plan is worth in each goal of its kind that it has a value in, by the goal's name."""
    return _cloud_values(judged, instance) if isinstance(instance, CloudInstance) else _step_values(judged)


def _cloud_values(judged: Result[Any] | Verdict, instance: CloudInstance) -> list[tuple[str, str]]:
    facts = []
    if judged.makespan is not None:
        facts.append(("makespan", duration(judged.makespan) + _of(instance.deadline, " s")))
    if judged.cost is not None:
        facts.append(("cost", number(judged.cost) + _of(instance.budget) + _unit(instance.notes.currency)))
    return facts


def _step_values(judged: Result[Any] | Verdict) -> list[tuple[str, str]]:
    meanings = {
        Goal.FLOW: "total completion time of the new jobs, in steps",
        Goal.MAKESPAN: "steps until the last resource is empty",
        Goal.LOAD: "mean load (ALoR) at the end of the step",
    }
    found = [(goal, judged.value(goal), meaning) for goal, meaning in meanings.items()]
    return [
        (goal.value, f"{number(value)}  ({meaning})") for goal, value, meaning in found if value is not None
    ]


def result_lines(result: Result[Any], name_width: int = 0, width: int = WIDTH) -> Block:
    """One result among many: `b60  optimal  3500 s  cost 60  gap 0.00 %  2 it3 + 4 it4`, or why not.

    What is too long goes on below itself; a name too long stands alone, and the others need no room for it.
    """
    name = visible(result.instance)
    longest = max(10, width - _BEYOND_NAME)
    name_width = min(name_width, longest)
    alone: Block = []
    if cells(name) > longest:
        alone, name = [line(span(name, "strong"))], ""
    head: list[Span | str] = [
        span(name, "strong"),
        " " * (name_width - cells(name)),
        "  ",
        span(f"{result.status.value:<10}", STYLES[result.status]),
        "  ",
    ]
    text = " ".join((result.message or "").split())
    gap = "" if result.gap is None else f"gap {percent(result.gap):>7}"
    if result.makespan is not None and result.cost is not None:
        head.append(f"{number(result.makespan):>7} s  cost {number(result.cost):>5}  {gap:<11}  ")
        text = "" if result.plan is None else added(result.plan.fleet)
    elif result.objective is not None:
        head.append(f"{result.goal.value} {number(result.objective):>7}  {gap:<11}  ")
        text = "" if result.plan is None else f"jobs on {counted(result.plan.used, 'resource')}"
    used = sum(cells(part if isinstance(part, str) else part.text) for part in head)
    first, *rest = paragraph(text, width, " " * used, first="") if text else [()]
    return [*alone, (*line(*head), *first), *rest]


def _fleet(plan: CloudPlan, instance: CloudInstance, width: int) -> Block:
    columns = [
        Column("VMs", right=True),
        Column("type"),
        Column("runtime (s)", right=True),
        Column("cost", right=True),
        Column("tasks", wrap=True),
    ]
    rows = []
    for use in uses(instance, plan):
        tasks = ", ".join(glued(f"{count} {name}") for name, count in use.tasks.items())
        cost = "?" if use.cost is None else number(use.cost)
        rows.append(Cells((span(str(use.vms)), span(use.type), span(_range(use)), span(cost), span(tasks))))
    return table(columns, rows, width, _INDENT)


def _range(use: TypeUse) -> str:
    if use.shortest is None or use.longest is None:
        return "?"
    if use.shortest == use.longest:
        return number(use.longest)
    return f"{number(use.shortest)} to {number(use.longest)}"


def _of(limit: Fraction | None, unit: str = "") -> str:
    return "" if limit is None else f" of {number(limit)}{unit}"


def _unit(currency: str | None) -> str:
    return "" if currency is None else f" {visible(currency)}"
