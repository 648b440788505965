"""Plans with a proven gap; names load lazily, so that importing this package costs nothing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.comparison import Comparison as Comparison
    from planner.comparison import compare as compare
    from planner.errors import BackendMissing as BackendMissing
    from planner.errors import CheckFailed as CheckFailed
    from planner.errors import InputError as InputError
    from planner.errors import PlannerError as PlannerError
    from planner.errors import SimulationNeeded as SimulationNeeded
    from planner.errors import Unsupported as Unsupported
    from planner.errors import UsageError as UsageError
    from planner.explanation import Explanation as Explanation
    from planner.explanation import explain as explain
    from planner.files import read as read
    from planner.files import write as write
    from planner.goal import Goal as Goal
    from planner.result import Result as Result
    from planner.result import Status as Status
    from planner.run import solve as solve
    from planner.simulating import Simulation as Simulation
    from planner.simulating import simulate as simulate
    from planner.simulating import snapshot as snapshot
    from planner.studies.api import StudyResult as StudyResult
    from planner.studies.api import study as study
    from planner.tradeoff import Frontier as Frontier
    from planner.tradeoff import frontier as frontier

_HOMES = {
    "BackendMissing": "planner.errors",
    "CheckFailed": "planner.errors",
    "Comparison": "planner.comparison",
    "Explanation": "planner.explanation",
    "Frontier": "planner.tradeoff",
    "Goal": "planner.goal",
    "InputError": "planner.errors",
    "PlannerError": "planner.errors",
    "Result": "planner.result",
    "Simulation": "planner.simulating",
    "SimulationNeeded": "planner.errors",
    "Status": "planner.result",
    "StudyResult": "planner.studies.api",
    "Unsupported": "planner.errors",
    "UsageError": "planner.errors",
    "compare": "planner.comparison",
    "explain": "planner.explanation",
    "frontier": "planner.tradeoff",
    "read": "planner.files",
    "simulate": "planner.simulating",
    "snapshot": "planner.simulating",
    "solve": "planner.run",
    "study": "planner.studies.api",
    "write": "planner.files",
}

__all__ = [
    "BackendMissing",
    "CheckFailed",
    "Comparison",
    "Explanation",
    "Frontier",
    "Goal",
    "InputError",
    "PlannerError",
    "Result",
    "Simulation",
    "SimulationNeeded",
    "Status",
    "StudyResult",
    "Unsupported",
    "UsageError",
    "compare",
    "explain",
    "frontier",
    "read",
    "simulate",
    "snapshot",
    "solve",
    "study",
    "write",
]


def __getattr__(name: str) -> object:
    """Import a public name from the module it lives in, when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'planner' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names, for completion."""
    return __all__
