"""Draws are positive, repeatable, and have the mean that is said of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from planner.grid.distribution import (
    Choices,
    Constant,
    Distribution,
    Exponential,
    Lognormal,
    Normal,
    Uniform,
)

MANY = 400_000

ALL: list[Distribution] = [
    Uniform(1, 10),
    Uniform(0, 3),
    Uniform(4, 4),
    Normal(5, 1),
    Normal(1, 2),
    Normal(0.001, 3),
    Lognormal(0.5, 0.75),
    Exponential(7),
    Constant(2.5),
    Choices((1, 2, 10), (1, 1, 1)),
    Choices((1, 2, 10), (5, 0.5, 2)),
]


@pytest.mark.parametrize("distribution", ALL, ids=str)
def test_the_mean_is_that_of_the_draws(distribution: Distribution) -> None:
    drawn = distribution.draw(np.random.default_rng(7), MANY)
    assert drawn.dtype == np.float64
    assert drawn.shape == (MANY,)
    assert drawn.min() > 0
    # Five standard errors: a wrong formula is off by far more, a right one never.
    assert abs(drawn.mean() - distribution.mean) <= 5 * drawn.std() / math.sqrt(MANY) + 1e-12


@pytest.mark.parametrize("distribution", ALL, ids=str)
def test_the_generator_decides_all(distribution: Distribution) -> None:
    first, second = (distribution.draw(np.random.default_rng(3), 50) for _ in range(2))
    assert first.tolist() == second.tolist()
    assert distribution.draw(np.random.default_rng(3), 0).shape == (0,)


def test_truncation_raises_the_mean_of_a_normal_distribution() -> None:
    # With sd as large as the location x = 1: 1 + φ(1)/Φ(1) = 1 + 0.241971/0.841345.
    assert Normal(1, 1).mean == pytest.approx(1.2875999709, abs=1e-9)
    assert Normal(100, 1).mean == 100


def test_a_value_of_zero_is_drawn_again() -> None:
    class Zeros(np.random.Generator):
        rounds = 0

        def exponential(self, scale: float, size: int) -> np.ndarray:  # type: ignore[override]
            self.rounds += 1
            return np.zeros(size) if self.rounds < 3 else np.full(size, scale)

    assert Exponential(4).draw(Zeros(np.random.PCG64(1)), 3).tolist() == [4, 4, 4]
