"""`planner.frontier`: points, breakpoints, what one budget proves about another, and what ends it early."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest

import planner
from planner import run
from planner.budgets import MOST_BUDGETS, budgets_of, coin
from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.errors import BackendMissing, CheckFailed, Unsupported, UsageError
from planner.goal import Goal
from planner.known import Known
from planner.report.frontier import COLUMNS, frontier_csv
from planner.result import Result, Status, StoppedBy
from planner.solver import Answer, Effort, TimeLimit
from planner.tradeoff import Frontier, Gap
from solvers import catalog
from tests import stubs
from tests.brute_force import truth
from tests.instances import SHIPPED, bag, cloud, kind, random_instance

THAI = {40: 3360, 45: 2990, 50: 2690, 55: 2445, 60: 2240, 65: 2070, 70: 1920, 75: 1794, 80: 1680, 85: 1582}


@pytest.fixture(scope="module")
def thai() -> CloudInstance:
    return planner.read(SHIPPED / "cloud" / "thai2015-160" / "b60.json")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Fraction | None]:
    """The budgets that a solver was run with, in order."""
    seen: list[Fraction | None] = []

    def counted(instance: CloudInstance, *arguments: object, **keywords: object) -> Result:
        seen.append(instance.budget)
        return run.solve(instance, *arguments, **keywords)  # type: ignore[arg-type]

    monkeypatch.setattr("planner.tradeoff.solve", counted)
    return seen


@pytest.fixture
def stub_solvers(monkeypatch: pytest.MonkeyPatch) -> Iterator[CloudInstance]:
    """The catalog holds only `tests.stubs`; the instance they are for."""
    monkeypatch.setattr(catalog, "_ENTRIES", catalog._ENTRIES)
    monkeypatch.setattr(catalog, "_BOUNDS", catalog._BOUNDS)
    stubs.install()
    yield cloud([bag("A1", (1, 10))], [kind("it1", 2, 8), kind("it2", 1, 10)], budget=2)
    catalog.entries.cache_clear()


def makespans(found: Frontier) -> dict[Fraction, Fraction | None]:
    return {point.budget: point.result.makespan for point in found.points}


def well_formed(instance: CloudInstance, found: Frontier) -> None:
    """Plans keep their budgets, nothing gets slower with more money, and bounds go with plans."""
    assert [point.budget for point in found.points] == sorted({point.budget for point in found.points})
    for point in found.points:
        if point.result.plan is not None:
            assert not check(replace(instance, budget=point.budget), point.result.plan).violations
    planned = [point.result for point in found.points if point.result.plan is not None]
    for poor, rich in pairwise(planned):
        assert rich.makespan is not None
        assert poor.makespan is not None
        assert rich.makespan <= poor.makespan
        assert poor.bound is not None
        assert rich.bound is not None
        assert poor.bound >= rich.bound


def test_given_budgets_agree_with_single_solves(thai: CloudInstance) -> None:
    found = planner.frontier(thai, budgets="35:85:5")
    assert makespans(found) == {35: None, **THAI}
    assert [point.result.status.value for point in found.points] == ["infeasible"] + ["optimal"] * 10
    assert "least budget that works is 40 (5 more)" in (found.points[0].result.message or "")
    assert found.least_budget == 40
    assert found.complete
    well_formed(thai, found)
    assert makespans(planner.frontier(replace(thai, budget=None), budgets=[60, 40])) == {40: 3360, 60: 2240}


def test_all_breakpoints_where_they_are_few(thai: CloudInstance) -> None:
    found = planner.frontier(thai, low=30, high=87)
    assert makespans(found) == {30: None, **THAI, 87: 1582}
    assert found.complete
    assert not found.gaps


def test_one_budget_left_out_is_a_gap(thai: CloudInstance) -> None:
    found = planner.frontier(thai, budgets="40,50")
    assert not found.complete
    assert found.gaps == (Gap(Fraction(40), Fraction(50), Fraction(2690), Fraction(3360)),)
    assert planner.frontier(thai, budgets="40,45").complete


def test_the_most_telling_where_they_are_many(thai: CloudInstance) -> None:
    found = planner.frontier(thai, low=40, high=85, points=5)
    assert len(found.points) == 5
    assert {40, 85} <= set(makespans(found))
    assert makespans(found).items() <= THAI.items()
    assert not found.complete
    for gap in found.gaps:  # what is shaded holds the truth
        for budget, makespan in THAI.items():
            if gap.low < budget < gap.high:
                assert gap.slowest is not None
                assert gap.fastest <= makespan <= gap.slowest


def test_the_ends_are_found() -> None:
    instance = cloud([bag("A", (1, 4))], [kind("slow", 1, 1200), kind("fast", 3, 600)])
    found = planner.frontier(instance)
    assert found.complete
    front = truth(instance).front
    assert {(p.budget, p.result.makespan) for p in found.points} == {(cost, time) for time, cost in front}


@pytest.mark.parametrize("seed", range(40))
def test_brute_force_agrees(seed: int) -> None:
    instance = random_instance(seed, most_tasks=5)
    real = truth(instance)
    found = planner.frontier(instance, points=60)
    well_formed(instance, found)
    if real.least_budget is None:
        assert {point.result.status for point in found.points} == {Status.INFEASIBLE}
        return
    assert found.complete
    assert {(p.budget, p.result.makespan) for p in found.points} == {(c, m) for m, c in real.front}
    asked = sorted({cost + shift for _, cost in real.front for shift in (Fraction(-1, 9), 0, Fraction(1, 9))})
    listed = planner.frontier(instance, budgets=[budget for budget in asked if budget >= 0])
    for point in listed.points:
        best = real.optimum(point.budget)
        assert point.result.makespan == (None if best is None else best[0])
        if best is None:
            assert f"least budget that works is {_short(real.least_budget)}" in (point.result.message or "")


def _short(value: Fraction) -> str:
    from planner.report.numbers import number

    return number(value)


def test_per_second_billing_gives_as_many_points_as_asked_for() -> None:
    instance = cloud(
        [bag("A", (1, 30))], [kind("a", 2, 100), kind("b", 5, 45)], quantum=1, minimum=60, startup=90
    )
    found = planner.frontier(instance, points=7)
    assert len(found.points) == 7
    assert not found.complete
    well_formed(instance, found)
    areas = [
        (gap.high - gap.low) * (gap.slowest - gap.fastest) for gap in found.gaps if gap.slowest is not None
    ]
    ends = found.points[0], found.points[-1]
    assert ends[0].result.makespan is not None
    assert ends[1].result.makespan is not None
    whole = (ends[1].budget - ends[0].budget) * (ends[0].result.makespan - ends[1].result.makespan)
    assert max(areas) < whole / 100  # no box is left much larger than the others


def test_a_flat_stretch_is_not_searched_again(thai: CloudInstance, calls: list[Fraction | None]) -> None:
    found = planner.frontier(thai, budgets="60:64.9:0.1")
    assert len(found.points) == 50
    assert calls == [
        Fraction("64.9")
    ]  # its plan costs 60, and it is proven that no plan up to 64.9 is faster
    assert {point.result.status for point in found.points} == {Status.OPTIMAL}
    assert all(point.result.tiebreak_proven for point in found.points)


def test_budgets_too_small_are_not_searched_again(thai: CloudInstance, calls: list[Fraction | None]) -> None:
    found = planner.frontier(thai, budgets="1:39:1")
    assert calls == [39, None]
    assert {point.result.status for point in found.points} == {Status.INFEASIBLE}
    assert "(39 more)" in (found.points[0].result.message or "")


def test_deadline_and_limits_bind() -> None:
    instance = cloud([bag("A", (1, 4))], [kind("t", 1, 600)], deadline=1200, max_vms=3, budget=0)
    found = planner.frontier(instance)
    assert makespans(found) == {2: 1200}
    never = planner.frontier(replace(instance, max_vms=1))
    assert [point.result.status for point in never.points] == [Status.INFEASIBLE]
    assert "max_vms" in (never.points[0].result.message or "")


def test_free_machines() -> None:
    instance = cloud([bag("A", (1, 4))], [kind("own", 0, 600, limit=2)])
    assert coin(instance) is None
    found = planner.frontier(instance)
    assert makespans(found) == {0: 1200}
    assert found.complete


def test_overlays_have_the_frontiers_bounds(thai: CloudInstance) -> None:
    found = planner.frontier(thai, budgets="40:60:20", overlay="heuristic,mi,exact")
    assert list(found.overlays) == ["heuristic", "mi"]  # exact is the frontier itself
    (poor, rich) = found.overlays["mi"]
    assert (poor.result.status, poor.result.bound) == (Status.UNKNOWN, 3360)
    assert (rich.result.makespan, rich.result.bound) == (2480, 2240)


def test_heuristics_make_a_frontier_too(thai: CloudInstance) -> None:
    found = planner.frontier(thai, budgets="40:85:15", solver="heuristic")
    assert found.solver == "heuristic"
    assert all(point.result.makespan is not None for point in found.points)
    well_formed(thai, found)


def test_frame_and_csv(thai: CloudInstance) -> None:
    found = planner.frontier(thai, budgets="35,60", overlay="mi")
    frame = found.frame
    assert list(frame.columns) == list(COLUMNS)
    assert frame["budget"].tolist() == [35, 60, 60]
    assert frame["overlay"].tolist() == [False, False, True]
    assert frame["excess"].tolist()[1:] == [0, pytest.approx(2480 / 2240 - 1)]
    assert frontier_csv(found).splitlines()[0] == ",".join(COLUMNS)
    assert frontier_csv(found).splitlines()[2].startswith("60.0,60,false,thai2015-160-b60,")
    assert list(Frontier(thai, "exact", ()).frame.columns) == list(COLUMNS)
    assert "60" in str(found)
    assert found._repr_svg_().startswith("<?xml")


def test_the_time_limit_is_for_the_whole_call(thai: CloudInstance, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    runs: list[Fraction | None] = []

    def hour(instance: CloudInstance, *arguments: object, **keywords: object) -> Result:
        """A run without any limit of its own that takes an hour of the clock."""
        result = run.solve(instance, *arguments, **{**keywords, "time_limit": None})  # type: ignore[arg-type]
        runs.append(instance.budget)
        clock[0] += 3600
        return result

    class Hours(TimeLimit):
        """A limit that only the runs above use up."""

        @property
        def elapsed(self) -> float:
            return clock[0]

    monkeypatch.setattr("planner.tradeoff.solve", hour)
    monkeypatch.setattr("planner.tradeoff.TimeLimit", Hours)
    found = planner.frontier(thai, budgets="40:300:1", time_limit=3 * 3600)
    assert len(runs) == 3
    assert len(found.points) == 261
    well_formed(thai, found)
    late = [point.result for point in found.points if point.result.status is Status.FEASIBLE]
    assert late
    assert {result.stopped_by for result in late} == {StoppedBy.TIME_LIMIT}
    assert all(result.gap is not None for result in late)


def test_every_run_has_its_share_of_the_time(stub_solvers: CloudInstance) -> None:
    started: list[str] = []
    found = planner.frontier(
        stub_solvers,
        budgets="2:5:1",
        solver="slow",
        time_limit=0.5,
        on_start=lambda _, what: started.append(what),
    )
    assert sorted(started) == [f"slow · budget {budget}" for budget in (2, 3, 4, 5)]
    assert [point.result.bound for point in found.points] == [45] * 4


@pytest.mark.parametrize(
    ("text", "budgets"),
    [
        ("40:50:5", [40, 45, 50]),
        ("40:52:5", [40, 45, 50]),
        ("0.1:0.3:0.1", ["0.1", "0.2", "0.3"]),
        ("5", [5]),
        ("7, 5,5.0,6:7:1", [5, 6, 7]),
        ("3:3:1", [3]),
        ("1e1", [10]),
        ([Decimal("0.1"), 0.1, "0.1", Fraction(1, 3), 2], ["0.1", "1/3", 2]),
    ],
)
def test_budgets(text: str, budgets: list[object]) -> None:
    assert budgets_of(text) == tuple(Fraction(budget) for budget in budgets)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not an amount"),
        ("x", "'x' is not an amount"),
        ("1,,2", "not an amount"),
        ("1:2", "first:last:step"),
        ("1:2:3:4", "first:last:step"),
        ("1:2:0", "step of 0"),
        ("1:2:-1", "at least 0"),
        ("-5", "at least 0"),
        ("3:2:1", "ends before it starts"),
        ("1:1e9:0.001", "at most 10000"),
        ("1:9000:1,9001:18000:1", "more than 10000"),
        ("nan", "not an amount"),
        ("1_000", "not an amount"),
        ("1e16", "1e15"),
        ("1e999999999", "out of range"),
        ("0." + "1" * 40, "digits"),
        ([], "no budget"),
        ([Fraction(-1, 3)], "from 0"),
        ([True], "not an amount"),
    ],
)
def test_bad_budgets(thai: CloudInstance, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        planner.frontier(thai, budgets=text)


@pytest.mark.parametrize(
    "keywords",
    [
        {"budgets": "60", "points": 3},
        {"budgets": "60", "low": 3},
        {"points": 1},
        {"points": MOST_BUDGETS + 1},
        {"low": 3, "high": 2},
        {"low": "x"},
        {"overlay": "exact,"},
        {"overlay": "exakt"},
        {"solver": "exakt"},
        {"time_limit": -1},
    ],
)
def test_bad_calls(thai: CloudInstance, keywords: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        planner.frontier(thai, **keywords)  # type: ignore[arg-type]


def result(
    status: Status, makespan: int | None, cost: int | None, bound: int | None, *, proven: bool | None = None
) -> Result:
    return Result(
        instance="made",
        kind="cloud",
        solver="s",
        goal=Goal.MAKESPAN,
        status=status,
        stopped_by=StoppedBy.COMPLETED,
        seed=1,
        makespan=None if makespan is None else Fraction(makespan),
        cost=None if cost is None else Fraction(cost),
        bound=None if bound is None else Fraction(bound),
        tiebreak_proven=proven,
        plan=None if makespan is None else CloudPlan("made", ()),
    )


OPTIMUM = result(Status.OPTIMAL, 100, 10, 100, proven=True)
LEAST = replace(result(Status.OPTIMAL, 100, 10, 10), goal=Goal.COST)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((12, OPTIMUM), (11, result(Status.FEASIBLE, 99, 11, 50))),  # a plan beats a bound
        ((12, OPTIMUM), (9, result(Status.FEASIBLE, 100, 9, 50))),  # cheaper than the least cost
        (
            (12, OPTIMUM),
            (20, result(Status.UNKNOWN, None, None, 101)),
        ),  # a bound above a plan that is allowed
        ((12, OPTIMUM), (None, result(Status.UNKNOWN, None, None, 101))),
        ((12, OPTIMUM), (10, result(Status.INFEASIBLE, None, None, None))),  # infeasible with a plan
        ((12, OPTIMUM), (None, result(Status.INFEASIBLE, None, None, None))),
        ((None, LEAST), (9, result(Status.FEASIBLE, 200, 9, 50))),  # cheaper than any plan
    ],
)
@pytest.mark.parametrize("backwards", [False, True])
def test_a_contradiction_is_an_error(
    first: tuple[int | None, Result], second: tuple[int | None, Result], backwards: bool
) -> None:
    known = Known(cloud([bag("A", (1, 1))], [kind("t", 1, 1)]))
    pairs = [first, second]
    if backwards:
        pairs.reverse()
    (one, honest), (two, liar) = pairs
    known.add(None if one is None else Fraction(one), honest)
    with pytest.raises(CheckFailed, match="made: "):
        known.add(None if two is None else Fraction(two), liar)


def test_what_goes_together_is_no_contradiction() -> None:
    known = Known(cloud([bag("A", (1, 1))], [kind("t", 1, 1)]))
    known.add(Fraction(12), OPTIMUM)
    known.add(Fraction(9), result(Status.FEASIBLE, 101, 9, 100))
    known.add(Fraction(8), result(Status.INFEASIBLE, None, None, None))
    known.add(None, result(Status.FEASIBLE, 90, 30, 80))
    known.add(Fraction(13), result(Status.FEASIBLE, 99, 13, 95))
    assert [known.bound(Fraction(budget)) for budget in (5, 12, 13, 14)] == [100, 100, 95, 80]
    assert [known.within(Fraction(b)) is None for b in (8, 9)] == [True, False]
    assert known.within(Fraction(29)) == result(Status.FEASIBLE, 99, 13, 95)
    assert known.too_small(Fraction(8)) is not None
    assert known.too_small(Fraction(9)) is None


class _Stopping:
    """Has one plan for the stubs' instance, but is interrupted at budgets below 4."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:  # noqa: ARG002
        if instance.budget is not None and instance.budget < 4:
            raise KeyboardInterrupt
        return Answer(stubs.one_big(instance), Fraction(30 if instance.budget == 9 else 40))


def test_an_interrupt_returns_the_points_so_far(stub_solvers: CloudInstance) -> None:
    entry = catalog.Entry("stopping", "tests.test_frontier:_Stopping", "cloud", "stub", "nothing")
    catalog._ENTRIES = (*catalog._ENTRIES, entry)
    catalog.entries.cache_clear()
    found = planner.frontier(stub_solvers, budgets="3:9:1", solver="stopping")
    assert makespans(found) == {3: 80, 9: 80}  # the plan for 9 costs 2, so it is one for 3
    assert found.interrupted
    assert found.unfinished == (4, 5, 6, 7, 8)
    with pytest.raises(KeyboardInterrupt):
        planner.frontier(stub_solvers, budgets="2:3:1", solver="stopping")


def test_an_interrupt_in_an_overlay_keeps_the_points(stub_solvers: CloudInstance) -> None:
    found = planner.frontier(stub_solvers, budgets="2,3", overlay="feasible,interrupting")
    assert makespans(found) == {2: 50, 3: 50}
    assert list(found.overlays) == ["feasible"]
    assert found.interrupted


def test_a_failed_point_does_not_end_it(stub_solvers: CloudInstance) -> None:
    found = planner.frontier(stub_solvers, budgets="2,3,4", solver="crashing")
    assert [point.result.status for point in found.points] == [Status.FAILED] * 3
    assert len(found.errors) == 3
    found = planner.frontier(stub_solvers, budgets="2", overlay="lying,unsupporting")
    assert [own[0].result.status.value for own in found.overlays.values()] == ["failed", "unsupported"]
    assert [type(error) for error in found.errors] == [CheckFailed]


def test_a_solver_that_cannot_is_told_at_once(stub_solvers: CloudInstance) -> None:
    with pytest.raises(Unsupported):
        planner.frontier(stub_solvers, budgets="2,3", solver="unsupporting")
    with pytest.raises(BackendMissing):
        planner.frontier(stub_solvers, budgets="2,3", overlay="absent")


def test_an_overlay_that_refutes_a_proof_is_an_error(stub_solvers: CloudInstance) -> None:
    with pytest.raises(CheckFailed, match="exact has"):
        planner.frontier(stub_solvers, budgets="2,3", solver="overclaiming", overlay="exact")


def test_nothing_found_and_nothing_proven(stub_solvers: CloudInstance) -> None:
    found = planner.frontier(stub_solvers, budgets="2,3", solver="unknown")
    assert [point.result.status for point in found.points] == [Status.UNKNOWN] * 2
    found = planner.frontier(stub_solvers, low=2, high=9, solver="unknown")
    assert [point.budget for point in found.points] == [2, 9]


def test_few_open_intervals_are_named_and_nobody_gave_a_start(thai: CloudInstance) -> None:
    found = planner.frontier(thai, budgets="40:50:5")
    assert all("start" not in (point.result.message or "") for point in found.points)
    open_ = replace(found, gaps=(Gap(Fraction(40), Fraction(45), Fraction(2990), Fraction(3360)),))
    assert "the makespan may have further steps between 40 and 45" in str(open_).replace("\n", " ")
    many = replace(open_, gaps=open_.gaps * 4)
    assert "further steps between 40 and 50" in str(many).replace("\n", " ")
