"""Cells in worker processes on this machine: kept warm, watched, and replaced when one dies."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from multiprocessing.connection import wait

from planner.errors import PlannerError
from planner.studies.hand import Hand
from planner.studies.task import Outcome, Task

_LOOK_SECONDS = 0.1
"""Between two looks at limits: a cell can use this much more of anything."""

_BATCH_SECONDS = 0.15
"""How much work a worker has at hand, so that it does not wait for this process after every short cell."""

_MOST_AT_HAND = 100


class WorkersDieError(PlannerError):
    """Worker processes cannot even start."""


class LocalEngine:
    """`workers` processes, each running one cell at a time with `threads` threads."""

    def __init__(self, workers: int, threads: int = 1) -> None:
        self._workers, self._threads = workers, threads
        self._waiting: deque[Task] = deque()
        self._hands: list[Hand] = []
        self._cell_seconds = _BATCH_SECONDS  # of late, on average
        self._seen: dict[tuple[object, ...], float] = {}
        self._looked = 0.0

    def room(self) -> int:
        """How many more tasks it should be given now."""
        held = len(self._waiting) + sum(len(hand.given) for hand in self._hands)
        return max(0, 2 * self._workers * self._batch - held)

    def submit(self, tasks: Sequence[Task]) -> None:
        """Take these tasks."""
        self._waiting.extend(tasks)
        self._deal()

    def poll(self, seconds: float) -> list[tuple[Task, Outcome]]:
        """What has come since the last call, waiting at most that long for the first."""
        found: list[tuple[Task, Outcome]] = []
        end = time.perf_counter() + seconds
        while not found:
            left = end - time.perf_counter()
            ready = wait([hand.connection for hand in self._hands], max(0.0, min(left, _LOOK_SECONDS)))
            for hand in [hand for hand in self._hands if hand.connection in ready]:
                found += self._heard(hand)
            found += self._watched()
            self._deal()
            if left <= 0 or not self._hands:
                break
        return found

    def close(self) -> None:
        """End all worker processes."""
        for hand in self._hands:
            hand.kill()
        self._hands.clear()
        self._waiting.clear()

    @property
    def _batch(self) -> int:
        return max(1, min(_MOST_AT_HAND, int(_BATCH_SECONDS / max(self._cell_seconds, 1e-4))))

    def _deal(self) -> None:
        """Give every worker its batch; those that are needed and not there are started."""
        while self._waiting and len(self._hands) < self._workers:
            self._hands.append(Hand(self._threads))
        for hand in sorted(self._hands, key=lambda hand: len(hand.given)):
            if len(hand.given) > max(1, self._batch // 2):
                continue
            share = -(-len(self._waiting) // self._workers)
            held = sum(map(self._expected, hand.given))
            some: list[Task] = []
            while len(some) < min(share, _MOST_AT_HAND) and held < _BATCH_SECONDS:
                some.append(self._waiting.popleft())
                held += self._expected(some[-1])
            if some:
                hand.give(some)

    def _expected(self, task: Task) -> float:
        """Seconds that the cell may take: what the last of its kind took, so that long ones do not queue up.

        Of a kind not seen yet a worker gets two, one to run and the next, so that it does not wait.
        """
        return self._seen.get(_kind(task), _BATCH_SECONDS / 2)

    def _heard(self, hand: Hand) -> list[tuple[Task, Outcome]]:
        """The cells the worker is done with; one that has ended is taken out."""
        found = hand.received()
        for task, outcome in found:
            seconds = outcome.seconds or 0.0
            self._seen[_kind(task)] = seconds
            self._cell_seconds += 0.1 * (seconds - self._cell_seconds)
        return [*found, *self._buried(hand, None)] if hand.ended else found

    def _watched(self) -> list[tuple[Task, Outcome]]:
        """The ends of cells that broke a limit."""
        if time.perf_counter() - self._looked < _LOOK_SECONDS:
            return []
        self._looked = time.perf_counter()
        found: list[tuple[Task, Outcome]] = []
        for hand in list(self._hands):
            if hand.offence() is None:
                continue
            found += self._heard(hand)  # it may have come to an end in the meantime
            offence = None if hand.ended else hand.offence()
            if offence is not None:
                found += self._buried(hand, offence)
        return found

    def _buried(self, hand: Hand, why: str | None) -> list[tuple[Task, Outcome]]:
        """Take the worker out; its cell failed, unless it left between two, and the others wait again."""
        self._hands.remove(hand)
        hand.kill()
        if not hand.ready:
            raise WorkersDieError(f"a worker process could not start: {hand.last_words or 'it says nothing'}")
        died = [hand.buried(why)] if hand.given and not hand.retired else []
        self._waiting.extendleft(reversed(hand.given))
        return died


def _kind(task: Task) -> tuple[object, ...]:
    """What cells that take alike long have in common."""
    return task.sha256, task.solver, task.goal, *sorted(task.options.items())
