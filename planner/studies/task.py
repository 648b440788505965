"""One cell as a worker gets it, and what came of it; all of it is plain data that any process can take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from planner.errors import PlannerError


class State(StrEnum):
    """Whether a cell that ran has an answer, of whatever status, or failed to give one."""

    DONE = "done"
    FAILED = "failed"


SIMULATED = "simulated"
"""The status of a policy's run; those of solvers are `planner.result.Status`."""

READY, RETIRED = "ready", "retired"
"""What a worker process says beside outcomes: that it takes cells now, and that it ends between two."""


@dataclass(frozen=True, slots=True)
class Task:
    """What to run: `path` must have the hash `sha256`, likewise `trace`, the name of the
    file of its jobs, if any, and `versions` be those of the process that runs it.

    `solver` is a solver's or policy's bare name. `time_limit` is in seconds, `memory_limit` in MB; `goal` is
    None for policies.
    """

    key: str
    path: str
    sha256: str
    trace: str | None
    trace_sha256: str | None
    instance: str
    kind: str
    solver: str
    options: Mapping[str, object]
    goal: str | None
    seed: int
    time_limit: float | None
    memory_limit: float | None
    threads: int
    reference: bool
    series: bool
    bound: bool
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a cell: `result` is JSON, a `planner/result/1` or one of the runs of a simulation.

    A failed one has no result but `error`, one sentence, `traceback`, what else is known, and the exit `code`
    of such a failure; an unsupported policy has no result and an error, too. `seconds` is wall time in the
    worker.
    """

    key: str
    state: State
    status: str
    seconds: float | None
    result: str | None = None
    error: str | None = None
    traceback: str | None = None
    code: int = 0


def failed(
    task: Task,
    error: str,
    traceback: str | None = None,
    seconds: float | None = None,
    code: int = PlannerError.exit_code,
) -> Outcome:
    """The outcome of a cell that gave no answer."""
    return Outcome(task.key, State.FAILED, "failed", seconds, None, error, traceback, code)
