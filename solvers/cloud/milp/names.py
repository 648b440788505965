"""Names for variables and rows that people can read and every LP and MPS reader takes.

A name is a letter and indices in brackets, `x(it3,2,A1,5)`: on the second VM of type it3 the tasks of A1 of
size 5. Letters, digits, `_` and `.` stand for themselves; every other byte is written `~XX` (two hex digits).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

LONGEST = 24
"""Characters of one index; with four of them a name stays below 255, and 100 in all but odd cases."""

_PLAIN = re.compile(rb"[A-Za-z0-9_.]")


def index(text: str, position: int) -> str:
    """`text` as part of a name; a long one is cut and ends in `~~position`, which nothing else contains."""
    escaped = "".join(
        chr(byte) if _PLAIN.match(bytes([byte])) else f"~{byte:02X}"
        for byte in text.encode("utf-8", "surrogatepass")
    )
    return escaped if len(escaped) <= LONGEST else f"{escaped[: LONGEST - 8].rstrip('~')}~~{position}"


def size(value: Fraction, position: int) -> str:
    """A size as part of a name: `5`, `2.5`, or numerator and denominator where it is no short decimal."""
    for digits in range(10):
        scaled = value * 10**digits
        if scaled.denominator == 1:
            whole = f"{scaled.numerator:0{digits + 1}d}"
            return index(whole if not digits else f"{whole[:-digits]}.{whole[-digits:]}", position)
    return index(f"{value.numerator}/{value.denominator}", position)


def name(letter: str, parts: Iterable[object]) -> str:
    """The whole name."""
    return f"{letter}({','.join(map(str, parts))})"
