"""From a comparison or a simulation to what a report is about."""

from __future__ import annotations

import platform
import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Any

from planner.cloud.instance import CloudInstance
from planner.errors import Unsupported
from planner.grid.step import GridStep
from planner.report.names import label, visible
from planner.report.numbers import counted
from planner.report.records import Record, Reported
from planner.report.schedule import Schedule, schedule_of, to_draw
from planner.report.simulation import to_wire
from planner.result import Result, Status

if TYPE_CHECKING:
    from planner.comparison import Comparison
    from planner.grid.system import GridSystem
    from planner.simulating import Simulation


def of_comparison(
    comparison: Comparison, instances: Iterable[CloudInstance | GridStep], command: str
) -> Reported:
    """A report on a comparison of these instances that `command` made."""
    from planner.files import to_wire as result_wire

    known = {(instance.name, instance.sha256): instance for instance in instances}
    errors = iter(comparison.errors)
    records = []
    for result in comparison.results:
        failed = result.status is Status.FAILED
        error = next(errors, None) if failed else None
        records.append(
            Record(
                instance=result.instance,
                instance_sha256=result.instance_sha256,
                kind=result.kind,
                solver=label(result),
                goal=result.goal.value,
                seed=result.seed,
                status=result.status.value,
                seconds=result.seconds.total,
                result=result_wire(result),
                error=(result.message or "failed") if failed else None,
                traceback=None if error is None else "".join(traceback.format_exception(error)),
                facts=facts_of(known[result.instance, result.instance_sha256]),
            )
        )
    solvers = list(dict.fromkeys(record.solver for record in records))
    names = [instance.name for instance in known.values()]
    return Reported(
        title=f"{_title(names)}: {counted(len(solvers), 'solver')} compared",
        what=(
            f"{counted(len(solvers), 'solver')}: {', '.join(solvers)}.",
            f"{counted(len(names), 'instance')}: {_listed(names)}.",
            _limits(comparison.results),
        ),
        command=command,
        environment=environment(),
        records=tuple(records),
        pending=len(comparison.unfinished),
        schedule=_schedule(records, known),
    )


def of_simulation(simulation: Simulation, command: str) -> Reported:
    """A report on a simulation that `command` made."""
    system = simulation.system
    facts = facts_of(system)
    wire = to_wire(simulation)
    records = [
        Record(
            instance=system.name,
            instance_sha256=system.sha256,
            kind="grid",
            solver=run.label,
            goal=None,
            seed=run.seed,
            status="simulated",
            seconds=run.seconds,
            # The series stays an array: a list of Python numbers would take four times the memory.
            result={**tree, "alor": {**tree["alor"], "series": run.metrics.series}},
            facts=facts,
        )
        for run, tree in zip(simulation.runs, wire["runs"], strict=True)
    ]
    records += [
        Record(
            instance=system.name,
            instance_sha256=system.sha256,
            kind="grid",
            solver=policy,
            goal=None,
            seed=seed,
            status="unsupported" if isinstance(error, Unsupported) else "failed",
            seconds=None,
            result=None,
            error=str(error),
            traceback="".join(traceback.format_exception(error)),
            facts=facts,
        )
        for (policy, seed), error in zip(simulation.failed, simulation.errors, strict=True)
    ]
    policies = list(dict.fromkeys(record.solver for record in records))
    seeds = sorted({record.seed for record in records})
    return Reported(
        title=f"{visible(system.name)}: {', '.join(policies)} simulated",
        what=(
            f"Policies: {', '.join(policies)}.",
            f"System {visible(system.name)}: {counted(len(system.schedulers), 'scheduler')}, "
            f"{counted(len(system.resource_names), 'resource')}, {counted(system.steps, 'step')}.",
            f"{counted(len(seeds), 'seed')}; all policies of a seed see the same jobs and capacities.",
        ),
        command=command,
        environment=environment(),
        records=tuple(records),
        pending=len(simulation.unfinished),
    )


def facts_of(instance: CloudInstance | GridStep | GridSystem) -> Mapping[str, float | None]:
    """The numbers of an instance or system that a report plots against."""
    if isinstance(instance, CloudInstance):
        return {
            "budget": None if instance.budget is None else float(instance.budget),
            "deadline": None if instance.deadline is None else float(instance.deadline),
            "quantum": float(instance.billing.quantum),
            "tasks": float(instance.task_count),
        }
    if isinstance(instance, GridStep):
        return {"jobs": float(len(instance.jobs)), "resources": float(len(instance.resources))}
    return {
        "load": getattr(instance.jobs, "load", None),
        "resources": float(len(instance.resource_names)),
    }


def environment() -> dict[str, str]:
    """This program and what it runs on."""
    return {
        "gridcloud-planner": metadata.version("gridcloud-planner"),
        "python": platform.python_version(),
        "system": f"{sys.platform} {platform.machine()}",
    }


def _schedule(
    records: Sequence[Record], known: Mapping[tuple[str, str | None], CloudInstance | GridStep]
) -> Schedule | None:
    record = to_draw(records)
    if record is None or record.result is None:
        return None
    return schedule_of(known[record.instance, record.instance_sha256], record.result["plan"], record.solver)


def _title(names: Sequence[str]) -> str:
    """What the names have in common, where that says something; else the first."""
    if len(names) == 1:
        return visible(names[0])
    common = names[0]
    for name in names:
        while not name.startswith(common):
            common = common[:-1]
    shared = common[: max(common.rfind(mark) for mark in "-_. ")] if common[-1:].isalnum() else common[:-1]
    return visible(shared) if len(shared) >= 3 else f"{len(names)} instances"


def _listed(names: Sequence[str], most: int = 12) -> str:
    shown = ", ".join(visible(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _limits(results: Sequence[Result[Any]]) -> str:
    goals = ", ".join(dict.fromkeys(result.goal.value for result in results))
    seeds = ", ".join(dict.fromkeys(str(result.seed) for result in results))
    return f"Minimised: {goals or 'nothing'}. Seed: {seeds or '-'}."
