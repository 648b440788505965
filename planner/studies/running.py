"""Get the missing cells of a study done: claim, run, store, until none is left."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from planner.studies.claims import Claimer
from planner.studies.engine import Engine
from planner.studies.store import Known, Store
from planner.studies.task import Outcome, State, Task

_POLL_SECONDS = 0.5
_LOOK_AGAIN_SECONDS = 0.2
"""Between two looks at cells that another run is at: there is no way to be told."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many cells there are, and what has become of them."""

    total: int
    done: int
    failed: int

    @property
    def pending(self) -> int:
        """Cells that have not run."""
        return self.total - self.done - self.failed


@dataclass(frozen=True, slots=True)
class Missing:
    """The cells that are to be run, and what the store has of those that failed and are run again."""

    tasks: tuple[Task, ...]
    again: dict[str, Known]


def counts(store: Store | None, keys: Sequence[str]) -> Counts:
    """What the store has of these cells; None: there is no store yet."""
    known = {} if store is None else store.known(keys)
    failed = sum(one.state is State.FAILED for one in known.values())
    return Counts(len(keys), len(known) - failed, failed)


def missing(store: Store, tasks: Sequence[Task], retry_failed: bool) -> Missing:
    """The cells among these that the store has no result of; failed ones only with `retry_failed`."""
    known = store.known([task.key for task in tasks])
    again = {key: one for key, one in known.items() if one.state is State.FAILED and retry_failed}
    return Missing(tuple(task for task in tasks if task.key not in known or task.key in again), again)


def run_missing(
    store: Store,
    claimer: Claimer,
    engine: Engine,
    wanted: Missing,
    on_done: Callable[[Task, Outcome | None], None],
) -> None:
    """Run the cells, each stored as soon as it is known; `on_done` is told each, None: another run had it.

    Cells that another run is at are waited for, and taken over where its process ends before them. Raises
    what the store or the engine raises; what is stored then stays, and claims end with the claimer.
    """
    pending, busy = deque(wanted.tasks), deque[Task]()
    in_flight = 0
    looked = 0.0
    while pending or busy or in_flight:
        room = engine.room()
        if room and not pending and busy and time.perf_counter() - looked > _LOOK_AGAIN_SECONDS:
            pending, busy, looked = busy, deque(), time.perf_counter()
        if room and pending:
            some = [pending.popleft() for _ in range(min(room, len(pending)))]
            claimed = store.claim(some, claimer, wanted.again)
            for task in claimed.settled:
                on_done(task, None)
            busy.extend(claimed.busy)
            if claimed.taken:
                engine.submit(claimed.taken)
                in_flight += len(claimed.taken)
        if in_flight:
            for task, outcome in engine.poll(0.0 if pending and engine.room() else _POLL_SECONDS):
                store.put(task, outcome)
                in_flight -= 1
                on_done(task, outcome)
        elif busy and not pending:
            time.sleep(_LOOK_AGAIN_SECONDS)
