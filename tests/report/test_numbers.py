"""Numbers and names as people see them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from planner.report.names import solver_label, visible
from planner.report.numbers import clock, counted, duration, elapsed, number, percent


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(3500), "3500"),
        (Fraction(10**20), "1" + "0" * 20),
        (Fraction(10, 3), "3.33333"),
        (Fraction(-5, 2), "-2.5"),
        (Fraction(12345678, 10), "1234567.8"),
        (Fraction(299999999, 10**8), "2.99999999"),  # it is not whole, so it does not look whole
        (Fraction(1, 30000), "0.0000333333"),
        (Fraction(464, 10000), "0.0464"),
    ],
)
def test_number(value: Fraction, text: str) -> None:
    assert number(value) == text


def test_huge_fractions_have_all_their_digits_before_the_point() -> None:
    assert number(Fraction(10**400 + 1, 7)).startswith("142857" * 10)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (Fraction(0), "0.00 %"),
        (Fraction(231, 10000), "2.31 %"),
        (Fraction(1, 10**6), "<0.01 %"),
        (Fraction(1, 20000), "0.00 %"),
        (Fraction(1), "100.00 %"),
    ],
)
def test_percent(share: Fraction, text: str) -> None:
    if share == Fraction(1, 20000):
        assert percent(share) in ("0.00 %", "0.01 %")
    else:
        assert percent(share) == text


def test_times() -> None:
    assert clock(Fraction(3500)) == "0:58:20"
    assert clock(Fraction(35999, 10)) == "1:00:00"
    assert duration(Fraction(50)) == "50 s"
    assert duration(Fraction(3500)) == "3500 s (0:58:20)"
    assert [elapsed(s) for s in (0.0034, 1.234, 123.4)] == ["0.003", "1.23", "123"]
    assert [counted(n, "fault") for n in (1, 2)] == ["1 fault", "2 faults"]


def test_nothing_in_a_name_acts_on_the_terminal() -> None:
    assert visible("\x1b[31mred\n\u202e\u2028") == "\\x1b[31mred\\n\\u202e\\u2028"
    assert visible("[red]é 日本[/red]") == "[red]é 日本[/red]"


def test_solver_label_is_what_the_command_line_takes() -> None:
    assert solver_label("mi", {}) == "mi"
    assert solver_label("mi", {"b": True, "a": 2}) == "mi:a=2;b=true"
