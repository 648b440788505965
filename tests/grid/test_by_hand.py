"""Systems solved by hand: the arithmetic is in each file's `description`, what comes of it in its `meta`."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import planner
import planner.files
from planner.simulating import Run
from tests.instances import SHIPPED

PATHS = sorted((SHIPPED / "grid" / "tiny").glob("system-*.json"))
SYSTEMS = [planner.files.read_system(path) for path in PATHS]
CASES = [
    pytest.param(path, policy, id=f"{path.stem}-{policy}")
    for path, system in zip(PATHS, SYSTEMS, strict=True)
    for policy in system.notes.meta["messages"]
]


def exactly(value: object) -> object:
    """Numbers as doubles, fractions written as text ("7/3") too."""
    match value:
        case None | bool():
            return value
        case str() if "/" in value:
            return pytest.approx(float(Fraction(value)), rel=1e-12)
        case str():
            return value
        case dict():
            return {key: exactly(one) for key, one in value.items()}
        case list() | tuple():
            return [exactly(one) for one in value]
    return pytest.approx(float(value), rel=1e-12)  # type: ignore[arg-type]


def told(run: Run) -> dict[str, object]:
    metrics = run.metrics
    assert metrics.response is not None
    return {
        "alor": metrics.series.tolist(),
        "jobs": {"finished": metrics.jobs.finished, "rejected": metrics.jobs.rejected},
        "response": {"mean": metrics.response.mean, "p95": metrics.response.p95},
        "fairness": metrics.fairness,
        "utilisation": metrics.utilisation,
        "makespan": metrics.makespan,
        "messages": metrics.messages,
        "events": [
            {
                "step": event.step,
                "what": event.what,
                "alor_before": event.alor_before,
                "alor_after": event.alor_after,
            }
            for event in metrics.events
        ],
    }


def test_there_are_some_with_events_and_crashes() -> None:
    assert len(PATHS) >= 5
    assert {"system-outage", "system-crashes"} <= {path.stem for path in PATHS}


@pytest.mark.parametrize(("path", "policy"), CASES)
def test_the_simulation_comes_to_what_was_worked_out_by_hand(path: Path, policy: str) -> None:
    system = planner.files.read_system(path)
    expected = dict(system.notes.meta)
    expected["messages"] = expected["messages"][policy]  # type: ignore[index]
    expected.setdefault("events", [])
    assert system.notes.description
    (run,) = planner.simulate(system, policy).runs
    assert told(run) == exactly(expected)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_bound_is_below_and_there_is_none_where_jobs_are_rejected(path: Path) -> None:
    simulation = planner.simulate(path, "mct,rs")
    bound = simulation.bound.mean_alor
    if path.stem == "system-crashes":
        assert bound is None
        return
    assert bound is not None
    assert all(0 < bound <= run.metrics.mean for run in simulation.runs)
