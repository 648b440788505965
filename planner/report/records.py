"""One cell of a comparison or study, as reports read it: who ran on what, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from planner.report.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Record:
    """One (instance, solver or policy with options, goal, seed).

    `kind` is "cloud", "grid-step" or "grid"; `solver` is the name with options as the command line takes it.
    `status` is that of the result, "simulated" for a run of a policy, "failed" for a cell without a result.
    `result` is an object as in `planner/result/1`, or for a policy one of the `runs` of
    `planner/simulation/1`; None where it failed, and `error` and `traceback` tell why. `facts` are numbers of
    the instance that a report may plot against: `budget`, `deadline`, `quantum` (seconds billed at once),
    `tasks`, `jobs`, `resources`, `load`.
    """

    instance: str
    instance_sha256: str | None
    kind: str
    solver: str
    goal: str | None
    seed: int
    status: str
    seconds: float | None
    result: Mapping[str, Any] | None
    error: str | None = None
    traceback: str | None = None
    facts: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reported:
    """What one report is about.

    `title` names it; `what` says in up to three lines what was run; `command` is the one that runs it again;
    `environment` are names and versions of what it ran with; `pending` counts cells that have not run.
    `schedule` is one plan to draw: `schedule.to_draw` picks a record, `schedule.schedule_of` makes it with
    the record's instance.
    """

    title: str
    what: tuple[str, ...]
    command: str
    environment: Mapping[str, str]
    records: tuple[Record, ...]
    pending: int = 0
    schedule: Schedule | None = None
