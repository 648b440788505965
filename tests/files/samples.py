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
