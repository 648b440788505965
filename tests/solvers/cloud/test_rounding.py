"""`rounding`: valid plans and bounds on everything small, close ones on everything large."""

from __future__ import annotations

import threading
from fractions import Fraction

import pytest

from planner import files
from planner.cloud.checker import check
from planner.cloud.generate import generate, machines
from planner.cloud.instance import Billing, CloudInstance
from planner.errors import UsageError
from planner.goal import Goal
from planner.kinds import CLOUD
from planner.result import Result, Status, StoppedBy
from planner.run import solve
from planner.solver import Effort
from solvers.cloud import bound
from solvers.cloud.rounding import Rounding
from solvers.cloud.ticks import Ticks
from tests.brute_force import truth
from tests.instances import SHIPPED, bag, cloud, kind, many_digits, random_instance

PER_SECOND = Billing(Fraction(1), Fraction(60))


def _middling(**changes: object) -> CloudInstance:
    settings: dict[str, object] = {
        "applications": 2,
        "sizes": 3,
        "tasks_per_class": 150,
        "unit_seconds": (20, 200),
        "seed": 2,
    }
    return generate(machines(10), **{**settings, **changes})  # type: ignore[arg-type]


def _gap(result: Result) -> float:
    assert result.gap is not None
    return float(result.gap)


@pytest.mark.parametrize("goal", CLOUD.goals)
@pytest.mark.parametrize("seed", range(80))
def test_the_truth_lies_between_bound_and_plan(seed: int, goal: Goal) -> None:
    instance = random_instance(seed)
    result = solve(instance, "rounding", goal=goal)
    worths = [
        worth for worth in truth(instance).front if instance.budget is None or worth[1] <= instance.budget
    ]
    if not worths:
        assert result.plan is None
        return
    best = min(worth[0 if goal is Goal.MAKESPAN else 1] for worth in worths)
    assert result.bound is None or result.bound <= best
    assert result.objective is None or result.objective >= best


@pytest.mark.parametrize("seed", range(20))
def test_numbers_with_many_digits(seed: int) -> None:
    solve(many_digits(seed), "rounding")  # raises where plan and bound contradict each other


def test_nearly_all_small_instances_get_a_plan() -> None:
    missed = [
        seed
        for seed in range(80)
        if truth(instance := random_instance(seed)).optimum(instance.budget) is not None
        and solve(instance, "rounding").plan is None
    ]
    assert len(missed) <= 3


@pytest.mark.parametrize(
    "path", sorted((SHIPPED / "cloud" / "thai2015-160").glob("*.json")), ids=lambda path: path.stem
)
def test_close_on_the_papers_instances(path: object) -> None:
    result = solve(files.read(str(path)), "rounding")
    assert _gap(result) < 0.005


CASES = {
    "by the hour": {},
    "by the second": {"billing": PER_SECOND, "budget_factor": Fraction(11, 10)},
    "long": {"budget_factor": Fraction(11, 10)},
    "no start-up": {"startup": 0},
    "blocks": {"billing": Billing(Fraction(600), Fraction(1200))},
}


@pytest.mark.parametrize("case", CASES)
def test_close_on_middling_instances(case: str) -> None:
    instance = _middling(**CASES[case])
    result = solve(instance, "rounding")
    assert result.plan is not None
    assert check(instance, result.plan).valid
    assert _gap(result) < 0.03
    assert result.bound is not None
    ticks = Ticks.of(instance, "down", None)
    assert result.bound >= ticks.seconds(bound.least_makespan(ticks))


@pytest.mark.slow
def test_limits_are_kept() -> None:
    free = solve(_middling(), "rounding")
    assert free.plan is not None
    fleet = free.plan.fleet
    most = max(fleet, key=lambda name: fleet[name])
    instance = _middling()
    limited = CloudInstance(
        **{
            **{name: getattr(instance, name) for name in instance.__dataclass_fields__},
            "instance_types": tuple(
                kind(item.name, item.price, *item.seconds_per_unit, limit=3 if item.name == most else None)
                for item in instance.instance_types
            ),
            "max_vms": sum(fleet.values()) - 5,
        }
    )
    result = solve(limited, "rounding")
    assert result.plan is not None
    assert result.plan.fleet.get(most, 0) <= 3
    assert sum(result.plan.fleet.values()) <= sum(fleet.values()) - 5


def test_least_cost_by_a_deadline() -> None:
    instance = _middling(budget_factor=None)
    instance = CloudInstance(
        **{
            **{name: getattr(instance, name) for name in instance.__dataclass_fields__},
            "deadline": Fraction(2000),
        }
    )
    result = solve(instance, "rounding", goal="cost")
    assert result.makespan is not None
    assert result.makespan <= 2000
    assert _gap(result) < 0.02


def test_without_a_budget_the_longest_task_decides() -> None:
    result = solve(_middling(budget_factor=None), "rounding")
    assert result.status is Status.OPTIMAL


def test_what_nothing_runs_is_named() -> None:
    instance = cloud([bag("A", (1, 1)), bag("B", (1, 1))], [kind("t", 1, 1, None)])
    answer = Rounding().solve(instance, Goal.MAKESPAN, Effort())
    assert answer.plan is None
    assert answer.message == "some tasks run on no type that may be rented"


def test_tasks_with_ids_are_handed_out() -> None:
    instance = files.read(SHIPPED / "cloud" / "tiny" / "ids.json")
    result = solve(instance, "rounding")
    assert result.plan is not None
    assert check(instance, result.plan).valid


def test_counting_in_tasks_sees_which_tasks_fit() -> None:
    instance = _middling(**CASES["blocks"])
    units, tasks = (solve(instance, f"rounding:items={items}") for items in ("units", "tasks"))
    assert units.bound is not None
    assert tasks.bound is not None
    assert units.bound <= tasks.bound
    assert _gap(tasks) < 0.03
    with pytest.raises(UsageError, match="auto, units or tasks"):
        solve(instance, "rounding:items=boxes")


def test_two_runs_give_the_same_plan() -> None:
    assert solve(_middling(), "rounding").plan == solve(_middling(), "rounding").plan


def test_it_stops_when_told_to() -> None:
    stop = threading.Event()
    stop.set()
    answer = Rounding().solve(_middling(), Goal.MAKESPAN, Effort(stop=stop))
    assert answer.stopped_by is StoppedBy.INTERRUPTED
    assert answer.plan is None
    assert answer.message == "no plan found yet"


def test_with_a_time_limit_some_plan_comes_early() -> None:
    result = solve(_middling(), "rounding", time_limit=30)
    assert result.plan is not None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("billing", "factor"), [(None, 2), (PER_SECOND, Fraction(21, 20))], ids=["by the hour", "by the second"]
)
def test_a_million_tasks(billing: Billing | None, factor: Fraction) -> None:
    instance = generate(
        machines(500),
        applications=20,
        sizes=10,
        tasks_per_class=5000,
        billing=billing,
        budget_factor=factor,
    )
    result = solve(instance, "rounding")
    assert instance.task_count == 1_000_000
    assert result.plan is not None
    assert len(result.plan.vms) < 1000
    assert _gap(result) < 0.001
