"""The queues: first in, first out, one job at a time, on with the next job within the step."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.grid.queues import NOBODY, Queues, enter, serve
from tests.grid.slow import SlowQueue, Times
from tests.property.strategies import quick

TENTH = Fraction(1, 10)


class Rig:
    """Queues with jobs of given lengths, of which some enter and are served step by step."""

    def __init__(self, resources: int, lengths: Sequence[float]) -> None:
        self.length = np.array(lengths, dtype=np.float64)
        self.queues = Queues.empty(resources, self.length.size)
        self.step = 0

    def enter(self, *placed: tuple[int, int]) -> None:
        jobs = np.array([job for job, _ in placed], dtype=np.int64)
        enter(self.queues, jobs, np.array([where for _, where in placed], dtype=np.int64), self.length)

    def serve(self, *capacity: float) -> list[int]:
        """Who is finished in this step, in the order told."""
        finished = np.full(self.length.size, NOBODY, dtype=np.int64)
        count = serve(self.queues, self.step, np.array(capacity, dtype=np.float64), self.length, finished)
        self.step += 1
        return finished[:count].tolist()


def test_first_in_first_out_whatever_the_index_of_a_job() -> None:
    rig = Rig(1, [1, 1, 1])
    rig.enter((2, 0), (0, 0))
    rig.enter((1, 0))
    assert [rig.serve(1), rig.serve(1), rig.serve(1)] == [[2], [0], [1]]


def test_one_job_at_a_time() -> None:
    rig = Rig(1, [3, 3])
    rig.enter((0, 0), (1, 0))
    rig.serve(2)
    assert (rig.queues.left[0], rig.queues.work[0]) == (1, 4)
    assert np.isnan(rig.queues.started[1])  # the second waits in full
    assert rig.serve(2) == [0]
    assert (rig.queues.started[1], rig.queues.left[0]) == (1.5, 2)


def test_the_next_job_begins_within_the_step() -> None:
    rig = Rig(1, [2, 4, 3])
    rig.enter((0, 0), (1, 0), (2, 0))
    assert rig.serve(8) == [0, 1]
    assert rig.queues.started.tolist() == [0, 0.25, 0.75]
    assert rig.queues.completed[:2].tolist() == [0.25, 0.75]
    assert rig.queues.work[0] == 1


def test_a_job_may_end_exactly_with_the_step_and_the_next_begins_with_the_next_one() -> None:
    rig = Rig(1, [4, 1])
    rig.enter((0, 0), (1, 0))
    assert rig.serve(4) == [0]
    assert rig.queues.completed[0] == 1
    assert rig.serve(4) == [1]
    assert rig.queues.completed[1] == 1.25
    # Its service began when the place was free, though nothing was left of that step.
    assert rig.queues.started[1] == 1


def test_without_capacity_the_queue_waits() -> None:
    rig = Rig(2, [1, 1])
    rig.enter((0, 0), (1, 1))
    assert rig.serve(0, 1) == [1]
    assert np.isnan(rig.queues.started[0])
    assert rig.queues.work.tolist() == [1, 0]
    assert rig.serve(0.5, 1) == []
    assert rig.serve(0, 0) == []
    assert rig.queues.work[0] == 0.5
    assert rig.serve(2, 0) == [0]
    assert (rig.queues.started[0], rig.queues.completed[0]) == (1, 3.25)


@pytest.mark.parametrize(("capacity", "length", "steps"), [(0.1, 0.3, 3), (0.7, 2.1, 3), (0.1, 1.0, 10)])
def test_decimals_that_doubles_do_not_hold_end_where_arithmetic_says(
    capacity: float, length: float, steps: int
) -> None:
    rig = Rig(1, [length])
    rig.enter((0, 0))
    assert [rig.serve(capacity) for _ in range(steps)] == [[]] * (steps - 1) + [[0]]
    assert rig.queues.completed[0] == pytest.approx(steps, abs=1e-12)
    assert rig.queues.completed[0] <= steps
    assert (rig.queues.work[0], rig.queues.left[0]) == (0, 0)


def test_work_is_exactly_0_after_a_busy_period() -> None:
    rig = Rig(1, [0.1, 0.2, 0.3, 0.7, 1.1, 0.9])
    for job in range(5):
        rig.enter((job, 0))
    while rig.queues.work[0] > 0:
        rig.serve(0.3)
    assert rig.queues.work[0] == 0
    assert rig.queues.first[0] == rig.queues.last[0] == NOBODY
    rig.enter((5, 0))
    assert rig.queues.work[0] == 0.9


@st.composite
def stories(draw: st.DrawFn) -> tuple[list[list[int]], list[tuple[int, int, int]]]:
    """Capacities in tenths, a row a step; jobs as (step, resource, length in tenths)."""
    resources, steps = draw(st.integers(1, 3)), draw(st.integers(1, 12))
    rows = st.lists(st.integers(0, 40), min_size=resources, max_size=resources)
    jobs = st.tuples(st.integers(0, steps - 1), st.integers(0, resources - 1), st.integers(1, 60))
    return draw(st.lists(rows, min_size=steps, max_size=steps)), draw(st.lists(jobs, max_size=15))


@given(stories())
@settings(quick, max_examples=400)
def test_as_exact_arithmetic_has_it(story: tuple[list[list[int]], list[tuple[int, int, int]]]) -> None:
    """Doubles of tenths finish the same jobs in the same steps as exact tenths, at the same times."""
    capacity, jobs = story
    rig = Rig(len(capacity[0]), [length / 10 for *_, length in jobs])
    slow, times = [SlowQueue() for _ in capacity[0]], Times()
    for step, row in enumerate(capacity):
        entering = [(job, where) for job, (when, where, _) in enumerate(jobs) if when == step]
        if entering:
            rig.enter(*entering)
        for job, where in entering:
            slow[where].enter(job, jobs[job][2] * TENTH)
        assert rig.queues.work.tolist() == pytest.approx([float(queue.work) for queue in slow], abs=1e-9)
        finished = rig.serve(*[tenths / 10 for tenths in row])
        for queue, tenths in zip(slow, row, strict=True):
            queue.serve(step, tenths * TENTH, times)
        assert sorted(finished) == sorted(job for job, when in times.ended_in.items() if when == step)
        empty = [not queue.jobs for queue in slow]
        assert (rig.queues.work[empty] == 0).all()
    for job, exact in times.completed.items():
        assert rig.queues.completed[job] == pytest.approx(float(exact), abs=1e-9)
        assert rig.queues.started[job] == pytest.approx(float(times.started[job]), abs=1e-9)
    assert np.isnan(rig.queues.completed).sum() == len(jobs) - len(times.completed)
