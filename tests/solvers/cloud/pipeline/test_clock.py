"""Every function of the pipeline stops between two pieces of work, and leaves a whole fleet."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from planner.cloud.checker import check
from planner.goal import Goal
from planner.result import StoppedBy
from planner.solver import Answer, Effort, Solver
from solvers.cloud.baselines import MaximiseParallelism, MinimiseIndividual
from solvers.cloud.pipeline.add import add, by_speed
from solvers.cloud.pipeline.assign import assign
from solvers.cloud.pipeline.balance import balance
from solvers.cloud.pipeline.estimate import Estimate
from solvers.cloud.pipeline.find import Heuristic
from solvers.cloud.pipeline.keep import keep
from solvers.cloud.pipeline.reduce import reduce
from solvers.cloud.pipeline.rented import Rented
from solvers.cloud.pipeline.replace import replace
from tests.solvers.cloud.pipeline.fleets import fleet, thai

STEPS: dict[str, Callable[[Rented, Callable[[], bool]], object]] = {
    "reduce": lambda rented, over: reduce(rented, 0, local=False, over=over),
    "add": lambda rented, over: add(
        rented, 10**9, by_speed(Estimate(rented.ticks)), Estimate(rented.ticks), over
    ),
    "balance": lambda rented, over: balance(rented, None, over),
    "keep": lambda rented, over: keep(rented, None, over),
    "replace": lambda rented, over: replace(rented, None, Estimate(rented.ticks), over),
}


class Countdown(threading.Event):
    """A stop flag that is set when it has been looked at so often; `late` counts the looks after that."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.left, self.late = looks, 0

    def is_set(self) -> bool:
        self.left -= 1
        self.late += self.left < 0
        return self.left < 0


@pytest.mark.parametrize("name", STEPS)
def test_no_step_begins_a_piece_of_work_when_time_is_over(name: str) -> None:
    changed, left = _unbalanced(), _unbalanced()
    STEPS[name](changed, lambda: False)
    STEPS[name](left, lambda: True)
    assert (changed.kind, changed.tasks) != (_unbalanced().kind, _unbalanced().tasks)
    assert (left.kind, left.tasks) == (_unbalanced().kind, _unbalanced().tasks)


def test_assign_says_that_it_did_not_finish() -> None:
    rented = fleet(thai(4, 60), (0, {}), (3, {}))
    assert not assign(rented, dict(enumerate(rented.ticks.counts)), range(2), over=lambda: True)


@pytest.mark.parametrize("looks", [30, 100, 300, 1000])
@pytest.mark.parametrize("solver", [Heuristic(), MinimiseIndividual(), MaximiseParallelism()])
def test_a_solver_told_to_stop_returns_soon(solver: Solver, looks: int) -> None:
    instance, stop = thai(64, 160), Countdown(looks)
    answer: Answer = solver.solve(instance, Goal.MAKESPAN, Effort(stop=stop))
    assert answer.stopped_by in (StoppedBy.INTERRUPTED, StoppedBy.COMPLETED)
    assert answer.stopped_by is StoppedBy.COMPLETED or stop.late <= 12
    assert answer.plan is None or check(instance, answer.plan).valid


def _unbalanced() -> Rented:
    """All tasks on one dear VM but for one task on another."""
    rented = fleet(thai(64, 160), (1, {}), (2, {0: 1}))
    for task_class, number in enumerate(rented.ticks.counts):
        rented.give(0, task_class, number - (not task_class))
    return rented
