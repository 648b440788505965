# ruff: noqa: ARG002 - every solver here has the signature of one
"""Solvers that do to their process what one should not, and one that keeps a log of its runs.

`tests.studies.conftest.install` makes them a distribution, so that worker processes find them like any other.
"""

from __future__ import annotations

import os
import re
import signal
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from planner.cloud.instance import CloudInstance
from planner.goal import Goal
from planner.solver import Answer, Effort
from tests.stubs import one_big, two_small


@dataclass(frozen=True)
class Segfault:
    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        os.kill(os.getpid(), signal.SIGSEGV)
        return Answer()


@dataclass(frozen=True)
class Exits:
    code: int = 3

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        os._exit(self.code)


@dataclass(frozen=True)
class Hog:
    """Takes memory until it is stopped."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        taken = []
        while True:
            taken.append(b"x" * (16 * 2**20))
            time.sleep(0.005)


@dataclass(frozen=True)
class OutOfMemory:
    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        raise MemoryError


@dataclass(frozen=True)
class Holds:
    """Never returns, and never lets any other thread of its process run."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        re.match(r"(a+)+$", "a" * 80 + "b")
        return Answer()


@dataclass(frozen=True)
class Deaf:
    """Never returns; other threads run."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        time.sleep(3600)
        return Answer()


@dataclass(frozen=True)
class Raises:
    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        raise ZeroDivisionError("a bug")


@dataclass(frozen=True)
class Lies:
    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        return Answer(one_big(instance), Fraction(81))


@dataclass(frozen=True)
class FailsOnce:
    """Raises as long as the file `path` is not there, and makes it."""

    path: str = ""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        if not Path(self.path).exists():
            Path(self.path).touch()
            raise ZeroDivisionError("the first time")
        return Answer(two_small(instance))


@dataclass(frozen=True)
class Logs:
    """Writes its seed and process to the file `path`, works for `seconds`, and has a plan."""

    path: str = ""
    seconds: float = 0.0

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        with open(self.path, "a", encoding="ascii") as file:  # noqa: PTH123
            file.write(f"{effort.seed} {os.getpid()}\n")
        time.sleep(self.seconds)
        return Answer(two_small(instance))


NAMES = {
    "segfault": Segfault,
    "exits": Exits,
    "hog": Hog,
    "out-of-memory": OutOfMemory,
    "holds": Holds,
    "deaf": Deaf,
    "raises": Raises,
    "lies": Lies,
    "fails-once": FailsOnce,
    "logs": Logs,
}
