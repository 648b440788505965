"""How a number is written for people: exact where it is whole, short where it is not, never misleading."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

_DIGITS = (6, 9, 12, 15)
"""Significant digits tried in turn, until a number that is not whole does not look whole."""

_CLOCK_FROM = 600
"""Seconds from which a duration is also shown as h:mm:ss."""


def number(value: Fraction) -> str:
    """Whole values exactly, others to six significant digits; all digits before the point always stand."""
    if value.denominator == 1:
        return str(value.numerator)
    text = ""
    for digits in _DIGITS:
        text = _rounded(value, digits)
        if "." in text:
            break
    return text


def percent(share: Fraction | float) -> str:
    """`0.0231` as `2.31 %`; what is not zero never shows as `0.00 %`."""
    if 0 < share < Fraction(1, 20000):
        return "<0.01 %"
    hundredths = round(share * 10000)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02d} %"


def clock(seconds: Fraction) -> str:
    """`h:mm:ss`, rounded up to the second: a plan is never shown shorter than it is."""
    whole = -(-seconds.numerator // seconds.denominator)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def duration(seconds: Fraction) -> str:
    """Seconds, with h:mm:ss beside them from ten minutes on."""
    text = f"{number(seconds)} s"
    return f"{text} ({clock(seconds)})" if seconds >= _CLOCK_FROM else text


def elapsed(seconds: float) -> str:
    """Measured wall time in seconds: three significant digits or so, no unit."""
    if seconds < 1:
        return f"{seconds:.3f}"
    return f"{seconds:.2f}" if seconds < 100 else f"{seconds:.0f}"


def counted(count: int, noun: str) -> str:
    """`1 fault`, `2 faults`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _rounded(value: Fraction, digits: int) -> str:
    with localcontext() as context:
        before = len(str(abs(value.numerator) // value.denominator))
        context.prec = before + digits + 40
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        places = digits - 1 - exact.adjusted() if exact.adjusted() < 0 else max(0, digits - before)
        rounded = exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN)
    text = f"{rounded:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
