"""A tournament names the same place as a scan of all values, whatever has changed before."""

from __future__ import annotations

import numpy as np
import pytest

from solvers.grid.policies.choice import lowest
from solvers.grid.policies.tournament import change, tournament, winner


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 9, 100])
def test_the_winner_is_the_lowest_with_the_same_luck_at_ties(count: int) -> None:
    generator = np.random.default_rng(count)
    values = generator.integers(0, 4, count).astype(float)
    least, ties = tournament(values)
    for luck in generator.random(300):
        found = winner(least, ties, luck)
        assert found == lowest(values, luck)
        values[found] += generator.integers(0, 3)
        change(least, ties, found, values[found])


def test_every_tie_can_win() -> None:
    least, ties = tournament(np.array([2.0, 1.0, 1.0, 3.0, 1.0]))
    assert [winner(least, ties, luck) for luck in (0.0, 0.34, 0.99)] == [1, 2, 4]
