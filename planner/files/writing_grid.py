"""Grid steps and their plans as dicts, lists, text and numbers."""

from __future__ import annotations

from typing import Any

from planner.files import formats
from planner.files.jsonable import Numbers, notes_of
from planner.grid.plan import GridPlan
from planner.grid.step import GridStep, Job, Resource


def step_tree(step: GridStep) -> dict[str, Any]:
    """The step as `planner/grid-step/1`."""
    number = Numbers(step.name)
    return {
        "format": formats.STEP,
        "name": step.name,
        **notes_of(step.notes),
        "max_jobs_per_resource": step.max_jobs_per_resource,
        "resources": [
            _resource(resource, number, f"resources[{index}]")
            for index, resource in enumerate(step.resources)
        ],
        "jobs": [_job(job, number, f"jobs[{index}]") for index, job in enumerate(step.jobs)],
    }


def plan_tree(plan: GridPlan, source: str | None) -> dict[str, Any]:
    """The plan as `planner/grid-plan/1`, for the step `source` where the plan does not name it."""
    name = plan.instance if plan.instance is not None else source
    assignments = [
        {"job": one.job, "resource": one.resource, "position": one.position, **notes_of(one.notes)}
        for one in plan.assignments
    ]
    named = {} if name is None else {"instance": name}
    return {"format": formats.GRID_PLAN, **named, **notes_of(plan.notes), "assignments": assignments}


def _resource(resource: Resource, number: Numbers, place: str) -> dict[str, Any]:
    utility = {} if resource.utility is None else {"utility": number(resource.utility, f"{place}.utility")}
    return {
        "name": resource.name,
        **notes_of(resource.notes),
        "capacity": number(resource.capacity, f"{place}.capacity"),
        "backlog": number(resource.backlog, f"{place}.backlog"),
        **utility,
    }


def _job(job: Job, number: Numbers, place: str) -> dict[str, Any]:
    scheduler = {} if job.scheduler is None else {"scheduler": job.scheduler}
    length = number(job.length, f"{place}.length")
    return {"name": job.name, **notes_of(job.notes), "length": length, **scheduler}
