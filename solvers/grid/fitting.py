"""Whether all jobs of a step fit into given rooms: an integer program in CP-SAT.

x[c,i] jobs of class c go to resource i:

    sum over i of x[c,i] = N_c,   sum over c of length_c x[c,i] <= room_i,   sum over c of x[c,i] <= limit

Resources of equal room are alike, so they are ordered by their work; that only removes symmetry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ortools.sat.python import cp_model

from planner.grid.plan import GridPlan
from planner.solver import Effort
from solvers.cpsat import Outcome, search
from solvers.grid.classes import Classes

LARGEST_MODEL = 100_000  # variables; a second to build


@dataclass(frozen=True, slots=True)
class Fit:
    """The jobs of each resource where a way was found; `refuted`: there is none."""

    queues: list[list[int]] | None
    refuted: bool


def variables(classes: Classes, rooms: Sequence[int]) -> int:
    """How many variables the program has."""
    return sum(length <= room for room in rooms for length in classes.lengths)


def fit(classes: Classes, rooms: Sequence[int], limit: int, effort: Effort[GridPlan]) -> Fit:
    """Search for a way until one is found, there is none, or `effort` is spent."""
    program = cp_model.CpModel()
    counts: list[dict[int, cp_model.IntVar]] = [{} for _ in rooms]
    previous: tuple[int, cp_model.LinearExprT] | None = None
    total = sum(n * length for n, length in zip(classes.counts, classes.lengths, strict=True))
    # More room than for all jobs changes nothing, and could be more than 64 bits hold.
    for room, resource in sorted((min(room, total), resource) for resource, room in enumerate(rooms)):
        own = counts[resource]
        for c, (length, count) in enumerate(zip(classes.lengths, classes.counts, strict=True)):
            most = min(count, limit, room // length if length else count)
            if most:
                own[c] = program.new_int_var(0, most, f"x[{c},{resource}]")
        if not own:
            continue
        work = sum(classes.lengths[c] * variable for c, variable in own.items())
        program.add(work <= room)
        program.add(sum(own.values()) <= limit)
        if previous is not None and previous[0] == room:
            program.add(previous[1] >= work)
        previous = room, work
    for c, count in enumerate(classes.counts):
        program.add(sum(own[c] for own in counts if c in own) == count)
    found = search(program, effort)
    if not found.has_solution:
        return Fit(None, found.outcome is Outcome.INFEASIBLE)
    contents = [
        [found.value(own[c]) if c in own else 0 for c in range(len(classes.lengths))] for own in counts
    ]
    return Fit(classes.queues(contents), refuted=False)
