"""The cells of a study as a data frame, and as CSV or Parquet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from planner.errors import BackendMissing
from planner.report.records import Record

if TYPE_CHECKING:
    import pandas as pd

_OWN = {
    "stopped_by": "completed, time_limit, interrupted or error; empty for policies and failures",
    "flow": "total completion time of a grid step's jobs",
    "load": "mean load of a grid step's resources at its end",
    "alor_last_quarter": "of policies: ALoR over the last quarter of the steps",
    "response_mean": "of policies: completion - arrival of finished jobs, mean in steps",
    "fairness": "of policies: Jain's index of the resources' loads, mean over steps",
    "utilisation": "of policies: work done / capacity offered",
    "messages": "of policies: messages between schedulers and resources, mean a step",
    "regret_mean": "of policies: total completion time of a step's jobs over the least possible - 1, mean",
    "deadline": "deadline of the instance",
    "tasks": "tasks of the instance",
    "jobs": "jobs of the grid step",
    "resources": "resources of the step or system",
    "system_load": "load of the system: work that arrives over what the resources can do",
    "error": "why there is no answer; empty where there is one",
}


def columns() -> dict[str, str]:
    """Column names, in order, with what each holds. What does not exist is NaN, or None where it is text."""
    from planner.report.cells import COLUMNS

    return COLUMNS | _OWN


def frame_of(records: Sequence[Record]) -> pd.DataFrame:
    """One row a record, with `columns()`; bounds, gaps and excess are over all records of a problem."""
    import pandas as pd

    from planner.report.cells import cell_frame

    own = pd.DataFrame([_row(record) for record in records], columns=list(_OWN))
    texts = {"stopped_by", "error"}
    numbers = {name: "float64" for name in _OWN if name not in texts}
    frame = pd.concat([cell_frame(records).reset_index(drop=True), own.astype(numbers)], axis=1)
    return frame[list(columns())]


def as_csv(frame: pd.DataFrame) -> str:
    """The rows as CSV, header first: quoted as in RFC 4180, newline at line ends."""
    text: str = frame.to_csv(index=False, lineterminator="\n")
    return text


def as_parquet(frame: pd.DataFrame) -> bytes:
    """The rows as a Parquet file. Raises `BackendMissing` where pyarrow is not installed."""
    import io
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise BackendMissing("Parquet needs pyarrow: pip install 'gridcloud-planner[parquet]'")
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False, engine="pyarrow")
    return buffer.getvalue()


def _row(record: Record) -> dict[str, Any]:
    result: Mapping[str, Any] = record.result or {}
    return {
        "stopped_by": result.get("stopped_by"),
        "flow": result.get("flow"),
        "load": result.get("load"),
        "alor_last_quarter": (result.get("alor") or {}).get("last_quarter"),
        "response_mean": (result.get("response_time") or {}).get("mean"),
        "fairness": result.get("fairness"),
        "utilisation": result.get("utilisation"),
        "messages": result.get("messages"),
        "regret_mean": (result.get("regret") or {}).get("mean"),
        "deadline": record.facts.get("deadline"),
        "tasks": record.facts.get("tasks"),
        "jobs": record.facts.get("jobs"),
        "resources": record.facts.get("resources"),
        "system_load": record.facts.get("load"),
        "error": record.error,
    }
