"""What a person sees of grid steps: one result, one among many, and a table of several solvers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from planner.goal import Goal
from planner.grid.plan import GridPlan, plan_of
from planner.grid.step import GridStep
from planner.kinds import GRID_STEP
from planner.report.layout import cells, plain
from planner.report.single import result_block, result_lines
from planner.report.step import MOST_ROWS, step_plan
from planner.report.tables import as_html, as_text, comparison_table
from planner.result import Resolution, Result, Seconds, Status, StoppedBy
from tests.steps import grid_step

STEP = grid_step([(4, 12), ("2.5", 0), (1, 9)], [30, 5, "7.5"])


def result(
    step: GridStep, queues: list[list[int]], goal: Goal = Goal.FLOW, solver: str = "assignment", **rest: Any
) -> Result[GridPlan]:
    plan = plan_of(step, queues)
    verdict = GRID_STEP.check(step, plan)
    given: dict[str, Any] = {"status": Status.OPTIMAL, "bound": verdict.value(goal), **rest}
    return Result(
        instance=step.name,
        kind="grid-step",
        solver=solver,
        goal=goal,
        stopped_by=StoppedBy.COMPLETED,
        seed=1,
        makespan=verdict.makespan,
        flow=verdict.flow,
        load=verdict.load,
        seconds=Seconds(0.25),
        plan=plan,
        **given,
    )


def test_a_result_in_full() -> None:
    text = plain(result_block(result(STEP, [[0], [1, 2], []]), STEP, 80))
    assert text.splitlines() == [
        "step  optimal",
        "  solver    assignment",
        "  flow      17.5  (total completion time of the new jobs, in steps)",
        "  makespan  10.5  (steps until the last resource is empty)",
        "  load      7.16667  (mean load (ALoR) at the end of the step)",
        "  bound     flow at least 17.5, gap 0.00 %",
        "  stopped   completed, 0.250 s",
        "",
        "  resource  backlog  capacity  empty at  new jobs in order",
        "  r1             12         4      10.5  j1",
        "  r2              0       2.5         5  j2, j3",
        "  1 resource gets no job and is empty at 9",
    ]


def test_ticks_of_steps_are_steps() -> None:
    rounded = replace(result(STEP, [[0], [1, 2], []]), resolution=Resolution(Fraction(1, 3 * 10**14), True))
    text = plain(result_block(rounded, STEP, 80))
    assert "times were rounded to 3.33e-15 steps: up for plans" in text


def test_of_many_resources_the_first_to_be_watched_are_shown() -> None:
    many = grid_step([(1, 100 + i) for i in range(MOST_ROWS + 2)] + [(1, 7), (1, 300)], [1] * (MOST_ROWS + 2))
    queues = [[job] for job in range(MOST_ROWS + 2)]
    lines = plain(step_plan(plan_of(many, [*queues, [], []]), many, 80, 2)).splitlines()
    assert len(lines) == 1 + MOST_ROWS + 2
    assert lines[1].split() == ["r22", "121", "1", "122", "j22"]
    assert lines[-2:] == [
        "  and 2 more resources with new jobs",
        "  2 resources get no job; the last of them is empty at 300",
    ]


def test_without_jobs_there_is_no_table() -> None:
    idle = grid_step([(4, 12)], [])
    assert (
        plain(step_plan(plan_of(idle, [[]]), idle, 80, 2)) == "  1 resource gets no job and is empty at 3\n"
    )


def test_long_queues_wrap_between_jobs() -> None:
    jobs = 60
    one = grid_step([(4, 12)], [1] * jobs)
    lines = plain(step_plan(plan_of(one, [list(range(jobs))]), one, 80, 2)).splitlines()
    assert all(cells(line) <= 80 for line in lines)
    assert " ".join(line[40:].strip() for line in lines[1:]) == ", ".join(f"j{k}" for k in range(1, jobs + 1))


def test_one_among_many() -> None:
    found = result(STEP, [[0], [1, 2], []])
    assert plain(result_lines(found, 8)) == (
        "step      optimal     flow    17.5  gap  0.00 %  jobs on 2 resources\n"
    )


def test_solvers_and_policies_stand_in_one_table() -> None:
    best = result(STEP, [[0], [1, 2], []])
    other = result(STEP, [[0, 1, 2], [], []], solver="rs", status=Status.FEASIBLE, bound=best.bound)
    lines = as_text(comparison_table([best, other])).splitlines()
    assert lines[:4] == [
        "  solver      status      flow  makespan  bound      gap  seconds  used",
        "",
        "step",
        "  assignment  optimal     17.5      10.5   17.5   0.00 %    0.250  2",
    ]
    assert lines[4].split() == ["rs", "feasible", "35.875", "13.625", "17.5", "51.22", "%", "0.250", "1"]
    assert all(cells(line) <= 80 for line in lines)


def test_beside_the_makespan_stands_the_flow() -> None:
    found = result(STEP, [[0], [1, 2], []], Goal.MAKESPAN)
    lines = as_text(comparison_table([found])).splitlines()
    assert lines[1].split()[2:4] == ["makespan", "flow"]
    assert lines[2].split()[2:4] == ["10.5", "17.5"]
    assert "<td>10.5</td><td>17.5</td>" in as_html([found])


def test_results_of_several_goals_say_which() -> None:
    found = [result(STEP, [[0], [1, 2], []], goal, solver=goal.value) for goal in GRID_STEP.goals]
    text = as_text(comparison_table(found))
    assert "objective" in text
    for goal, value in ((Goal.FLOW, "17.5"), (Goal.MAKESPAN, "10.5"), (Goal.LOAD, "7.16667")):
        assert f"{goal.value} {value}" in text
