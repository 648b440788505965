"""Distributions of capacities and job lengths: what they are, their exact means, and draws from them.

Every draw is greater than 0. `mean` is that of what is drawn, truncation included, because the rate at which
jobs arrive is worked out from it (docs/model-grid.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Uniform:
    """Evenly between `low` (at least 0) and `high`."""

    low: float
    high: float

    @property
    def mean(self) -> float:
        """The expected value."""
        return self.low + (self.high - self.low) / 2

    def draw(self, generator: np.random.Generator, count: int) -> Floats:
        """That many independent draws."""
        return _positive(lambda size: generator.uniform(self.low, self.high, size), count)


@dataclass(frozen=True, slots=True)
class Normal:
    """The normal distribution with `location` (above 0) and `sd`, truncated: values up to 0 are drawn again.

    Because of that its mean is above `location`.
    """

    location: float
    sd: float

    @property
    def mean(self) -> float:
        """The expected value of what is left above 0."""
        # Johnson, Kotz and Balakrishnan (1994), section 10.1: location + sd·φ(x)/Φ(x), x = location/sd.
        x = self.location / self.sd
        density = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        return self.location + self.sd * density / (math.erfc(-x / math.sqrt(2)) / 2)

    def draw(self, generator: np.random.Generator, count: int) -> Floats:
        """That many independent draws; fewer than half of all values are ever drawn again."""
        return _positive(lambda size: generator.normal(self.location, self.sd, size), count)


@dataclass(frozen=True, slots=True)
class Lognormal:
    """e to the power of a normally distributed number with mean `mu` and standard deviation `sigma`."""

    mu: float
    sigma: float

    @property
    def mean(self) -> float:
        """The expected value."""
        return math.exp(self.mu + self.sigma * self.sigma / 2)

    def draw(self, generator: np.random.Generator, count: int) -> Floats:
        """That many independent draws."""
        return _positive(lambda size: generator.lognormal(self.mu, self.sigma, size), count)


@dataclass(frozen=True, slots=True)
class Exponential:
    """The exponential distribution with that mean."""

    mean: float

    def draw(self, generator: np.random.Generator, count: int) -> Floats:
        """That many independent draws."""
        return _positive(lambda size: generator.exponential(self.mean, size), count)


@dataclass(frozen=True, slots=True)
class Constant:
    """Always `value`."""

    value: float

    @property
    def mean(self) -> float:
        """The value."""
        return self.value

    def draw(self, generator: np.random.Generator, count: int) -> Floats:  # noqa: ARG002 - like the others
        """The value, that many times; takes nothing from the generator."""
        return np.full(count, self.value)


@dataclass(frozen=True, slots=True)
class Choices:
    """One of `values`, each with a probability in proportion to its weight (of any sum)."""

    values: tuple[float, ...]
    weights: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The expected value."""
        pairs = zip(self.values, self.weights, strict=True)
        return math.fsum(value * weight for value, weight in pairs) / math.fsum(self.weights)

    def draw(self, generator: np.random.Generator, count: int) -> Floats:
        """That many independent draws."""
        shares = np.asarray(self.weights) / math.fsum(self.weights)
        return generator.choice(np.asarray(self.values, dtype=np.float64), size=count, p=shares)


Distribution = Uniform | Normal | Lognormal | Exponential | Constant | Choices


def _positive(sample: Callable[[int], Floats], count: int) -> Floats:
    """`count` values of `sample`, each that is not above 0 drawn again until it is."""
    values = sample(count)
    while (again := np.flatnonzero(values <= 0)).size:
        values[again] = sample(again.size)
    return values
