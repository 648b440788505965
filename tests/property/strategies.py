"""Small cloud instances for hypothesis, which shrinks what fails to the simplest."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from planner.cloud.instance import CloudInstance
from tests.instances import BILLINGS, bag, cloud, kind

quick = settings(max_examples=40, deadline=None, derandomize=True, database=None)


@st.composite
def instances(draw: st.DrawFn, *, feasible: bool = False) -> CloudInstance:
    """Up to 9 tasks, 3 types and 3 applications; `feasible` leaves out whatever could stand in the way."""
    applications = [
        bag(
            f"A{index}",
            *draw(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 2)), min_size=1, max_size=2)),
        )
        for index in range(draw(st.integers(1, 2)))
    ]
    unit = draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(50), Fraction(700)]))
    speed = st.integers(1, 9).map(lambda n: n * unit)
    maybe = speed if feasible else st.one_of(speed, speed, speed, st.none())
    types = [
        kind(
            f"t{k}",
            draw(st.sampled_from([0, 1, 2, 3, "0.5"])),
            *[draw(maybe) for _ in applications],
            fee=draw(st.sampled_from([0, 0, "0.25"])),
            startup=draw(st.one_of(st.none(), st.sampled_from([0, 3]))),
            limit=None if feasible else draw(st.sampled_from([None, None, 1, 2])),
        )
        for k in range(draw(st.integers(1, 3)))
    ]
    quantum, minimum = draw(st.sampled_from(BILLINGS))
    work = sum(g.size * g.count for a in applications for g in a.tasks) * 5 * unit
    hours = work / 3600 + Fraction(quantum) / 3600
    return cloud(
        applications,
        types,
        budget=None
        if feasible
        else draw(st.one_of(st.none(), st.integers(2, 40).map(lambda n: n * hours / 5))),
        deadline=None
        if feasible
        else draw(st.one_of(st.none(), st.integers(2, 12).map(lambda n: n * work / 10))),
        startup=draw(st.sampled_from([0, 0, 4])),
        quantum=quantum,
        minimum=minimum,
        max_vms=None if feasible else draw(st.sampled_from([None, None, 2, 3])),
    )
