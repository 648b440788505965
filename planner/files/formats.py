"""The names of the formats, and what this version does with each."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

CLOUD = "planner/cloud/1"
STEP = "planner/grid-step/1"
SYSTEM = "planner/grid/1"
PLAN = "planner/cloud-plan/1"
GRID_PLAN = "planner/grid-plan/1"
RESULT = "planner/result/1"
EXPLANATION = "planner/explanation/1"
FRONTIER = "planner/frontier/1"
STUDY = "planner/study/1"

INSTANCES = (CLOUD, STEP)
"""What solvers take."""

READABLE = (CLOUD, STEP, SYSTEM, PLAN, GRID_PLAN, RESULT)
WRITTEN_ONLY = (
    EXPLANATION,
    FRONTIER,
    "planner/comparison/1",
    "planner/check/1",
    "planner/validation/1",
    "planner/solvers/1",
    "planner/simulation/1",
)

ALL = (*READABLE, STUDY, *WRITTEN_ONLY)

MEANING = {
    CLOUD: "a cloud instance",
    STEP: "a grid step",
    SYSTEM: "a grid system",
    PLAN: "a cloud plan",
    GRID_PLAN: "a grid plan",
    RESULT: "a result",
    STUDY: "a study",
}


def format_fault(given: object, wanted: tuple[str, ...]) -> str | None:
    """What is wrong with a file's `format` where one of `wanted` is needed; None where nothing is.

    `given` is the value of the key, or `...` where the key is missing.
    """
    known = f"known here: {', '.join(wanted)}"
    if given is ...:
        return f"is missing; {known}"
    if not isinstance(given, str):
        return f"must be text; {known}"
    if given in wanted:
        return None
    if given in MEANING:
        return f"this file is {MEANING[given]} ({given}); {_either(wanted)} is needed here"
    if given in WRITTEN_ONLY:
        return f"{given} is written only, never read; {known}"
    close = get_close_matches(given, wanted, 1)
    guess = f'did you mean "{close[0]}"? ' if close else ""
    return f"unknown format {given[:60]!r}; {guess}{known}"


def guess(tree: Mapping[str, object]) -> str | None:
    """The format that an object with these keys is most likely meant to have; None where none is likely."""
    if "applications" in tree or "instance_types" in tree:
        return CLOUD
    if "instances" in tree and ("solvers" in tree or "policies" in tree):
        return STUDY
    if "vms" in tree:
        return PLAN
    if "assignments" in tree:
        return GRID_PLAN
    if "solver" in tree and "plan" in tree:
        return RESULT
    if "resources" in tree and "jobs" in tree:
        return SYSTEM if "schedulers" in tree or "steps" in tree else STEP
    return None


def _either(wanted: tuple[str, ...]) -> str:
    """`a cloud plan, a grid plan or a result`."""
    *first, last = (MEANING[name] for name in wanted)
    return f"{', '.join(first)} or {last}" if first else last
