"""Read grid systems, with the jobs of the file that one may name."""

from __future__ import annotations

import hashlib
from pathlib import Path
from unicodedata import category

from planner.errors import Fault
from planner.files.crossref_system import scheduler_names, steps_of, system_faults
from planner.files.text import Document
from planner.files.trace import TraceFile, read_trace
from planner.files.validating import validated
from planner.files.wire.system import SystemWire
from planner.grid.system import GridSystem


def system_of(document: Document, folder: Path | None) -> GridSystem:
    """The system in the document; the file of its jobs, if it names one, is in `folder` or below.

    Raises `InputError` with the faults of both files.
    """
    trace = _trace(document, folder)
    behind = [] if trace is None else [Fault("jobs.file", text) for text in trace.faults]
    wire = validated(document, SystemWire, system_faults(document.tree), behind)
    sha256 = hashlib.sha256(document.data).hexdigest()
    if trace is None:
        return wire.domain(sha256, None, None)
    return wire.domain(sha256, trace.columns, trace.sha256)


def _trace(document: Document, folder: Path | None) -> TraceFile | None:
    """The jobs of the file that the system names; None where it names none, or in no way one could."""
    tree = document.tree if isinstance(document.tree, dict) else {}
    jobs = tree.get("jobs")
    name = jobs.get("file") if isinstance(jobs, dict) else None
    if not isinstance(name, str) or not name or any(category(character) == "Cc" for character in name):
        return None
    return read_trace(folder, name, steps_of(tree), scheduler_names(tree))
