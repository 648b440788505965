"""Names under a count, and traces that compare by what they hold."""

from __future__ import annotations

import numpy as np
import pytest

from planner.grid.distribution import Constant
from planner.grid.system import Arrivals, Drawn, GridSystem, Machine, Trace, counted_schedulers


def trace(length: float = 2.5, sha256: str | None = None) -> Trace:
    return Trace(np.array([0, 3]), np.array([1, 0]), np.array([1.5, length]), sha256=sha256)


def system(resources: Drawn | tuple[Machine, ...], jobs: Arrivals | Trace) -> GridSystem:
    return GridSystem("g", counted_schedulers(2), 5, resources, jobs)


def test_names_under_a_count() -> None:
    counted = system(Drawn(3, Constant(1)), Arrivals(0.5, Constant(1)))
    assert counted.resource_names == ("r1", "r2", "r3")
    assert [scheduler.name for scheduler in counted.schedulers] == ["s1", "s2"]
    assert system((Machine("a", 2), Machine("b", 1)), trace()).resource_names == ("a", "b")


def test_traces_are_equal_where_their_jobs_are() -> None:
    assert trace(sha256="x") == trace()
    assert hash(trace(sha256="x")) == hash(trace())
    assert trace(3) != trace()
    assert trace() != Arrivals(0.5, Constant(1))
    assert system((Machine("a", 2),), trace()) == system((Machine("a", 2),), trace())
    assert system((Machine("a", 2),), trace()) != system((Machine("a", 2),), trace(3))


def test_a_trace_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        trace().lengths[0] = 1


def test_the_hash_of_a_trace_is_the_systems() -> None:
    assert system((Machine("a", 2),), trace(sha256="x")).trace_sha256 == "x"
    assert system((Machine("a", 2),), Arrivals(0.5, Constant(1))).trace_sha256 is None
