"""Small files to start from, and ways to write and read them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from planner import files
from planner.errors import Fault, InputError

INSTANCE: dict[str, Any] = {
    "format": "planner/cloud/1",
    "name": "sample",
    "budget": 2,
    "applications": [
        {"name": "A1", "tasks": [{"size": 1, "count": 10}, {"size": 2, "ids": ["x", "y"]}]},
        {"name": "B2", "tasks": [{"size": 0.5, "count": 1}]},
    ],
    "instance_types": [
        {"name": "it1", "price": 2, "seconds_per_unit": {"A1": 8, "B2": None}},
        {"name": "it2", "price": 1, "seconds_per_unit": {"A1": 10, "B2": 3}},
    ],
}

PLAN: dict[str, Any] = {
    "format": "planner/cloud-plan/1",
    "instance": "sample",
    "vms": [
        {"type": "it2", "count": 2, "tasks": [{"application": "A1", "size": 1, "count": 5}]},
        {
            "type": "it2",
            "tasks": [
                {"application": "A1", "size": 2, "ids": ["x", "y"]},
                {"application": "B2", "size": 0.5, "count": 1},
            ],
        },
    ],
}

RESULT: dict[str, Any] = {
    "format": "planner/result/1",
    "instance": "sample",
    "instance_sha256": "0" * 64,
    "kind": "cloud",
    "solver": "exact",
    "options": {},
    "seed": 1,
    "goal": "makespan",
    "status": "optimal",
    "stopped_by": "completed",
    "objective": 50,
    "bound": 50,
    "gap": 0,
    "tiebreak_proven": True,
    "makespan": 50,
    "cost": 3.3333333333333335,
    "exact": {"makespan": "50", "cost": "10/3", "bound": "50"},
    "seconds": {"total": 0.5, "build": 0, "solve": 0.25, "check": 0.125},
    "resolution": {"seconds_per_tick": "1/10", "rounded": False},
    "versions": {"planner": "0.1.0"},
    "message": None,
    "plan": PLAN,
}

STEP: dict[str, Any] = {
    "format": "planner/grid-step/1",
    "name": "step",
    "max_jobs_per_resource": 2,
    "resources": [
        {"name": "r1", "capacity": 4, "backlog": 12, "utility": -0.5},
        {"name": "r2", "capacity": 2.5},
    ],
    "jobs": [
        {"name": "j1", "length": 30, "scheduler": "s1"},
        {"name": "j2", "length": 5},
        {"name": "j3", "length": 7.5, "scheduler": "s2"},
    ],
}

GRID_PLAN: dict[str, Any] = {
    "format": "planner/grid-plan/1",
    "instance": "step",
    "assignments": [
        {"job": "j1", "resource": "r1", "position": 1},
        {"job": "j3", "resource": "r2", "position": 2},
        {"job": "j2", "resource": "r2", "position": 1},
    ],
}

STEP_RESULT: dict[str, Any] = {
    **RESULT,
    "instance": "step",
    "kind": "grid-step",
    "solver": "assignment",
    "goal": "flow",
    "objective": 17.5,
    "bound": 17.5,
    "tiebreak_proven": None,
    "makespan": 10.5,
    "cost": None,
    "flow": 17.5,
    "load": 6.75,
    "exact": {"makespan": "21/2", "cost": None, "flow": "35/2", "load": "27/4", "bound": "35/2"},
    "resolution": None,
    "plan": GRID_PLAN,
}
"""What `GRID_PLAN` is worth for `STEP`, by hand: r1 ends after 42 / 4, r2 after 2 and then after 5."""

SYSTEM: dict[str, Any] = {
    "format": "planner/grid/1",
    "name": "system",
    "schedulers": [{"name": "north", "weight": 2}, {"name": "south"}],
    "steps": 20,
    "seed": 7,
    "resources": [{"name": "r1", "capacity": 4}, {"name": "r2", "capacity": 2.5}],
    "jobs": {"load": 0.6, "length": {"uniform": [10, 100]}, "arrivals": "poisson"},
    "events": [
        {"step": 5, "resource": "r2", "capacity": 0},
        {"step": 3, "crash": "learner"},
        {"step": 19, "crash": "south"},
    ],
}

TRACED: dict[str, Any] = {
    **SYSTEM,
    "name": "traced",
    "jobs": {
        "trace": [
            {"step": 0, "scheduler": 1, "length": 12.5},
            {"step": 0, "scheduler": "north", "length": 3},
            {"step": 19, "scheduler": 0, "length": 1},
        ]
    },
}

Change = Callable[[dict[str, Any]], object]


def changed(sample: dict[str, Any], change: Change) -> dict[str, Any]:
    """A copy of the sample after `change`."""
    tree = copy.deepcopy(sample)
    change(tree)
    return tree


def save(folder: Path, content: object) -> Path:
    """A file with this text, these bytes, or this JSON."""
    path = folder / "file.json"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def faults_of(path: Path, read: Callable[[Path], object] = files.read) -> tuple[Fault, ...]:
    """The faults that reading the file raises, each with the file's name in front in the message."""
    with pytest.raises(InputError) as caught:
        read(path)
    error = caught.value
    assert error.exit_code == 3
    assert error.source == str(path)
    assert all(line.startswith((f"{path}: ", "and ")) for line in str(error).splitlines())
    return error.faults
