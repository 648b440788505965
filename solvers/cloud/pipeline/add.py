"""ADD (paper IV-E): as many more VMs as the remaining budget allows."""

from __future__ import annotations

from collections.abc import Iterable

from solvers.cloud.pipeline.clock import Over, never
from solvers.cloud.pipeline.estimate import Estimate, most_that_fits, within_least_charge
from solvers.cloud.pipeline.rented import Rented


def by_speed(estimate: Estimate) -> list[int]:
    """Types by exec_{it,T}, then price: the paper's order. Types that run more tasks first."""
    ticks = estimate.ticks
    return sorted(ticks.types, key=lambda k: (estimate.serial[k], ticks.price[k], ticks.fee[k], k))


def by_price(estimate: Estimate) -> list[int]:
    """Types by price, then the time for all tasks."""
    ticks = estimate.ticks
    return sorted(ticks.types, key=lambda k: (ticks.price[k], ticks.fee[k], estimate.serial[k], k))


def add(
    fleet: Rented, budget: int | None, order: Iterable[int], estimate: Estimate, over: Over = never
) -> range:
    """Offer empty VMs of the types in `order`, of each as many as the money left buys; their indices.

    The paper charges each new VM for one hour: here, for the least that a VM is charged. The new VMs also
    take over work, which under billing by the second is what counts: no more are added than
    `Estimate.even_cost` says can be paid for when all VMs run equally long; where that allows none, the
    paper's rule stands if a VM can do a task within the least charge. A type that has not even started
    when the fleet ends is left out.
    """
    ticks = fleet.ticks
    counts = fleet.counts.copy()
    spare = None if budget is None else budget - fleet.cost
    before = estimate.even_cost(counts) or 0
    first, end = len(fleet), fleet.makespan
    for kind in order:
        if over():
            break
        unable, alone = estimate.serial[kind]
        tasks = sum(ticks.counts) - unable
        late = 0 < end <= ticks.startup[kind]
        if not tasks or late or (spare is not None and spare < 0):
            continue
        work = alone - ticks.startup[kind]
        single = ticks.startup[kind] + -(-work // tasks)

        def fits(number: int, kind: int = kind) -> bool:
            grown = [n + number * (k == kind) for k, n in enumerate(counts)]
            after = estimate.even_cost(grown)
            return budget is None or (after is not None and fleet.cost + after - before <= budget)

        number = min(fleet.vacancies(kind), -(-2 * work // _longest(ticks.times[kind])))
        least = ticks.vm_cost(kind, ticks.startup[kind])
        if spare is not None and least:
            number = min(number, spare // least)
        number = most_that_fits(number, fits, otherwise=number if within_least_charge(ticks, single) else 0)
        fleet.open(kind, number)
        counts[kind] += number
        if spare is not None:
            spare -= number * least
    return range(first, len(fleet))


def _longest(times: Iterable[int | None]) -> int:
    return max(time for time in times if time is not None)
