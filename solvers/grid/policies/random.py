"""RS, random selection (Moradi 2016, section IV): every job goes to a resource drawn uniformly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from planner.grid.policy import Forgetful, Knowledge, Moment, Placement, Setting, Traffic
from solvers.grid.policies.one_step import OneStep


@dataclass(frozen=True)
class RandomSelection(OneStep):
    """Knows nothing, asks nobody: 0 messages."""

    sees: ClassVar[Knowledge] = Knowledge.NOTHING

    def open(self, setting: Setting) -> _Session:
        """A session for one run."""
        return _Session(setting.resources)

    def messages(self, traffic: Traffic) -> int:  # noqa: ARG002 - the protocol's
        """None."""
        return 0


class _Session(Forgetful):
    def __init__(self, resources: int) -> None:
        self._resources = resources

    def place(self, moment: Moment) -> Placement:
        return Placement((moment.luck * self._resources).astype(np.int64))
