"""The SimPy model and the simulation agree on a small grid, so that their times can be compared."""

from __future__ import annotations

import pytest

from planner.grid.workload import draw
from tests.bench.simpy_model import alor_series
from tests.bench.simulations import simulated
from tests.grid.systems import drawn


@pytest.mark.parametrize("load", [0.5, 0.95])
def test_the_same_jobs_and_policy_have_the_same_alor(load: float) -> None:
    for seed in range(5):
        world = draw(drawn(schedulers=5, resources=12, steps=150, load=load), seed)
        ours, theirs = simulated(world, "first"), alor_series(world)
        assert theirs.max() > 0.5
        assert ours.tolist() == pytest.approx(theirs.tolist(), rel=1e-9, abs=1e-9)
