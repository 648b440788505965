"""Exact numbers: from the digits of a file to a fraction and back, without a float in between."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

LARGEST = 10**15
DIGITS = 30

# Wide enough for every double of a result, small enough that no arithmetic on it can take long.
_LONGEST_TEXT = 64
_WIDEST_EXPONENT = 400


@dataclass(frozen=True, slots=True)
class Refused:
    """Stands in the tree for a number that cannot be taken; `reason` completes "must be a number, …"."""

    reason: str


def parse(text: str) -> int | Decimal | Refused:
    """The number that a JSON number's characters say, exactly; `Refused` where it is out of all bounds."""
    if len(text) <= 18 and text.lstrip("-").isdigit():
        return int(text)
    if len(text) > _LONGEST_TEXT:
        return Refused(f"is a number of {len(text)} characters; {_rule()}")
    try:
        value = Decimal(text)
    except InvalidOperation:
        return Refused(f"{text} is out of range; {_rule()}")
    if not value.is_finite() or abs(value.adjusted()) > _WIDEST_EXPONENT:
        return Refused(f"{text} is out of range; {_rule()}")
    return value


def parse_constant(text: str) -> Refused:
    """NaN and the infinities, which Python's JSON knows and JSON does not."""
    return Refused(f"{text} is not a number")


def limit_fault(value: int | Decimal) -> str | None:
    """Why a quantity of an instance or plan may not be this number; None where it may."""
    if not -LARGEST <= value <= LARGEST:
        return f"{value} is beyond 1e15 in size"
    if isinstance(value, Decimal):
        digits = value.as_tuple().digits
        decimals = len(digits) - 1 - value.adjusted()
        if len(digits) > DIGITS or decimals > DIGITS:
            return f"{value} has more than {DIGITS} digits"
    return None


def exact(value: Fraction) -> int | float | Decimal:
    """The JSON number that is exactly `value`: whole ones as int, a Decimal where no double prints as it.

    Raises `ValueError` where `value` has no finite decimal form, or more digits than a file may hold.
    """
    if value.denominator == 1:
        number: int | Decimal = value.numerator
    else:
        number = _decimal(value)
    fault = limit_fault(number)
    if fault is not None:
        raise ValueError(fault)
    if isinstance(number, int):
        return number
    double = float(value)
    return double if Fraction(repr(double)) == value else number


def nearest(value: Fraction) -> int | float:
    """The double nearest to `value`, as an int where it is a whole number that every reader keeps exactly."""
    double = float(value)
    return int(double) if double.is_integer() and abs(double) <= 2**53 else double


def _decimal(value: Fraction) -> Decimal:
    twos, fives, rest = 0, 0, value.denominator
    while rest % 2 == 0:
        twos, rest = twos + 1, rest // 2
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    if rest != 1:
        raise ValueError(f"{value} has no finite decimal form, so no JSON number is exactly it")
    places = max(twos, fives)
    coefficient = value.numerator * 10**places // value.denominator
    digits = tuple(int(digit) for digit in str(abs(coefficient)))
    # From a tuple, because arithmetic on decimals rounds to the context's 28 digits.
    return Decimal((int(value < 0), digits, -places))


def _rule() -> str:
    return f"at most {DIGITS} digits and 1e15 in size"
