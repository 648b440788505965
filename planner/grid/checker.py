"""Judge a plan for a grid step from the plan alone, in exact arithmetic.

Shares no code with any solver. Every value that belongs to one resource is exact; a sum over resources is
exact while its denominator stays below 2^256 and else the nearest double, for capacities that are doubles
have no common denominator that anybody could read (docs/model-grid.md).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from planner.grid.plan import Assignment, GridPlan
from planner.grid.step import GridStep
from planner.verdict import Verdict, Violation

_LARGEST_DENOMINATOR = 2**256


def check(step: GridStep, plan: GridPlan) -> Verdict:
    """Recompute flow, makespan and load of `plan`, and list every rule of `step` it breaks.

    The values are None where a job or resource is unknown, a job is missing or placed twice, or the positions
    on a resource are not 1, 2, 3, and so on.
    """
    resources = {resource.name: index for index, resource in enumerate(step.resources)}
    lengths = {job.name: job.length for job in step.jobs}
    violations = [
        *_unknown(plan, resources, lengths),
        *_jobs_placed(step, plan),
        *_positions(plan),
    ]
    if violations:
        return Verdict(None, None, (*violations, *_limits(step, plan)))
    queues: list[list[tuple[int, Fraction]]] = [[] for _ in step.resources]
    for assignment in plan.assignments:
        queues[resources[assignment.resource]].append((assignment.position, lengths[assignment.job]))
    flows, ends = [], []
    for resource, queue in zip(step.resources, queues, strict=True):
        finish = resource.backlog
        flow = Fraction(0)
        for _, length in sorted(queue):
            finish += length
            flow += finish
        flows.append(flow / resource.capacity)
        ends.append(finish / resource.capacity)
    load = total([max(Fraction(0), end - 1) for end in ends]) / len(step.resources)
    return Verdict(max(ends), None, tuple(_limits(step, plan)), flow=total(flows), load=load)


def total(values: Sequence[Fraction]) -> Fraction:
    """Their sum, exact while its denominator is below 2^256, else the nearest double to it."""
    common = 1
    for denominator in {value.denominator for value in values}:
        common = math.lcm(common, denominator)
        if common > _LARGEST_DENOMINATOR:
            return Fraction(math.fsum(float(value) for value in values))
    return Fraction(sum(value.numerator * (common // value.denominator) for value in values), common)


def _unknown(plan: GridPlan, resources: dict[str, int], lengths: dict[str, Fraction]) -> list[Violation]:
    found = []
    for index, assignment in enumerate(plan.assignments):
        where = f"assignments[{index}]"
        if assignment.job not in lengths:
            found.append(Violation("unknown job", where, f"there is no job {assignment.job!r}"))
        if assignment.resource not in resources:
            found.append(
                Violation("unknown resource", where, f"there is no resource {assignment.resource!r}")
            )
    return found


def _jobs_placed(step: GridStep, plan: GridPlan) -> list[Violation]:
    times = Counter(assignment.job for assignment in plan.assignments)
    found = []
    for job in step.jobs:
        if times[job.name] != 1:
            text = f"job {job.name!r} is placed {times[job.name]} times, and must be placed once"
            found.append(Violation("placement", "", text))
    return found


def _positions(plan: GridPlan) -> list[Violation]:
    found = []
    for name, queue in _by_resource(plan).items():
        turns = sorted(assignment.position for assignment in queue)
        if turns != list(range(1, len(turns) + 1)):
            text = f"the positions on {name!r} are {turns[:20]}, and must be 1 to {len(turns)}, each once"
            found.append(Violation("positions", "", text))
    return found


def _limits(step: GridStep, plan: GridPlan) -> list[Violation]:
    limit = step.max_jobs_per_resource
    if limit is None:
        return []
    return [
        Violation("max_jobs_per_resource", "", f"{name!r} gets {len(queue)} jobs, the limit is {limit}")
        for name, queue in _by_resource(plan).items()
        if len(queue) > limit
    ]


def _by_resource(plan: GridPlan) -> dict[str, list[Assignment]]:
    queues: dict[str, list[Assignment]] = {}
    for assignment in plan.assignments:
        queues.setdefault(assignment.resource, []).append(assignment)
    return queues
