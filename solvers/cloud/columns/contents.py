"""The most that the content of one VM can be worth, however long the VM is.

Let d be the densest item, the one of most worth a tick. Against a VM that is full of worth at d's density, an
item i loses w_d*p_i/p_d - w_i and an idle tick w_d/p_d. The items beside d leave a remainder modulo p_d, and
the least loss for each remainder is a shortest path over p_d states (Gilmore and Gomory 1966): the length of
the VM does not matter. Everything is in whole numbers, so the answer is a proof: no content is worth more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

MOST_STATES = (
    1 << 16
)  # remainders; with more, times are rounded down to a coarser unit: never too little worth
UNREACHED = 1 << 61
PRECISION = 1 << 60  # no sum of losses passes it


@dataclass(frozen=True, slots=True)
class Item:
    """`pieces` of market item `index`, `time` ticks long (at least one) and worth `worth` coins, together."""

    index: int
    pieces: int
    time: int
    worth: Fraction


@dataclass(frozen=True, slots=True)
class _Step:
    """One way to go on: `count` items at position `item`, taken where `taken` says so."""

    item: int
    count: int
    shift: int
    taken: npt.NDArray[np.bool_]


class Contents:
    """All contents of VMs of up to `longest` ticks of work, made of `items` (not empty, each of worth)."""

    def __init__(self, items: Sequence[Item], longest: int) -> None:
        self._items = items
        densest = max(items, key=lambda item: item.worth / item.time)
        self._step = densest.time // MOST_STATES + 1
        # Items shorter than a step could fill every gap: no loss is proven then.
        self._gapless = min(item.time for item in items) < self._step
        room = longest // self._step + 1
        # Worths are rounded up to whole numbers so small that no loss times length passes the precision.
        self._scale = Fraction(PRECISION, room) / max(item.worth for item in items)
        self._lengths = [item.time // self._step for item in items]
        self._worths = [-int(-item.worth * self._scale // 1) for item in items]
        long = [i for i, length in enumerate(self._lengths) if length]
        self._densest = max(long, key=lambda i: Fraction(self._worths[i], self._lengths[i]))
        self._length, self._worth = self._lengths[self._densest], self._worths[self._densest]
        self._steps: list[_Step] = []
        self._losses = self._least_losses(room)
        self._with_idle = self._least_with_idle()

    @property
    def density(self) -> Fraction:
        """Worth of a tick of the densest item."""
        item = self._items[self._densest]
        return item.worth / item.time

    def most(self, rooms: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Upper bounds on the worth of contents of at most so many ticks, mostly attained; see `coins`."""
        cells = rooms // self._step
        if self._gapless:
            return self._worth * (cells + 1)
        return self._worth * cells - self._with_idle[cells % self._length]

    def coins(self, worth: int) -> Fraction:
        """A worth that `most` told, in coins."""
        return Fraction(worth, self._length) / self._scale

    def content(self, room: int, items: int) -> list[int] | None:
        """The content worth most, as numbers of the market's `items`; None: it is too long for the room."""
        remainder = self._best_remainder(room // self._step)
        content = [0] * items
        left = room
        for step in reversed(self._steps):
            if step.taken[remainder]:
                item = self._items[step.item]
                content[item.index] += step.count * item.pieces
                left -= step.count * item.time
                remainder = (remainder - step.shift) % self._length
        if left < 0:
            return None
        for item in sorted(self._items, key=lambda item: -item.worth / item.time):
            content[item.index] += left // item.time * item.pieces
            left %= item.time
        return content

    def _best_remainder(self, cells: int) -> int:
        """The remainder that the items beside the densest leave in the best content."""
        idle = (cells - np.arange(self._length)) % self._length
        # What nothing reaches may lose so much that it never wins.
        return int(np.argmin(self._losses + idle * self._worth))

    def _least_with_idle(self) -> npt.NDArray[np.int64]:
        """The least loss by the remainder of the whole length, idle ticks at its end included."""
        falling = np.arange(2 * self._length, dtype=np.int64) * self._worth
        least = np.minimum.accumulate(np.tile(self._losses, 2) - falling) + falling
        return least[self._length :]

    def _least_losses(self, room: int) -> npt.NDArray[np.int64]:
        """Least loss, times the densest item's length, by the remainder that the other items leave."""
        losses = np.full(self._length, UNREACHED, dtype=np.int64)
        losses[0] = 0
        for i, (length, worth) in enumerate(zip(self._lengths, self._worths, strict=True)):
            if self._gapless:
                break
            loss = self._worth * length - worth * self._length
            if not length % self._length:
                continue
            # Idle ticks up to the next remainder 0 lose less than length * worth: more than that never wins.
            # Bundles of 1, 2, 4, … make up every number up to that.
            left = min(room // length, self._length, self._worth * self._length // loss if loss else room)
            count = 1
            while left > 0:
                shift = length * count % self._length
                moved = np.roll(losses, shift) + loss * count
                taken = moved < losses
                losses = np.where(taken, moved, losses)
                self._steps.append(_Step(i, count, shift, taken))
                left -= count
                count *= 2
        return losses
