"""`planner/frontier/1`: the least makespan for each of several budgets."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from planner.files.wire.base import AtLeast0, Name, Wire
from planner.files.wire.result import CloudResultWire, Exact, Flag, Sha256


class PointWire(Wire):
    """What a budget buys."""

    budget: AtLeast0 = Field(description="Most that the plan may cost, nearest double.")
    exact_budget: Exact = Field(description="The same, exact.")
    result: CloudResultWire = Field(description="The result with this budget in place of the instance's own.")


class FrontierWire(Wire):
    """The trade-off between budget and makespan on one instance, by rising budget."""

    format: Literal["planner/frontier/1"] = Field(description="Name and version of this format.")
    instance: Name = Field(description="Name of the instance.")
    instance_sha256: Sha256 = Field(description="SHA-256 of the bytes of the instance's file.")
    complete: Flag = Field(
        description="Whether all points are proven and no step between the first and the last is missing."
    )
    least_budget: Exact = Field(
        description="The least budget that works, exact; null where it was not looked for or not proven."
    )
    points: list[PointWire] = Field(description="The solver's own points.")
    overlays: dict[str, list[PointWire]] = Field(
        description="Points of other solvers at the same budgets, by solver with its options."
    )
