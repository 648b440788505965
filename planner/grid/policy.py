"""The contract between a simulation and the policy that places its jobs.

A policy says what it must know; the simulation gives it arrays of that and nothing else. All policies, this
project's own and others', see the same arrays. A policy itself is configuration (a frozen dataclass whose
fields are its options); what it learns during a run lives in the session it opens.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from planner.errors import Unsupported

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Knowledge(StrEnum):
    """What a policy is allowed to see, from least to most."""

    NOTHING = "nothing"
    """How many schedulers and resources there are."""
    OUTCOMES = "outcomes"
    """Besides: which jobs were finished, when, and where."""
    CAPACITIES = "capacities"
    """Besides: the capacity each resource started with."""
    QUEUES = "queues"
    """Besides: the true work at each resource, and its present capacity."""


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What a policy knows before the first step.

    `capacity` (resources,) is each resource's initial capacity in work a step, None where the policy's
    knowledge does not reach so far. `seed` is for draws that all schedulers must make alike.
    """

    schedulers: int
    resources: int
    seed: int
    capacity: Floats | None


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """What a policy sees when it must place the jobs of a step.

    Jobs are in arrival order: `scheduler` (jobs,) is who has each, `length` (jobs,) its work. `luck` (jobs,)
    are uniform draws from [0, 1) to break ties with. `work` and `capacity` (resources,) are the true work
    left and the present capacity at the start of the step, None without the knowledge of queues; jobs placed
    in this step are on top of them, in the order in which they are placed. `living` (schedulers,) is false
    for crashed schedulers.
    """

    step: int
    scheduler: Ints
    length: Floats
    luck: Floats
    living: NDArray[np.bool_]
    work: Floats | None
    capacity: Floats | None


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """Where the jobs go: `resource` (jobs,) holds an index for each job.

    `order` (jobs,) is a permutation of the jobs, in which they enter the queues; None: arrival order.
    """

    resource: Ints
    order: Ints | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What was finished in a step, a row a job: who placed it, where, and its times in steps.

    `submitted` is the step it was placed in, `started` and `completed` when its service began and ended.
    """

    step: int
    scheduler: Ints
    resource: Ints
    length: Floats
    submitted: Ints
    started: Floats
    completed: Floats


@dataclass(frozen=True, slots=True)
class Traffic:
    """What the number of messages in a step depends on.

    `schedulers` alive, `resources`, `jobs` placed in the step, `busy` schedulers that had jobs.
    """

    schedulers: int
    resources: int
    jobs: int
    busy: int


class Session(Protocol):
    """A policy at work in one run."""

    def place(self, moment: Moment) -> Placement:
        """Choose a resource for every job of the step."""

    def learn(self, outcome: Outcome) -> None:
        """Take note of what was finished; called once a step, after service, even where nothing was."""

    def take_over(self, crashed: int, successor: int, learner: bool) -> int:
        """Scheduler `crashed` is gone and `successor` has its records; `learner`: it was the learner.

        Returns how many messages the takeover costs.
        """


class Policy(Protocol):
    """A rule by which schedulers place jobs."""

    @property
    def sees(self) -> Knowledge:
        """What it must be allowed to see."""

    def open(self, setting: Setting) -> Session:
        """A session for one run."""

    def messages(self, traffic: Traffic) -> int:
        """How many messages the schedulers exchange in a step, with resources and with each other."""


class Forgetful:
    """A session that learns nothing; for policies that decide from what they see."""

    def learn(self, outcome: Outcome) -> None:
        """Ignore it."""

    def take_over(self, crashed: int, successor: int, learner: bool) -> int:  # noqa: ARG002 - the protocol's
        """Nothing has to be handed on."""
        return 0


def seeded(*key: int) -> np.random.Generator:
    """The random numbers that belong to this key, the same on every machine and in every version."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(key)))


MOST_ENTRIES = 50_000_000
"""Tables of schedulers times resources with more entries than this (400 MB) are refused."""


def table(schedulers: int, resources: int) -> Floats:
    """Zeros, a row for each scheduler. Raises `Unsupported` where that is too large to hold."""
    if schedulers * resources > MOST_ENTRIES:
        raise Unsupported(
            f"a table of {schedulers:,} schedulers x {resources:,} resources is too large to hold "
            f"(at most {MOST_ENTRIES:,} entries); clds and dealt keep one table for all"
        )
    return np.zeros((schedulers, resources))


def needed(array: NDArray[Any] | None) -> NDArray[Any]:
    """An array that the policy's knowledge promises."""
    assert array is not None, "the simulation withheld what the policy's knowledge permits"
    return array
