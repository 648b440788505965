"""Names, numbers and CBC's log: what is read and written around solver milp."""

from __future__ import annotations

from fractions import Fraction

import pytest

from planner.errors import UsageError
from planner.goal import Goal
from solvers.cloud.milp import cbclog, claims, names, text
from solvers.cloud.milp.export import Export
from solvers.cloud.milp.program import Program
from tests.solvers.cloud.backends import TINY


@pytest.mark.parametrize(
    ("given", "escaped"),
    [
        ("it3", "it3"),
        ("m5.large", "m5.large"),
        ("c5 (big)", "c5~20~28big~29"),
        ("a,b", "a~2Cb"),
        ("~41", "~7E41"),
        ("größe", "gr~C3~B6~C3~9Fe"),
        ("x" * 24, "x" * 24),
        ("x" * 25, "x" * 16 + "~~7"),
        ("€" * 9, "~E2~82~AC~E2~82~~7"),
    ],
)
def test_names_are_escaped(given: str, escaped: str) -> None:
    assert names.index(given, 7) == escaped


def test_names_stay_different() -> None:
    odd = ["a b", "a_b", "a~20b", "a,b", "A B", "x" * 30, "x" * 31, "x" * 16 + "~~5", "é", "e"]
    assert len({names.index(one, number) for number, one in enumerate(odd)}) == len(odd)


@pytest.mark.parametrize(
    ("size", "shown"),
    [("5", "5"), ("5/2", "2.5"), ("1/10", "0.1"), ("1/3", "1~2F3"), ("1000/8", "125"), ("1/80", "0.0125")],
)
def test_sizes(size: str, shown: str) -> None:
    assert names.size(Fraction(size), 0) == shown


def _program() -> tuple[Program, dict[int, int]]:
    program = Program()
    x, y = program.variable("x(a,1)", 7), program.variable("y", 3, 1)
    program.row("some", {x: 2, y: -1}, "<=", 5)
    program.row("all", {x: 1, y: 1}, "=", 0)
    program.row("none", {}, ">=", 1)
    return program, {y: 3}


def test_lp() -> None:
    assert text.lp(*_program(), ["what", ""]).splitlines() == [
        "\\ what",
        "\\",
        "Minimize",
        " objective: + 3 y",
        "Subject To",
        " some: + 2 x(a,1) - 1 y <= 5",
        " all: + 1 x(a,1) + 1 y = 0",
        " none: + 0 x(a,1) >= 1",
        "Bounds",
        " 0 <= x(a,1) <= 7",
        " 1 <= y <= 3",
        "Generals",
        " x(a,1) y",
        "End",
    ]


def test_mps() -> None:
    lines = text.mps(*_program(), ["what"]).splitlines()
    assert lines[:2] == ["* what", "NAME planner FREE"]
    assert lines[lines.index("COLUMNS") + 1 : lines.index("RHS")] == [
        " MARKER 'MARKER' 'INTORG'",
        " x(a,1) some 2",
        " x(a,1) all 1",
        " y objective 3",
        " y some -1",
        " y all 1",
        " MARKER 'MARKER' 'INTEND'",
    ]
    assert lines[lines.index("RHS") + 1 : lines.index("BOUNDS")] == [" RHS some 5", " RHS none 1"]
    assert lines[-3:] == [" LO BOUND y 1", " UP BOUND y 3", "ENDATA"]


def test_long_sums_are_wrapped_between_terms() -> None:
    program = Program()
    terms = {program.variable(f"variable{index}", 1): 1 for index in range(50)}
    program.row("long", terms, "<=", 1)
    lines = text.lp(program, terms, []).splitlines()
    assert max(map(len, lines)) <= 100
    sums = lines[: lines.index("Bounds")]
    assert all(line.split()[0] in ("+", "<=") for line in sums if line.startswith("  "))


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(UsageError, match="choose from: mps, lp"):
        Export().write(TINY, Goal.MAKESPAN, "xls")


LOG = """
Cbc0010I After 100 nodes, 3 on tree, 3520 best solution, best possible 3501 (2.90 seconds)
Result - Stopped on time limit

Objective value:                3520.00000000
Lower bound:                    3499.999
Gap:                            0.01
"""


@pytest.mark.parametrize(
    ("log", "bound"),
    [
        (LOG, 3499.998),
        ("Result - Optimal solution found\n\nObjective value:                25.00000000\n", 24.999),
        ("Result - Optimal solution found (within gap tolerance)\nLower bound: 24.5\n", 24.499),
        ("Result - Problem proven infeasible\n\nNo feasible solution found\n", None),
        ("Result - Stopped on time limit\nNo feasible solution found\nLower bound: 12.000\n", 11.999),
        ("Result - Stopped on time limit\nLower bound: -1.79769e+308\n", None),
        ("Result - Stopped on time limit\nLower bound: inf\n", None),
        ("Result - Stopped on time limit\nLower bound: many\n", None),
        ("best possible 25\n", None),
        ("", None),
        (LOG + "Result - Optimal solution found\nObjective value: 3500.00000000\n", 3499.999),
    ],
)
def test_the_bound_in_cbcs_log(log: str, bound: float | None) -> None:
    assert cbclog.lower_bound(log) == (None if bound is None else pytest.approx(bound, abs=1e-9))


@pytest.mark.parametrize(
    ("value", "bound"),
    [(25.0, 25), (24.999, 25), (25.0000009, 25), (25.01, 26), (24.0, 24), (-3.0, 0), (1e12, 10**12 - 1000)],
)
def test_a_bound_gives_up_its_tolerance_and_is_rounded_up(value: float, bound: int) -> None:
    program = Program()
    program.variable("x", 10)
    assert claims.certified(program, value) == bound


def test_the_tolerance_grows_with_what_variables_can_move() -> None:
    program = Program()
    program.variable("x", 2 * 10**7)
    assert claims.certified(program, 25.0) == 23
