"""How series are told apart: a colour of Okabe and Ito, a dash and a marker, each of its own."""

from __future__ import annotations

from dataclasses import dataclass

MOST = 8
"""Series of one picture; more cannot be told apart."""


@dataclass(frozen=True, slots=True)
class Look:
    """The CSS class of the colour, the dashes of lines, and a marker as path around the origin."""

    colour: str
    dash: str | None
    marker: str


_MARKERS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-3.6 -3.6h7.2v7.2h-7.2z",
    "M0 -4.6L4.6 3.6H-4.6z",
    "M0 -5L5 0L0 5L-5 0z",
    "M0 4.6L4.6 -3.6H-4.6z",
    "M-1.6 -4.5h3.2v2.9h2.9v3.2h-2.9v2.9h-3.2v-2.9h-2.9v-3.2h2.9z",
    "M-4 -4L0 -1.4L4 -4L1.4 0L4 4L0 1.4L-4 4L-1.4 0z",
    "M0 -5L4.8 -1.5L2.9 4H-2.9L-4.8 -1.5z",
)
_DASHES = (None, "7 3", "2 2.5", "7 2.5 2 2.5", "10 3 2 3 2 3", "12 4", "4 4", "1 3")

LOOKS = tuple(
    Look(f"c{index}", dash, marker)
    for index, (dash, marker) in enumerate(zip(_DASHES, _MARKERS, strict=True))
)


def look(index: int) -> Look:
    """The look of the series of that index; they come again from `MOST` on."""
    return LOOKS[index % MOST]
