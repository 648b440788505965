"""The least flow, found in three ways: positional, assignment, and scipy on all positions."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from planner.errors import Unsupported
from planner.goal import Goal
from planner.grid.checker import check
from planner.grid.plan import GridPlan
from planner.grid.step import GridStep
from planner.solver import Answer, Effort, TimeLimit
from solvers.grid import assignment, flow
from solvers.grid.arrays import Arrays
from solvers.grid.assignment import Assignment
from solvers.grid.kernels.flow import least_flow, needed
from solvers.grid.positional import Positional
from tests.instances import Number
from tests.steps import close, grid_step, random_step, realistic_step

FLOAT = Fraction(1, 10**12)  # what sums of a few doubles may be off by


def scipy_flow(step: GridStep) -> float:
    """By scipy, on every position that the limit leaves."""
    jobs = len(step.jobs)
    most = min(step.max_jobs_per_resource or jobs, jobs)
    places = [
        (float(one.backlog), float(one.capacity), k) for one in step.resources for k in range(1, most + 1)
    ]
    backlog, capacity, place = (np.array(column) for column in zip(*places, strict=True))
    lengths = np.array([float(job.length) for job in step.jobs])
    cost = (backlog[None, :] + place[None, :] * lengths[:, None]) / capacity[None, :]
    rows, columns = linear_sum_assignment(cost)
    return float(cost[rows, columns].sum())


def flow_of(step: GridStep, answer: Answer[GridPlan]) -> Fraction:
    assert answer.plan is not None
    verdict = check(step, answer.plan)
    assert verdict.valid
    assert verdict.flow is not None
    return verdict.flow


def all_agree(step: GridStep) -> None:
    answers = [solver.solve(step, Goal.FLOW, Effort()) for solver in (Positional(), Assignment())]
    if any(answer.infeasible for answer in answers):
        assert answers[0] == answers[1]
        assert step.places is not None
        assert step.places < len(step.jobs)
        return
    values = [flow_of(step, answer) for answer in answers]
    best = Fraction(scipy_flow(step)) if step.jobs else Fraction(0)
    for answer, value in zip(answers, values, strict=True):
        assert abs(value - best) <= best * FLOAT
        assert answer.bound is not None
        assert answer.bound <= min(values) * (1 + Fraction(1, 2**52))  # the checker's sums may be doubles
        assert answer.bound >= value * (1 - FLOAT)
    resolution = answers[1].resolution
    if resolution is not None and not resolution.rounded:
        assert answers[1].bound == values[1]


@pytest.mark.parametrize("seed", range(300))
def test_three_methods_agree(seed: int) -> None:
    all_agree(random_step(random.Random(seed)))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_three_methods_agree_on_thousands(block: int) -> None:
    for seed in range(1000 + 500 * block, 1500 + 500 * block):
        all_agree(random_step(random.Random(seed), most_jobs=25, most_resources=8))


def test_one_fast_resource_takes_all_jobs_where_a_cap_on_positions_would_be_wrong() -> None:
    step = grid_step([(1000, 0), (1, 0), (1, 0)], [1] * 40)
    answer = Positional().solve(step, Goal.FLOW, Effort())
    assert answer.plan is not None
    assert {placed.resource for placed in answer.plan.assignments} == {"r1"}
    all_agree(step)


@pytest.mark.parametrize(
    ("resources", "lengths"),
    [
        ([(3, 0), (7, "1.56"), (6, "2.06")], ["1.26", "1.77", "899.67", "643.74", "1.46"]),
        (
            [(3, "1.04"), (2, 0)],
            [
                "177.13",
                "4.34",
                "555.82",
                "7.71",
                "2.18",
                "249.05",
                "5.71",
                "5.65",
                "379.46",
                "228.05",
                "1.75",
            ],
        ),
    ],
)
def test_the_shortest_job_of_a_band_may_need_positions_that_its_longest_does_not(
    resources: list[tuple[Number, Number]], lengths: list[Number]
) -> None:
    all_agree(grid_step(resources, lengths))


def test_lengths_of_very_different_size() -> None:
    lengths = [Fraction(10) ** power for power in range(-12, 13, 2)]
    all_agree(grid_step([(3, 0), (Fraction(7, 3), 5), (1, "0.001")], lengths))
    all_agree(grid_step([(Fraction(1, 10**15), 10**15), (10**15, Fraction(1, 10**15))], lengths))


def test_a_realistic_step_is_proven_by_both() -> None:
    step = realistic_step(150, 200)
    positional, reference = (solver().solve(step, Goal.FLOW, Effort()) for solver in (Positional, Assignment))
    assert close(flow_of(step, positional), flow_of(step, reference))
    assert close(positional.bound, reference.bound)
    assert reference.resolution is not None
    assert reference.resolution.rounded


def test_few_positions_are_needed() -> None:
    arrays = Arrays.of(realistic_step(700, 1200))
    depths = needed(arrays.backlog, arrays.capacity, np.sort(arrays.lengths), arrays.limit)
    assert 700 <= depths.sum() < 1.9 * 700


def test_the_bound_is_given_for_the_flow_alone() -> None:
    step = grid_step([(1, 0)], [1, 2])
    for solver in (Positional(), Assignment()):
        assert solver.solve(step, Goal.FLOW, Effort()).bound is not None
        for goal in (Goal.MAKESPAN, Goal.LOAD):
            assert solver.solve(step, goal, Effort()).bound is None


def test_the_kernel_leaves_out_resources_that_are_out_of_service() -> None:
    resource, turn, value = least_flow(
        np.array([0.0, 9.0, 2.0]), np.array([0.0, 0.0, 2.0]), np.array([3.0, 1.0]), 2
    )
    assert resource.tolist() == [2, 2]
    assert turn.tolist() == [2, 1]
    assert value == (2 + 1) / 2 + (2 + 1 + 3) / 2


def test_the_kernel_says_where_there_are_too_few_places() -> None:
    work, capacity = np.array([0.0, 0.0]), np.array([1.0, 0.0])
    resource, _, value = least_flow(work, capacity, np.array([1.0, 1.0]), 1)
    assert resource.tolist() == [-1, -1]
    assert value == np.inf
    assert least_flow(work, capacity, np.array([]), 0)[2] == 0


def test_the_kernel_leaves_its_arguments_alone() -> None:
    arguments = np.array([1.0, 0.0]), np.array([1.0, 2.0]), np.array([3.0, 1.0, 2.0])
    copies = [array.copy() for array in arguments]
    least_flow(*arguments, 3)
    for array, copy in zip(arguments, copies, strict=True):
        assert array.tolist() == copy.tolist()


def test_steps_too_large_are_refused_with_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    step = grid_step([(1, 0)] * 3, [1, 2, 3, 4])
    monkeypatch.setattr(flow, "LARGEST_TABLE", 3)
    with pytest.raises(Unsupported, match="4 jobs and 3 resources, at most 3 are taken"):
        Positional().solve(step, Goal.FLOW, Effort())
    monkeypatch.setattr(assignment, "LARGEST_MODEL", 15)
    with pytest.raises(Unsupported, match=r"16 arcs .*'positional' takes more"):
        Assignment().solve(step, Goal.FLOW, Effort())


def test_assignment_stops_while_it_builds() -> None:
    limit = TimeLimit(1e-9)
    answer = Assignment().solve(grid_step([(1, 0)], [1]), Goal.FLOW, Effort(limit=limit))
    assert answer.plan is None
    assert answer.stopped_by.value == "time_limit"
