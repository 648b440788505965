"""One plan as bars over time: which machine does what from when to when. Numbers here are only drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from planner.report.names import visible
from planner.report.numbers import counted

if TYPE_CHECKING:
    from planner.cloud.instance import CloudInstance
    from planner.grid.step import GridStep
    from planner.report.records import Record


@dataclass(frozen=True, slots=True)
class Bar:
    """From `start` to `end` a lane does `kind`, of which `text` says how much."""

    kind: str
    text: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Lane:
    """`count` machines that do the same."""

    name: str
    count: int
    bars: tuple[Bar, ...]

    @property
    def end(self) -> float:
        """When the last bar ends; 0 without any."""
        return max((bar.end for bar in self.bars), default=0.0)


@dataclass(frozen=True, slots=True)
class Schedule:
    """A plan of `solver` for `instance`; times are in `unit`, and `mark` (time, text) is a line across."""

    instance: str
    solver: str
    machine: str
    unit: str
    lanes: tuple[Lane, ...]
    mark: tuple[float, str] | None = None


STARTUP, BACKLOG = "start-up", "backlog"


def to_draw(records: Iterable[Record]) -> Record | None:
    """The record whose plan a report draws: of the instance with the middle budget, the best plan."""
    planned = [
        record for record in records if record.result is not None and record.result.get("plan") is not None
    ]
    if not planned:
        return None
    budgets = sorted({record.facts.get("budget") or 0.0 for record in planned})
    middle = budgets[len(budgets) // 2]
    near = [record for record in planned if (record.facts.get("budget") or 0.0) == middle]
    own = [record for record in near if record.instance == near[0].instance and record.goal == near[0].goal]
    return min(own, key=lambda record: _objective(record.result or {}))


def schedule_of(instance: CloudInstance | GridStep, plan: Mapping[str, Any], solver: str) -> Schedule:
    """The bars of a plan as `planner/cloud-plan/1` or `planner/grid-plan/1` has it, longest lanes first."""
    if "vms" in plan:
        return _of_cloud(instance, plan["vms"], solver)  # type: ignore[arg-type]
    return _of_step(instance, plan["assignments"], solver)  # type: ignore[arg-type]


def _objective(result: Mapping[str, Any]) -> float:
    value = result.get("objective")
    return float("inf") if value is None else float(value)


def _of_cloud(instance: CloudInstance, vms: Sequence[Mapping[str, Any]], solver: str) -> Schedule:
    order = [application.name for application in instance.applications]
    kinds = {kind.name: kind for kind in instance.instance_types}
    counts: dict[tuple[str, tuple[Bar, ...]], int] = {}
    for vm in vms:
        kind = kinds[vm["type"]]
        speeds = dict(zip(order, kind.seconds_per_unit, strict=True))
        work: dict[str, tuple[int, float]] = {}
        for part in vm["tasks"]:
            tasks = int(part.get("count", len(part.get("ids", ())) or 1))
            name = part["application"]
            done, seconds = work.get(name, (0, 0.0))
            own = float(part["size"]) * tasks * float(speeds[name] or 0)
            work[name] = done + tasks, seconds + own
        ready = float(instance.startup_of(kind))
        bars = [Bar(STARTUP, STARTUP, 0.0, ready)] if ready else []
        for name in order:
            if name in work:
                tasks, seconds = work[name]
                bars.append(Bar(visible(name), counted(tasks, "task"), ready, ready + seconds))
                ready += seconds
        key = visible(kind.name), tuple(bars)
        counts[key] = counts.get(key, 0) + int(vm.get("count", 1))
    lanes = [Lane(name, count, bars) for (name, bars), count in counts.items()]
    lanes.sort(key=lambda lane: -lane.end)
    quantum = float(instance.billing.quantum)
    longest = max((lane.end for lane in lanes), default=0.0)
    mark = (quantum, "one billed hour" if quantum == 3600 else "one billing quantum")
    return Schedule(
        visible(instance.name), solver, "VM", "s", tuple(lanes), mark if longest > 0.7 * quantum else None
    )


def _of_step(instance: GridStep, assignments: Sequence[Mapping[str, Any]], solver: str) -> Schedule:
    lengths = {job.name: float(job.length) for job in instance.jobs}
    queues: dict[str, list[tuple[int, str]]] = {}
    for one in assignments:
        queues.setdefault(one["resource"], []).append((one["position"], one["job"]))
    lanes = []
    for resource in instance.resources:
        speed, now = float(resource.capacity), float(resource.backlog) / float(resource.capacity)
        bars = [Bar(BACKLOG, BACKLOG, 0.0, now)] if now else []
        for _, job in sorted(queues.get(resource.name, ())):
            bars.append(Bar("new jobs", visible(job), now, now + lengths[job] / speed))
            now += lengths[job] / speed
        lanes.append(Lane(visible(resource.name), 1, tuple(bars)))
    lanes.sort(key=lambda lane: -lane.end)
    return Schedule(visible(instance.name), solver, "resource", "steps", tuple(lanes))
