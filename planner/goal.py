"""What can be minimised."""

from __future__ import annotations

from enum import StrEnum


class Goal(StrEnum):
    """What is minimised. Cloud: makespan (seconds) or cost (money). Grid steps: flow, makespan or load.

    `flow` is the total completion time of the step's jobs; `makespan` the time until the last resource is
    empty; `load` the mean load of the resources at the end of the step. Whatever it is, all limits bind.
    """

    MAKESPAN = "makespan"
    COST = "cost"
    FLOW = "flow"
    LOAD = "load"
