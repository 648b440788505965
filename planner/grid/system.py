"""What a grid system to simulate is: schedulers, FIFO resources, the jobs that arrive, and what happens.

The model is that of Moradi (2016), section III; docs/model-grid.md has it in full. Times are steps, counted
from 0; capacities are units of work a step; lengths are units of work. The numbers of a simulation are
doubles, unlike those of a plan. What is random in it comes from `seed`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.grid.distribution import Distribution
from planner.notes import NO_NOTES, Notes

DEFAULT_SEED = 1


@dataclass(frozen=True, slots=True)
class Scheduler:
    """An agent with a job queue; `weight` is its share of the arriving jobs, in proportion to the others'."""

    name: str
    weight: float = 1.0
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True)
class Machine:
    """A resource of known capacity at the start (above 0)."""

    name: str
    capacity: float
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True)
class Drawn:
    """`count` resources, named r1, r2 and so on, whose capacities are drawn from the seed of a run."""

    count: int
    capacity: Distribution
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Jobs drawn anew in each run: Poisson with mean `load`·ΣC / E[length] in each step."""

    load: float
    length: Distribution
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """Jobs that are given: job k arrives in step `steps[k]` at scheduler `schedulers[k]` (an index).

    In the order of arrival, so `steps` never falls. The arrays are read-only. `sha256` is that of the bytes
    of the trace's own file, None where it has none.
    """

    steps: NDArray[np.int64]
    schedulers: NDArray[np.int64]
    lengths: NDArray[np.float64]
    notes: Notes = NO_NOTES
    sha256: str | None = None

    def __post_init__(self) -> None:
        for array in (self.steps, self.schedulers, self.lengths):
            array.setflags(write=False)

    def __len__(self) -> int:
        return self.lengths.size

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trace):
            return NotImplemented
        return (
            np.array_equal(self.steps, other.steps)
            and np.array_equal(self.schedulers, other.schedulers)
            and np.array_equal(self.lengths, other.lengths)
        )

    def __hash__(self) -> int:
        return hash((self.steps.tobytes(), self.schedulers.tobytes(), self.lengths.tobytes()))


@dataclass(frozen=True, slots=True)
class CapacityChange:
    """From `step` on the resource of that index has this capacity; 0: it is down, and its queue waits."""

    step: int
    resource: int
    capacity: float
    notes: Notes = field(default=NO_NOTES, compare=False)


@dataclass(frozen=True, slots=True)
class Crash:
    """In `step` the scheduler of that index is gone for good; None: that of the learner, whoever has it."""

    step: int
    scheduler: int | None
    notes: Notes = field(default=NO_NOTES, compare=False)


Event = CapacityChange | Crash


@dataclass(frozen=True, slots=True)
class GridSystem:
    """A system to simulate for `steps` steps.

    `events` are in any order; each happens before the arrivals of its step, those of one step in the order
    given. `sha256` is that of the bytes of the file it was read from, None where it was made in memory.
    """

    name: str
    schedulers: tuple[Scheduler, ...]
    steps: int
    resources: Drawn | tuple[Machine, ...]
    jobs: Arrivals | Trace
    seed: int = DEFAULT_SEED
    events: tuple[Event, ...] = ()
    notes: Notes = field(default=NO_NOTES, compare=False)
    sha256: str | None = field(default=None, compare=False)

    @property
    def resource_names(self) -> tuple[str, ...]:
        """The resources' names, in their order."""
        if isinstance(self.resources, Drawn):
            return tuple(f"r{number}" for number in range(1, self.resources.count + 1))
        return tuple(machine.name for machine in self.resources)

    @property
    def trace_sha256(self) -> str | None:
        """SHA-256 of the bytes of the trace's own file; None where jobs have none."""
        return self.jobs.sha256 if isinstance(self.jobs, Trace) else None


def counted_schedulers(count: int) -> tuple[Scheduler, ...]:
    """That many schedulers of equal weight, named s1, s2 and so on."""
    return tuple(Scheduler(f"s{number}") for number in range(1, count + 1))
