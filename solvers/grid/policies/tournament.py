"""The lowest of many values that change one at a time: a tournament, replayed along one path after a change.

A tournament is two arrays over the nodes of a binary tree, node 1 the winner's, the children of node k at
2k and 2k + 1, the values at the leaves in their order: `least` (nodes,) is the lowest value below a node,
`ties` (nodes,) how many leaves below it have that value.
"""

from __future__ import annotations

import numpy as np

from planner.grid.compiled import kernel
from planner.grid.policy import Floats, Ints


@kernel
def tournament(values: Floats) -> tuple[Floats, Ints]:
    """`least` and `ties` for these values, in time linear in their number."""
    leaves = 1
    while leaves < values.size:
        leaves *= 2
    least = np.full(2 * leaves, np.inf)
    ties = np.zeros(2 * leaves, dtype=np.int64)
    least[leaves : leaves + values.size] = values
    ties[leaves : leaves + values.size] = 1
    for node in range(leaves - 1, 0, -1):
        _play(least, ties, node)
    return least, ties


@kernel
def winner(least: Floats, ties: Ints, luck: float) -> int:
    """Where the lowest value is; of several, in their order, the one that `luck` in [0, 1) falls on."""
    turn = int(luck * ties[1])
    node, leaves = 1, least.size // 2
    while node < leaves:
        node *= 2
        ahead = ties[node] if least[node] == least[1] else 0
        if turn >= ahead:
            turn -= ahead
            node += 1
    return node - leaves


@kernel
def change(least: Floats, ties: Ints, where: int, value: float) -> None:
    """Give one leaf another value."""
    node = least.size // 2 + where
    least[node] = value
    while node > 1:
        node //= 2
        _play(least, ties, node)


@kernel
def _play(least: Floats, ties: Ints, node: int) -> None:
    left, right = 2 * node, 2 * node + 1
    if least[left] < least[right]:
        least[node], ties[node] = least[left], ties[left]
    elif least[right] < least[left]:
        least[node], ties[node] = least[right], ties[right]
    else:
        least[node], ties[node] = least[left], ties[left] + ties[right]
