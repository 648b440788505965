"""`exact` beside the textbook model, and how time and memory grow."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import planner
from planner.cloud.generate import generate, machines
from planner.cloud.instance import Billing
from tests.bench import textbook
from tests.bench.measure import Measured, measured

ROOT = Path(__file__).parents[2] / "instances" / "cloud"
HEAD = (
    "| instance | method | makespan | bound | gap | says | seconds | MB |\n|---|---|---|---|---|---|---|---|"
)
GROWTH_HEAD = (
    "| tasks | types | billing | solver | VMs | gap | seconds | MB |\n|---|---|---|---|---|---|---|---|"
)


def peers(limit: float) -> Iterator[str]:
    """`exact` and the textbook model on the same instances in one run, a table row each."""
    yield HEAD
    for name in ("thai2015/b60", "thai2015/b85", "thai2015-160/b40", "thai2015-160/b85"):
        path = ROOT / f"{name}.json"
        for method, call in (("exact", _exact), ("textbook CP-SAT", _cp_sat), ("textbook PuLP/CBC", _cbc)):
            yield _peer_row(name, method, measured(call, str(path), limit))


def growth(limit: float, largest: int) -> Iterator[str]:
    """Generated instances from 10^3 tasks and 4 types to 10^6 tasks and 500 types, a table row each."""
    yield GROWTH_HEAD
    for tasks, types in (
        (1_000, 4),
        (10_000, 4),
        (10_000, 71),
        (100_000, 71),
        (100_000, 500),
        (1_000_000, 500),
    ):
        if tasks > largest:
            continue
        for label, quantum in (("hourly", 3600), ("per second", 1)):
            for solver in ("exact", "rounding") if tasks <= 10_000 else ("rounding",):
                found = measured(_generated, tasks, types, quantum, solver, limit)
                vms, gap = found.value
                cells = (
                    f"{tasks:,}",
                    types,
                    label,
                    solver,
                    vms,
                    gap,
                    f"{found.seconds:.2f}",
                    f"{found.megabytes:.0f}",
                )
                yield "| " + " | ".join(map(str, cells)) + " |"


def _peer_row(name: str, method: str, found: Measured) -> str:
    makespan, bound, says = found.value
    gap = "-" if makespan is None or bound is None else f"{100 * (makespan - bound) / makespan:.2f} %"
    shown = ["-" if value is None else f"{value:.0f}" for value in (makespan, bound)]
    cells = (name, method, *shown, gap, says, f"{found.seconds:.2f}", f"{found.megabytes:.0f}")
    return "| " + " | ".join(cells) + " |"


def _exact(path: str, limit: float) -> textbook.Answer:
    result = planner.solve(planner.read(path), "exact", time_limit=limit)
    return _float(result.makespan), _float(result.bound), result.status.value


def _cp_sat(path: str, limit: float) -> textbook.Answer:
    return textbook.cp_sat(planner.read(path), limit)


def _cbc(path: str, limit: float) -> textbook.Answer:
    return textbook.pulp_cbc(planner.read(path), limit)


def _generated(tasks: int, types: int, quantum: int, solver: str, limit: float) -> tuple[int, str]:
    applications, sizes = (5, 10) if tasks <= 100_000 else (20, 10)
    instance = generate(
        machines(types),
        applications=applications,
        sizes=sizes,
        tasks_per_class=tasks // (applications * sizes),
        billing=Billing(Fraction(quantum), Fraction(60 if quantum == 1 else 0)),
    )
    result = planner.solve(instance, solver, time_limit=limit)
    if result.plan is None or result.gap is None:
        return 0, result.status.value
    return sum(result.plan.fleet.values()), f"{100 * float(result.gap):.3f} %"


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
