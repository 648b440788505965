"""What a person wants to see of a plan for a grid step."""

from __future__ import annotations

from fractions import Fraction

from planner.grid.plan import GridPlan
from planner.grid.step import GridStep
from planner.report.layout import Block, Cells, Column, Line, line, span, table
from planner.report.numbers import counted, number

MOST_ROWS = 20


def step_plan(plan: GridPlan, step: GridStep, width: int, indent: int) -> Block:
    """One row a resource that gets jobs, the fullest first: its backlog, its new jobs, when it is empty."""
    lengths = {job.name: job.length for job in step.jobs}
    queues: dict[str, list[tuple[int, str]]] = {}
    for assignment in plan.assignments:
        queues.setdefault(assignment.resource, []).append((assignment.position, assignment.job))
    ends: list[tuple[Fraction, Cells]] = []
    for resource in step.resources:
        queue = sorted(queues.get(resource.name, ()))
        if not queue:
            continue
        end = (resource.backlog + sum(lengths[job] for _, job in queue)) / resource.capacity
        jobs = ", ".join(job for _, job in queue)
        texts = (resource.name, number(resource.backlog), number(resource.capacity), number(end), jobs)
        ends.append((end, Cells(tuple(span(text) for text in texts))))
    ends.sort(key=lambda pair: -pair[0])
    columns = [
        Column("resource"),
        Column("backlog", right=True),
        Column("capacity", right=True),
        Column("empty at", right=True),
        Column("new jobs in order", wrap=True),
    ]
    rows: list[Cells | Line] = [row for _, row in ends[:MOST_ROWS]]
    block = table(columns, rows, width, indent)
    left = len(ends) - MOST_ROWS
    if left > 0:
        block = [*block, line(" " * indent, span(f"and {counted(left, 'resource')} more", "faint"))]
    return block
