"""A program as an MPS or LP file, written by hand so that every number is exact and every byte the same.

MPS is the free form, in which names may be longer than eight characters; LP is the CPLEX form. Every variable
has both bounds, because readers disagree on what is meant without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from solvers.cloud.milp.program import Program, Terms

_WIDTH = 100
_KINDS = {"<=": "L", ">=": "G", "=": "E"}
OBJECTIVE = "objective"


def mps(program: Program, objective: Terms, header: Sequence[str]) -> str:
    """The program in free MPS; `header` becomes comments."""
    columns: dict[int, list[tuple[str, int]]] = {index: [] for index in range(len(program.variables))}
    for index, n in objective.items():
        columns[index].append((OBJECTIVE, n))
    for row in program.rows:
        for index, n in row.terms.items():
            columns[index].append((row.name, n))
    lines = [*(f"* {text}".rstrip() for text in header), "NAME planner FREE", "ROWS", f" N {OBJECTIVE}"]
    lines += [f" {_KINDS[row.sense]} {row.name}" for row in program.rows]
    lines += ["COLUMNS", " MARKER 'MARKER' 'INTORG'"]
    for index, variable in enumerate(program.variables):
        lines += [f" {variable.name} {row} {n}" for row, n in columns[index] or [(OBJECTIVE, 0)]]
    lines += [" MARKER 'MARKER' 'INTEND'", "RHS"]
    lines += [f" RHS {row.name} {row.right}" for row in program.rows if row.right]
    lines.append("BOUNDS")
    for variable in program.variables:
        lines += [f" LO BOUND {variable.name} {variable.low}", f" UP BOUND {variable.name} {variable.high}"]
    return "\n".join([*lines, "ENDATA", ""])


def lp(program: Program, objective: Terms, header: Sequence[str]) -> str:
    """The program in CPLEX LP; `header` becomes comments."""
    names = [variable.name for variable in program.variables]
    lines = [*(f"\\ {text}".rstrip() for text in header), "Minimize"]
    lines += _wrapped(f"{OBJECTIVE}:", _sum(objective, names))
    lines.append("Subject To")
    for row in program.rows:
        lines += _wrapped(f"{row.name}:", [*_sum(row.terms, names), f"{row.sense} {row.right}"])
    lines.append("Bounds")
    lines += [f" {variable.low} <= {variable.name} <= {variable.high}" for variable in program.variables]
    lines.append("Generals")
    lines += _wrapped("", names)
    return "\n".join([*lines, "End", ""])


def _sum(terms: Mapping[int, int], names: Sequence[str]) -> Iterator[str]:
    """The terms one by one; a sum of none still needs one, the format has no other way to write 0."""
    for index, n in (terms or {0: 0}).items():
        yield f"{'-' if n < 0 else '+'} {abs(n)} {names[index]}"


def _wrapped(label: str, parts: Iterable[str]) -> Iterator[str]:
    """A statement over several lines: readers refuse long ones. Terms are not torn apart."""
    line = f" {label}" if label else ""
    for part in parts:
        if len(line) + len(part) >= _WIDTH:
            yield line
            line = " "
        line += f" {part}"
    yield line
