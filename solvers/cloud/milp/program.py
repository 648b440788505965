"""An integer program as plain data: what every backend is given, and what `planner export` writes.

It knows no solver and no file format, so that the program a backend solves in another process, the one in
an exported file and the one a test looks at are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Sense: TypeAlias = Literal["<=", ">=", "="]
Terms: TypeAlias = Mapping[int, int]
"""Coefficient by variable index."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A whole number between `low` and `high`, both included."""

    name: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Row:
    """A linear constraint: the sum of coefficient times variable, compared with `right`."""

    name: str
    terms: Terms
    sense: Sense
    right: int


@dataclass
class Program:
    """Variables and rows, in the order in which they were added; what to minimise is said apart."""

    variables: list[Variable] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def variable(self, name: str, high: int, low: int = 0) -> int:
        """Add a variable; returns its index."""
        self.variables.append(Variable(name, low, high))
        return len(self.variables) - 1

    def row(self, name: str, terms: Terms, sense: Sense, right: int) -> None:
        """Add a constraint; zero coefficients are left out."""
        self.rows.append(Row(name, {index: n for index, n in terms.items() if n}, sense, right))

    @property
    def coefficients(self) -> int:
        """How many there are in all rows."""
        return sum(len(row.terms) for row in self.rows)

    @property
    def largest(self) -> int:
        """The largest coefficient of all rows, in size."""
        return max((abs(n) for row in self.rows for n in row.terms.values()), default=0)
