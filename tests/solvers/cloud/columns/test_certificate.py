"""The certified money and makespan: below every plan's, whatever the dual values are."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from planner.cloud.generate import generate as made
from planner.cloud.generate import machines
from planner.cloud.instance import CloudInstance
from planner.solver import Effort
from solvers.cloud.columns.certificate import least_money
from solvers.cloud.columns.generation import generate
from solvers.cloud.columns.lower import LeastMakespan, least_cost
from solvers.cloud.columns.market import Market
from solvers.cloud.columns.master import Duals
from solvers.cloud.ticks import Ticks
from tests.brute_force import truth
from tests.instances import random_instance

SEEDS = range(120)


def _market(instance: CloudInstance, by_class: bool = False) -> Market:
    ticks = Ticks.of(instance, "up", None)
    return Market.of_classes(ticks) if by_class else Market.of_units(ticks)


@pytest.mark.parametrize("by_class", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_plan_is_cheaper_whatever_the_worths(seed: int, by_class: bool) -> None:
    instance = random_instance(seed)
    market = _market(instance, by_class)
    ticks = market.ticks
    rng = random.Random(seed)
    for makespan, cost in truth(instance).front:
        end = int(makespan / ticks.seconds_per_tick)
        scale = float(cost / ticks.money_per_coin) / sum(market.demand)
        for _ in range(3):
            duals = Duals(
                np.array([rng.choice([0.0, rng.random(), 2 * rng.random()]) * scale for _ in market.demand]),
                np.array([rng.random() * scale for _ in ticks.types]),
                rng.random() * scale,
            )
            assert ticks.money_per_coin * least_money(market, end, duals, Effort()) <= cost
        generated = generate(market, end, Effort(), None)
        if generated is not None:
            assert ticks.money_per_coin * least_money(market, end, generated.free.duals, Effort()) <= cost


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bounds_are_never_above_the_truth(seed: int) -> None:
    instance = random_instance(seed)
    market = _market(instance)
    worths = [
        worth for worth in truth(instance).front if instance.budget is None or worth[1] <= instance.budget
    ]
    if not worths:
        return
    ticks = market.ticks
    lowest = LeastMakespan(market, Effort())
    assert ticks.seconds(lowest.prove()) <= min(makespan for makespan, _ in worths)
    generated = generate(market, ticks.deadline or 1, Effort(), None)
    assert ticks.money(least_cost(market, generated, Effort())) <= min(cost for _, cost in worths)


def test_it_is_the_linear_program_in_long_vms() -> None:
    instance = made(machines(20), applications=3, sizes=4, tasks_per_class=200)
    market = _market(instance)
    makespan = int(2000 / market.ticks.seconds_per_tick)
    generated = generate(market, makespan, Effort(), None)
    assert generated is not None
    certified = float(least_money(market, makespan, generated.free.duals, Effort()))
    assert certified == pytest.approx(generated.free.cost, rel=1e-6)


def test_worthless_items_prove_nothing() -> None:
    market = _market(random_instance(5))
    nothing = Duals(np.zeros(len(market.demand)), np.zeros(len(market.startup)), 0.0)
    assert least_money(market, 10**6, nothing, Effort()) == Fraction(0)
