"""What a person wants to see of a plan for a grid step."""

from __future__ import annotations

from fractions import Fraction

from planner.grid.plan import GridPlan
from planner.grid.step import GridStep
from planner.report.layout import Block, Cells, Column, glued, line, span, table
from planner.report.numbers import counted, number

MOST_ROWS = 20

_COLUMNS = [
    Column("resource"),
    Column("backlog", right=True),
    Column("capacity", right=True),
    Column("empty at", right=True),
    Column("new jobs in order", wrap=True),
]


def step_plan(plan: GridPlan, step: GridStep, width: int, indent: int) -> Block:
    """One row a resource that gets jobs, the last to be empty first; then a word on the others."""
    lengths = {job.name: job.length for job in step.jobs}
    queues: dict[str, list[tuple[int, str]]] = {}
    for assignment in plan.assignments:
        queues.setdefault(assignment.resource, []).append((assignment.position, assignment.job))
    ends: list[tuple[Fraction, Cells]] = []
    idle: list[Fraction] = []
    for resource in step.resources:
        queue = sorted(queues.get(resource.name, ()))
        end = (resource.backlog + sum(lengths[job] for _, job in queue)) / resource.capacity
        if not queue:
            idle.append(end)
            continue
        jobs = ", ".join(glued(job) for _, job in queue)
        texts = (resource.name, number(resource.backlog), number(resource.capacity), number(end), jobs)
        ends.append((end, Cells(tuple(span(text) for text in texts))))
    ends.sort(key=lambda pair: -pair[0])
    block = table(_COLUMNS, [row for _, row in ends[:MOST_ROWS]], width, indent) if ends else []
    return [*block, *_others(len(ends) - MOST_ROWS, idle, indent)]


def _others(left: int, idle: list[Fraction], indent: int) -> Block:
    """The resources that have no row: `left` for want of room, and those without a job, `idle` their ends."""
    texts = [f"and {counted(left, 'more resource')} with new jobs"] if left > 0 else []
    if idle:
        verb = "gets no job and is" if len(idle) == 1 else "get no job; the last of them is"
        texts.append(f"{counted(len(idle), 'resource')} {verb} empty at {number(max(idle))}")
    return [line(" " * indent, span(text, "faint")) for text in texts]
