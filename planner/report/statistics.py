"""Statistics of several runs."""

from __future__ import annotations

import math
from collections.abc import Sequence


def half_interval(values: Sequence[float]) -> float:
    """Half of Student's 95 % confidence interval for the mean of the values; 0 for fewer than two."""
    if len(values) < 2:
        return 0.0
    from scipy.special import stdtrit

    count = len(values)
    mean = math.fsum(values) / count
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    return float(stdtrit(count - 1, 0.975)) * math.sqrt(variance / count)
