"""Simulations of grids: jobs a second beside a SimPy model, and what 4,000 steps of the largest grid take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from planner import files
from planner.grid import simulation
from planner.grid.policy import Forgetful, Knowledge, Moment, Placement, Policy, Setting, Traffic
from planner.grid.system import GridSystem
from planner.grid.workload import Workload, draw
from solvers import catalog
from tests.bench.measure import measured

ROOT = Path(__file__).parents[2] / "instances" / "grid"
PEER_HEAD = (
    "| system | steps | jobs | simulation | seconds | jobs a second | times SimPy |\n"
    "|---|---|---|---|---|---|---|"
)
POLICY_HEAD = (
    "| policy | steps | jobs | mean ALoR | seconds | jobs a second | MB |\n|---|---|---|---|---|---|---|"
)
PEERS = (("small-60", 4000), ("medium-60", 4000), ("large-90", 1000))
POLICIES = ("rs", "lls", "mct", "dmms", "dmms:knowledge=global", "clds", "osl", "dealt", "reference")
SEED = 1


@dataclass(frozen=True)
class FirstLeastLoad:
    """LLS with ties broken by index, as the SimPy model has it, in plain Python and numpy."""

    sees: Knowledge = Knowledge.QUEUES

    def open(self, setting: Setting) -> _FirstLeastLoad:
        return _FirstLeastLoad(setting)

    def messages(self, traffic: Traffic) -> int:
        return 2 * traffic.resources * traffic.jobs


class _FirstLeastLoad(Forgetful):
    def __init__(self, setting: Setting) -> None:
        assert setting.capacity is not None
        self._capacity = setting.capacity

    def place(self, moment: Moment) -> Placement:
        assert moment.work is not None
        load = moment.work / self._capacity
        chosen = np.empty(moment.length.size, dtype=np.int64)
        for job, length in enumerate(moment.length.tolist()):
            where = int(load.argmin())
            load[where] += length / self._capacity[where]
            chosen[job] = where
        return Placement(chosen)


def peers(tolerance: float = 1e-9) -> Iterator[str]:
    """The same jobs under the same policy here and in SimPy, a table row each; their ALoR must be equal."""
    yield PEER_HEAD
    for name, steps in PEERS:
        theirs = measured(in_simpy, name, steps, imports=_warm)
        jobs = draw(system(name, steps), SEED).length.size
        yield _peer_row(name, steps, jobs, "SimPy, least load, first of equals", theirs.seconds, 1.0)
        for method, policy in (
            ("planner, the same policy in numpy", "first"),
            ("planner, lls (ties at random)", "lls"),
        ):
            ours = measured(here, name, steps, policy, imports=_warm)
            if policy == "first":
                apart = float(np.abs(ours.value - theirs.value).max() / theirs.value.max())
                assert apart <= tolerance, f"{name}: ALoR differs by {apart:g} of the greatest"
            yield _peer_row(name, steps, jobs, method, ours.seconds, theirs.seconds / ours.seconds)


def policies(steps: int = 4000) -> Iterator[str]:
    """Every policy on the largest grid, in a process of its own, a table row each."""
    yield POLICY_HEAD
    jobs = draw(system("large-90", steps), SEED).length.size
    for name in POLICIES:
        found = measured(here, "large-90", steps, name, imports=_warm)
        mean, rate = f"{found.value.mean():.3f}", f"{jobs / found.seconds:,.0f}"
        cells = name, f"{steps:,}", f"{jobs:,}", mean, f"{found.seconds:.1f}", rate, f"{found.megabytes:.0f}"
        yield "| " + " | ".join(cells) + " |"


def system(name: str, steps: int) -> GridSystem:
    """A shipped system with so many steps."""
    return replace(files.read_system(ROOT / f"{name}.json"), steps=steps)


def in_simpy(name: str, steps: int) -> np.ndarray:
    """ALoR of the SimPy model."""
    from tests.bench.simpy_model import alor_series

    return alor_series(draw(system(name, steps), SEED))


def here(name: str, steps: int, policy: str) -> np.ndarray:
    """ALoR of the simulation; what it draws counts, as it does in SimPy."""
    return simulated(draw(system(name, steps), SEED), policy)


def simulated(world: Workload, policy: str) -> np.ndarray:
    """ALoR of the policy of that name, or of `FirstLeastLoad`."""
    if policy == "first":
        made: Policy = FirstLeastLoad()
    else:
        entry, options = catalog.configure_policy(policy)
        made = entry.make_policy(options)
    return simulation.run(world, made).series


def _warm() -> None:
    """Import what is needed and load the machine code, on a grid of no size."""
    from tests.bench import simpy_model

    world = draw(system("small-60", 3), SEED)
    simpy_model.alor_series(world)
    for policy in ("first", *POLICIES):
        simulated(world, policy)


def _peer_row(name: str, steps: int, jobs: int, method: str, seconds: float, ratio: float) -> str:
    rate = f"{jobs / seconds:,.0f}"
    cells = name, f"{steps:,}", f"{jobs:,}", method, f"{seconds:.2f}", rate, f"{ratio:.1f}"
    return "| " + " | ".join(cells) + " |"
