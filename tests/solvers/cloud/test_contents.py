"""The linear program over contents: what it excludes, and what its rounding finds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import planner
from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.solver import Effort
from solvers.cloud import bound, contents, fleet
from solvers.cloud.contents import least_money
from solvers.cloud.decision import Decisions, Question, Verdict
from solvers.cloud.ticks import Ticks
from tests.brute_force import truth
from tests.instances import SHIPPED, bag, cloud, kind, random_instance


def _paper(budget: int) -> CloudInstance:
    """The paper's types and 160 tasks an application, at budgets that rent many VMs."""
    return replace(planner.read(SHIPPED / "cloud" / "thai2015-160" / "b40.json"), budget=Fraction(budget))


@pytest.mark.parametrize("seed", range(150))
def test_what_is_excluded_is_infeasible(seed: int) -> None:
    instance = random_instance(7000 + seed)
    ticks = Ticks.of(instance)
    everything = truth(instance)
    horizon = bound.serial(ticks) if ticks.deadline is None else min(ticks.deadline, bound.serial(ticks))
    for makespan in sorted({max(1, horizon * part // 8) for part in range(1, 9)}):
        found = least_money(ticks, makespan, ticks.budget, Effort())
        if found is not None and found.excluded:
            best = everything.optimum(instance.budget)
            assert best is None or best[0] > ticks.seconds(makespan)


def test_fleets_of_forty_vms_without_a_tick_of_slack_are_decided() -> None:
    """Budget 400: the work alone needs 336 s on forty VMs, and 336 s it is."""
    ticks = Ticks.of(_paper(400))
    assert least_money(ticks, 335, ticks.budget, Effort()) == contents.Contents(True, [], [])
    state = Decisions(ticks, Effort())
    assert state.decide(Question(336, ticks.budget), 1.0) is Verdict.YES
    assert state.best is not None
    verdict = check(ticks.instance, fleet.plan(ticks, state.best))
    assert (verdict.valid, verdict.makespan, verdict.cost) == (True, 336, 400)


def test_limits_alone_can_exclude() -> None:
    """Four tasks of 10 s on at most two VMs take 20 s; there is no budget."""
    instance = cloud([bag("A", (1, 4))], [kind("m", 1, 10)], max_vms=2)
    ticks = Ticks.of(instance)
    exclude = {
        seconds: least_money(ticks, int(seconds / ticks.seconds_per_tick), None, Effort())
        for seconds in (10, 20)
    }
    assert exclude[10] is not None
    assert exclude[10].excluded
    assert exclude[20] is not None
    assert not exclude[20].excluded


def test_bills_without_number_are_left_alone() -> None:
    """A quantum of a nanosecond makes 10^12 bills; no table is built for them."""
    instance = cloud([bag("A", (1000, 3))], [kind("m", 1, 1)], budget=10, quantum="0.000000001")
    ticks = Ticks.of(instance)
    assert least_money(ticks, bound.serial(ticks), ticks.budget, Effort()) is None
    result = planner.solve(instance, "exact")
    assert (result.status, result.makespan) == (planner.Status.OPTIMAL, 1000)


def test_fine_ticks_are_counted_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """With tables too small for the ticks the answers stay right, if less sharp."""
    monkeypatch.setattr(contents, "CELLS", 50_000)
    monkeypatch.setattr(contents, "FEWEST_STEPS", 10)
    ticks = Ticks.of(_paper(400))
    assert least_money(ticks, 280, ticks.budget, Effort()) == contents.Contents(True, [], [])
    open_still = least_money(ticks, 336, ticks.budget, Effort())
    assert open_still is not None
    assert not open_still.excluded
    for column in open_still.columns:
        assert ticks.execution(column.kind, column.content) <= 336
