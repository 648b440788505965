# ruff: noqa: ARG002 - every stub has the signature of a solver
"""Solvers that do one thing each, right or wrong, and a catalog that holds only them.

They are for the instance `TINY`: one it1 needs 80 s, two it2 need 50 s, each for 2 money; 50 s is optimal.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from planner.errors import Unsupported
from planner.goal import Goal
from planner.solver import Answer, Effort
from solvers import catalog

TINY = {
    "format": "planner/cloud/1",
    "name": "tiny",
    "budget": 2,
    "applications": [{"name": "A1", "tasks": [{"size": 1, "count": 10}]}],
    "instance_types": [
        {"name": "it1", "price": 2, "seconds_per_unit": {"A1": 8}},
        {"name": "it2", "price": 1, "seconds_per_unit": {"A1": 10}},
    ],
}


def write_instance(path: Path, name: str = "tiny", **changes: object) -> Path:
    """Write `TINY` with another name and other values."""
    path.write_text(json.dumps({**TINY, "name": name, **changes}), encoding="utf-8")
    return path


def two_small(instance: CloudInstance) -> CloudPlan:
    """50 s for 2 money, the optimum."""
    return CloudPlan(instance.name, (PlannedVM("it2", (PlannedTasks("A1", Fraction(1), 5),), 2),))


def one_big(instance: CloudInstance) -> CloudPlan:
    """80 s for 2 money."""
    return CloudPlan(instance.name, (PlannedVM("it1", (PlannedTasks("A1", Fraction(1), 10),)),))


class Optimal:
    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        return Answer(two_small(instance), Fraction(50 if goal is Goal.MAKESPAN else 2), tiebreak_proven=True)


@dataclass(frozen=True)
class Feasible:
    rounds: int = 3
    polite: bool = True

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        return Answer(one_big(instance), Fraction(40))


class Infeasible:
    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        return Answer(infeasible=True, message="the budget of 2 is too small: 3 is needed")


class Unknown:
    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        return Answer(message="found nothing")


class Unsupporting:
    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        raise Unsupported("billing per second is not supported by 'unsupporting'")


class Crashing:
    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        raise ZeroDivisionError("a bug")


class CrashingLate:
    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        effort.progress.incumbent(one_big(instance))
        raise ZeroDivisionError("a bug")


class Lying:
    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        return Answer(one_big(instance), Fraction(81))


class Overclaiming:
    """Its bound is above the optimum, but not above its own plan."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        return Answer(one_big(instance), Fraction(80))


class Invalid:
    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        return Answer(CloudPlan(instance.name, (PlannedVM("it1", (PlannedTasks("A1", Fraction(1), 9),)),)))


class Interrupting:
    """Ctrl-C comes before there is a plan."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        raise KeyboardInterrupt


class InterruptedLate:
    """Ctrl-C comes after a plan was reported."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        effort.progress.incumbent(one_big(instance))
        raise KeyboardInterrupt


class Slow:
    """Reports a plan and a bound, says so on stderr, and works until it is told to stop."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        effort.progress.incumbent(one_big(instance))
        effort.progress.bound(Fraction(45))
        os.write(2, b"READY\n")
        while effort.stopped_by is None:
            time.sleep(0.01)
        return Answer(stopped_by=effort.stopped_by)


class Deaf(Slow):
    """As `Slow`, but does not listen."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        effort.progress.incumbent(one_big(instance))
        os.write(2, b"READY\n")
        time.sleep(60)
        return Answer()


class Chatty(Optimal):
    """Prints to stdout in every way there is."""

    def solve(self, instance: CloudInstance, goal: Goal, effort: Effort) -> Answer:
        print("chatter of Python")
        os.write(1, b"chatter of a library\n")
        os.system("echo chatter of a child")
        return super().solve(instance, goal, effort)


class NoBound:
    def lower(self, instance: CloudInstance, goal: Goal) -> Fraction:
        return Fraction(0)

    def infeasible(self, instance: CloudInstance, effort: Effort) -> str | None:
        return None


STUBS = {
    "exact": Optimal,  # the command's default
    "feasible": Feasible,
    "infeasible": Infeasible,
    "unknown": Unknown,
    "unsupporting": Unsupporting,
    "crashing": Crashing,
    "crashing-late": CrashingLate,
    "lying": Lying,
    "overclaiming": Overclaiming,
    "invalid": Invalid,
    "interrupting": Interrupting,
    "interrupted-late": InterruptedLate,
    "slow": Slow,
    "deaf": Deaf,
    "chatty": Chatty,
}


def install() -> None:
    """Put the stubs in the place of all solvers, and no bound in that of the cheap one."""
    made = [
        catalog.Entry(
            name,
            f"tests.stubs:{solver.__name__}",
            "cloud",
            f"stub: {name}",
            "optimum" if name == "exact" else "nothing",
            ("makespan", "cost") if name in ("exact", "feasible") else ("makespan",),
        )
        for name, solver in STUBS.items()
    ]
    missing = catalog.Entry("absent", "nowhere:None", "cloud", "stub", "optimum", needs=("no_such_package",))
    catalog._ENTRIES = (*made, missing)
    catalog._BOUNDS = {**catalog._BOUNDS, "cloud": "tests.stubs:NoBound"}
    catalog.entries.cache_clear()


def main() -> None:
    """The command `planner` with the stubs, for tests that need a process of its own."""
    install()
    from planner.cli import main as planner_main

    planner_main()


if __name__ == "__main__":
    main()
