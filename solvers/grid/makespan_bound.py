"""The certified bound on the makespan that costs next to nothing."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from solvers.grid.arrays import ROUNDING, Arrays
from solvers.grid.kernels.makespan import makespan_bound


def certified(arrays: Arrays) -> Fraction:
    """A lower bound on the makespan of a step with enough places, in steps.

    The kernel's, less all it may be off by: 2^-46 and (n + |R|)·2^-52 of it, and what the doubles of the
    instance are off by.
    """
    value = makespan_bound(
        arrays.backlog, arrays.capacity, np.sort(arrays.lengths)[::-1].copy(), arrays.limit
    )
    off = 2 * (arrays.lengths.size + arrays.capacity.size) * ROUNDING + Fraction(1, 2**45)
    return Fraction(value) * max(Fraction(0), 1 - off)
