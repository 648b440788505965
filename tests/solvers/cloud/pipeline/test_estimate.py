"""Quick estimates of makespan and affordable VMs."""

import pytest

from solvers.cloud.pipeline.estimate import Estimate, affordable
from solvers.cloud.ticks import Ticks
from tests.instances import bag, cloud, kind
from tests.solvers.cloud.pipeline.fleets import thai


@pytest.mark.parametrize(("counts", "level"), [((0, 0, 2, 2), 3360), ((1, 0, 2, 2), 134400 // 45 + 1)])
def test_level_of_cost_effective_types_is_the_closed_form(counts: tuple[int, ...], level: int) -> None:
    ticks = Ticks.of(thai(32, 40))
    found = Estimate(ticks).level(counts)
    assert found is not None
    assert found == level


def test_level_counts_the_startup_and_knows_no_fleet() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 10))], [kind("t", 1, 10)], startup=30))
    estimate = Estimate(ticks)
    level = estimate.level([2])
    assert level is not None
    assert ticks.seconds(level) == 30 + 10 * 10 / 2
    assert estimate.level([0]) is None


def test_affordable_is_money_over_price_under_hourly_billing() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 100))], [kind("t", 2, 10)]))
    coins = int(11 / ticks.money_per_coin)
    assert affordable(ticks, 0, 100, 100, coins, 100) == 5


def test_affordable_with_billing_by_the_second_counts_the_even_run() -> None:
    # 1000 s of work at 1 a second, and 10 s of startup for each VM: 7 VMs cost 1070, 8 would cost 1080.
    instance = cloud([bag("A", (1, 100))], [kind("t", 3600, 10)], startup=10, quantum=1)
    ticks = Ticks.of(instance)
    unit = int(1 / ticks.seconds_per_tick)
    coins = int(1079 / ticks.money_per_coin)
    assert affordable(ticks, 0, 1000 * unit, 100, coins, 100) == 7


def test_free_machines_are_bounded_by_the_number_of_tasks() -> None:
    ticks = Ticks.of(cloud([bag("A", (1, 7))], [kind("own", 0, 10)]))
    assert affordable(ticks, 0, 70, 7, 0, 50) == 7
