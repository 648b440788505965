"""Reading and writing files; names load lazily, because pydantic takes longer than most commands do."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.files.advice import warnings as warnings
    from planner.files.claims import Claims as Claims
    from planner.files.claims import PlanFile as PlanFile
    from planner.files.explaining import explained as explained
    from planner.files.find import find_files as find_files
    from planner.files.find import find_instances as find_instances
    from planner.files.find import find_problems as find_problems
    from planner.files.find import find_systems as find_systems
    from planner.files.find import trace_file as trace_file
    from planner.files.output import write_bytes as write_bytes
    from planner.files.output import write_text as write_text
    from planner.files.reading import read as read
    from planner.files.reading import read_any as read_any
    from planner.files.reading import read_cloud as read_cloud
    from planner.files.reading import read_instance as read_instance
    from planner.files.reading import read_plan as read_plan
    from planner.files.reading import read_system as read_system
    from planner.files.schema import schemas as schemas
    from planner.files.writing import dumps as dumps
    from planner.files.writing import to_wire as to_wire
    from planner.files.writing import write as write

_HOMES = {
    "Claims": "claims",
    "PlanFile": "claims",
    "dumps": "writing",
    "explained": "explaining",
    "find_files": "find",
    "find_instances": "find",
    "find_problems": "find",
    "find_systems": "find",
    "read": "reading",
    "read_any": "reading",
    "read_cloud": "reading",
    "read_instance": "reading",
    "read_plan": "reading",
    "read_system": "reading",
    "schemas": "schema",
    "to_wire": "writing",
    "trace_file": "find",
    "warnings": "advice",
    "write": "writing",
    "write_bytes": "output",
    "write_text": "output",
}

__all__ = [
    "Claims",
    "PlanFile",
    "dumps",
    "explained",
    "find_files",
    "find_instances",
    "find_problems",
    "find_systems",
    "read",
    "read_any",
    "read_cloud",
    "read_instance",
    "read_plan",
    "read_system",
    "schemas",
    "to_wire",
    "trace_file",
    "warnings",
    "write",
    "write_bytes",
    "write_text",
]


def __getattr__(name: str) -> object:
    """Import a public name from the module it lives in, when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'planner.files' has no attribute {name!r}")
    return getattr(import_module(f"planner.files.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """The public names, for completion."""
    return __all__
