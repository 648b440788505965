"""The best plan within all limits that a solver has seen, and what to say where there is none."""

from __future__ import annotations

from planner.cloud.plan import CloudPlan
from planner.result import StoppedBy
from planner.solver import Answer, Effort
from solvers.cloud import fleet as fleets
from solvers.cloud.pipeline.rented import Rented
from solvers.cloud.ticks import Ticks


class Best:
    """Keeps the best valid fleet (makespan, then cost) and the one that misses the limits by least."""

    def __init__(self, ticks: Ticks, effort: Effort) -> None:
        self._ticks, self._effort = ticks, effort
        self._merits: tuple[int, ...] | None = None
        self._nearest: tuple[int, ...] | None = None
        self._reported: tuple[int, ...] | None = None
        self._plan: CloudPlan | None = None
        self.fleet: Rented | None = None

    def consider(self, fleet: Rented) -> None:
        """Keep this fleet, which holds all tasks, if it is the best so far."""
        merits = fleet.merits(self._ticks.budget)
        if self._nearest is None or merits < self._nearest:
            self._nearest = merits
        late = self._ticks.deadline is not None and merits[2] > self._ticks.deadline
        if merits[:2] != (0, 0) or late or (self._merits is not None and merits >= self._merits):
            return
        self._merits = merits
        self.fleet = fleet.copy()

    def report(self) -> CloudPlan | None:
        """The best plan; where it is new it is also reported."""
        if self.fleet is not None and self._merits != self._reported:
            self._reported = self._merits
            self._plan = fleets.plan(self._ticks, self.fleet.loaded())
            self._effort.progress.incumbent(self._plan)
        return self._plan

    def answer(self, stopped_by: StoppedBy = StoppedBy.COMPLETED) -> Answer:
        """The best plan, or none and by how much the nearest fleet missed."""
        plan = self.report()
        message = None if plan is not None else self._missed()
        return Answer(plan, stopped_by=stopped_by, message=message, resolution=self._ticks.resolution)

    def _missed(self) -> str:
        ticks = self._ticks
        if self._nearest is None:
            return "no plan found: the VMs that the limits leave room for cannot run all applications"
        crowd, excess, makespan, cost = self._nearest
        if crowd:
            return f"no plan found: the nearest needs {crowd} more VMs than the {ticks.max_vms} allowed"
        if excess:
            over, budget = float(ticks.money(excess)), float(ticks.money(cost - excess))
            return f"no plan found within the budget of {budget:g}: the nearest costs {over:g} more"
        late = float(ticks.seconds(makespan - (ticks.deadline or 0)))
        return f"no plan found within the deadline: the nearest ends {late:g} s after it"


def impossible(ticks: Ticks) -> str | None:
    """Why no plan can be valid where a task fits no type that may be rented; `ticks` as from `possible`."""
    for c, (application, size) in enumerate(ticks.labels):
        if all(row[c] is None for row in ticks.times):
            name = ticks.instance.applications[application].name
            return (
                f"no plan found: a task of application {name!r}, size {float(size):g}, fits no instance type "
                "that can run it, may be rented, and meets budget and deadline even for this task alone"
            )
    return None
