"""From what a caller gives to the cells of a study and the place of its store."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from planner.settings import refuse_time_limit
from planner.studies.cells import Plan, plan_of
from planner.studies.problems import Skipped, find_problems
from planner.studies.reading import read_study
from planner.studies.spec import Study

Given: TypeAlias = "str | Path | Mapping[str, Any] | Study"

_NO_FILE_NAME = re.compile(r"[\x00-\x1f/\\]+")
_LONGEST_NAME = 100


def planned(given: Given, time_limit: float | None = None, skipped: Skipped | None = None) -> Plan:
    """The cells of a study, which is a TOML file, a mapping of what it would hold, or a `Study`.

    `time_limit` (seconds) replaces the study's; `skipped` is told files of folders that are no instances.
    Raises `InputError` with all faults of the study and of its instances.
    """
    refuse_time_limit(time_limit)
    study = given if isinstance(given, Study) else read_study(given)
    if time_limit is not None:
        study = replace(study, time_limit=float(time_limit))
    return plan_of(study, find_problems(study.instances, study.folder, study.source, skipped))


def store_of(study: Study, store: str | Path | None = None) -> Path:
    """The file of the study's store: `store`, else the study's name in the current folder."""
    if store is not None:
        return Path(store)
    return Path(f"{_NO_FILE_NAME.sub('-', study.name)[:_LONGEST_NAME]}.sqlite")
