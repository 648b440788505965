"""Records for reports, made up: quick to make, and with every name as nasty as one likes."""

from __future__ import annotations

import random
from collections.abc import Sequence

from planner.report.records import Record, Reported

NASTY = "<script>alert(1)</script>\"'&]]>--><img src=x onerror=alert(2)>"


def cloud_record(
    instance: str,
    solver: str,
    makespan: float | None,
    *,
    bound: float | None = None,
    seed: int = 1,
    status: str | None = None,
    seconds: float = 0.5,
    budget: float | None = None,
    fleet: Sequence[tuple[str, int]] = (("it1", 2), ("it3", 1)),
    message: str | None = None,
) -> Record:
    found = makespan is not None
    result = {
        "objective": makespan,
        "bound": bound,
        "makespan": makespan,
        "cost": 10 if found else None,
        "message": message,
        "versions": {"python": "3.11.7"},
        "plan": {"vms": [{"type": name, "count": n, "tasks": []} for name, n in fleet]} if found else None,
    }
    proven = found and bound == makespan
    return Record(
        instance=instance,
        instance_sha256=None,
        kind="cloud",
        solver=solver,
        goal="makespan",
        seed=seed,
        status=status or ("optimal" if proven else "feasible" if found else "unknown"),
        seconds=seconds,
        result=result,
        facts={"budget": budget, "quantum": 3600.0},
    )


def failed_record(instance: str, solver: str, error: str, traceback: str = "Traceback\n  boom") -> Record:
    return Record(instance, None, "cloud", solver, "makespan", 1, "failed", 0.1, None, error, traceback)


def policy_record(
    system: str, policy: str, seed: int, series: Sequence[float] | None, mean: float | None = None
) -> Record:
    value = mean if series is None else sum(series) / len(series)
    run = {
        "bound": 1.0,
        "alor": {"mean": value, "last_quarter": value, "series": series},
        "messages": 100.0,
        "response_time": {"mean": 3.0, "p95": 9.0},
        "fairness": 0.5,
        "utilisation": 0.6,
        "regret": None,
        "events": [{"step": 5, "what": f"{system} breaks", "alor_before": 1.0, "alor_after": 2.0}],
    }
    return Record(system, None, "grid", policy, None, seed, "simulated", 1.0, run)


def family(name: str = "fam", solvers: Sequence[str] = ("exact", "heuristic", "mp")) -> list[Record]:
    """Ten budgets; the first solver is the best and proves it, each further one is 5 % worse."""
    return [
        cloud_record(
            f"{name}-b{budget}",
            solver,
            round(160_000 / budget) * (1 + 0.05 * rank),
            bound=float(round(160_000 / budget)),
            budget=float(budget),
            seconds=0.1 * (rank + 1),
        )
        for budget in range(40, 90, 5)
        for rank, solver in enumerate(solvers)
    ]


def simulations(system: str = "sys", seeds: int = 6) -> list[Record]:
    """Two policies, one with twice the load of the other."""
    draw = random.Random(7)
    return [
        policy_record(system, policy, seed, [factor * (2 + draw.random()) for _ in range(400)])
        for seed in range(1, seeds + 1)
        for policy, factor in (("lls", 1), ("rs", 2))
    ]


def reported(records: Sequence[Record], title: str = "A report") -> Reported:
    return Reported(
        title=title,
        what=("First line.", "Second line."),
        command="planner compare 'a b.json' --report out.html",
        environment={"gridcloud-planner": "0.1.0"},
        records=tuple(records),
    )


def many(count: int) -> Reported:
    """So many cells of four solvers on families of twenty budgets, some failed."""
    draw = random.Random(1)
    records: list[Record] = []
    for number in range(count // 4):
        budget, name = 40 + 5 * (number % 20), f"family{number // 20}"
        for rank, solver in enumerate(("exact", "heuristic", "mi", "mp")):
            instance = f"{name}-b{budget}"
            if draw.random() < 0.01:
                records.append(failed_record(instance, solver, f"{instance}: the worker was killed"))
                continue
            least = 200_000 / budget
            value = least if rank == 0 else least * (1 + 0.05 * rank + 0.02 * draw.random())
            fleet = [(kind, draw.randint(1, 9)) for kind in ("it1", "it3", "it4")]
            records.append(
                cloud_record(
                    instance,
                    solver,
                    value,
                    bound=least if rank == 0 else 0.9 * least,
                    budget=float(budget),
                    seconds=draw.random() * (4 - rank),
                    fleet=fleet,
                )
            )
    return reported(records, "Many cells")
