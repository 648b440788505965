"""Rewards, which CLDS and OSL learn from (Moradi 2016, section III A 1).

A finished job rewards its resource with size / (completion - start); each unfinished job costs it 1 / size in
every step, times a weight.
"""

from __future__ import annotations

import numpy as np

from planner.grid.policy import Floats, Ints, Outcome

_INSTANT = 1e-12
"""The least time, in steps, that a job counts as having taken."""


def earned(outcome: Outcome, from_service: bool) -> Floats:
    """The reward of each finished job; its time runs from its service, or else from its submission."""
    since = outcome.started if from_service else outcome.submitted
    rewards: Floats = outcome.length / np.maximum(outcome.completed - since, _INSTANT)
    return rewards


def sums(resource: Ints, values: Floats, resources: int) -> Floats:
    """The values summed up by resource, (resources,)."""
    # Of no rows numpy makes integers, whatever the weights are.
    return np.bincount(resource, weights=values, minlength=resources).astype(np.float64)
