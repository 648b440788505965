"""The one way in which this project compiles kernels to machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def kernel(function: Function) -> Function:
    """`function` compiled by numba at its first call; the machine code is cached beside the source.

    Where no folder can hold the cache (a read-only installation without a home), it is compiled in each
    process anew. Floats follow IEEE 754 strictly, so that results are the same on every run.
    """
    try:
        compiled = numba.njit(cache=True)(function)
    except RuntimeError:  # numba's word for: nowhere to put the cache
        compiled = numba.njit(function)
    return cast(Function, compiled)
