"""What the results of a comparison say about each solver."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from planner.report.names import label
from planner.result import Result, Status


@dataclass(frozen=True, slots=True)
class SolverSummary:
    """One solver over all instances of a comparison.

    Counts add up: `solved` (a plan; `optimal` of them proven) + `infeasible` + `unknown` + `unsupported` +
    `failed` = `cells`. Gaps and excess are shares (0.02 is 2 %) over the solved cells, None without any:
    gap = (objective - bound) / objective, excess = objective / best known objective - 1, the best known being
    that of the best plan any solver of the comparison found. `share_optimal` is optimal cells among those not
    proven infeasible. `seconds` is the total wall time.
    """

    solver: str
    cells: int
    solved: int
    optimal: int
    infeasible: int
    unknown: int
    unsupported: int
    failed: int
    mean_gap: Fraction | None
    worst_gap: Fraction | None
    mean_excess: Fraction | None
    worst_excess: Fraction | None
    share_optimal: Fraction | None
    seconds: float


def groups(results: Iterable[Result[Any]]) -> list[list[Result[Any]]]:
    """The results by instance: consecutive ones of one instance, each solver, goal and seed once.

    Two files may carry the same name, so a solver that comes again starts the next instance.
    """
    found: list[list[Result[Any]]] = []
    seen: set[tuple[str, str, int]] = set()
    for result in results:
        key = label(result), result.goal.value, result.seed
        last = found[-1][-1] if found else None
        same = last is not None and (last.instance, last.instance_sha256) == (
            result.instance,
            result.instance_sha256,
        )
        if not same or key in seen:
            found.append([])
            seen.clear()
        found[-1].append(result)
        seen.add(key)
    return found


def excess(result: Result[Any], peers: Iterable[Result[Any]]) -> Fraction | None:
    """`objective / best - 1` against the best plan of `peers` in the same goal.

    None without a plan, and where the best objective is 0 and this one is not.
    """
    values = [peer.objective for peer in peers if peer.goal is result.goal and peer.objective is not None]
    if result.objective is None or not values:
        return None
    best = min(values)
    if best == 0:
        return Fraction(0) if result.objective == 0 else None
    return result.objective / best - 1


def summarise(results: Sequence[Result[Any]]) -> tuple[SolverSummary, ...]:
    """One summary for each solver (with its options), in the order in which they first appear."""
    cells: dict[str, list[tuple[Result[Any], Fraction | None]]] = {}
    for group in groups(results):
        for result in group:
            cells.setdefault(label(result), []).append((result, excess(result, group)))
    return tuple(_summary(solver, own) for solver, own in cells.items())


def _summary(solver: str, cells: list[tuple[Result[Any], Fraction | None]]) -> SolverSummary:
    results = [result for result, _ in cells]
    gaps = [result.gap for result in results if result.gap is not None]
    excesses = [share for _, share in cells if share is not None]
    counts = {status: sum(result.status is status for result in results) for status in Status}
    possible = len(results) - counts[Status.INFEASIBLE]
    return SolverSummary(
        solver=solver,
        cells=len(results),
        solved=counts[Status.OPTIMAL] + counts[Status.FEASIBLE],
        optimal=counts[Status.OPTIMAL],
        infeasible=counts[Status.INFEASIBLE],
        unknown=counts[Status.UNKNOWN],
        unsupported=counts[Status.UNSUPPORTED],
        failed=counts[Status.FAILED],
        mean_gap=_mean(gaps),
        worst_gap=max(gaps, default=None),
        mean_excess=_mean(excesses),
        worst_excess=max(excesses, default=None),
        share_optimal=Fraction(counts[Status.OPTIMAL], possible) if possible else None,
        seconds=sum(result.seconds.total for result in results),
    )


def _mean(shares: list[Fraction]) -> Fraction | None:
    return sum(shares, Fraction(0)) / len(shares) if shares else None
