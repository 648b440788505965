"""Whether a step has a place for every job."""

from __future__ import annotations

from planner.grid.step import GridStep


def too_few(step: GridStep) -> str | None:
    """Why the step has no plan, with its numbers; None where it has one."""
    jobs, resources, places = len(step.jobs), len(step.resources), step.places
    if places is None or jobs <= places:
        return None
    return (
        f"{jobs:,} jobs, but {resources:,} resources with max_jobs_per_resource "
        f"{step.max_jobs_per_resource:,} have only {places:,} places, {jobs - places:,} too few"
    )
