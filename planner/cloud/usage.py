"""What a plan does with the types it rents, and what a unit of work costs on each type."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from planner.cloud.explanation import Limit
from planner.cloud.instance import HOUR, CloudInstance, InstanceType
from planner.cloud.plan import CloudPlan


@dataclass(frozen=True, slots=True)
class Share:
    """The part of one application that runs on the VMs of one type.

    `units` is the total size of these tasks, `share` that as a part of the application's total, `seconds`
    what they take. `cost` is their part of the type's whole bill (start-up, idle time and fees included),
    divided among applications by seconds.
    """

    application: str
    tasks: int
    units: Fraction
    share: Fraction
    seconds: Fraction
    cost: Fraction

    @property
    def cost_per_unit(self) -> Fraction:
        """Money paid for one unit of size."""
        return self.cost / self.units


@dataclass(frozen=True, slots=True)
class Usage:
    """What a plan does with one type: VMs, money, and the seconds paid for by what becomes of them.

    `paid` = `working` + `starting` + `idle`; idle time is billed and not used. `fees` is part of `cost`.
    """

    type: str
    vms: int
    cost: Fraction
    fees: Fraction
    paid: Fraction
    working: Fraction
    starting: Fraction
    shares: tuple[Share, ...]

    @property
    def idle(self) -> Fraction:
        """Seconds that are paid for although nothing runs."""
        return self.paid - self.working - self.starting


@dataclass(frozen=True, slots=True)
class Kept:
    """A limit that a plan keeps, and how much of it is used: money, seconds or VMs; `type`: it is a quota."""

    limit: Limit
    type: str | None
    given: Fraction
    used: Fraction

    @property
    def slack(self) -> Fraction:
        """What is left of it."""
        return self.given - self.used


def limits_kept(
    instance: CloudInstance, plan: CloudPlan, makespan: Fraction, cost: Fraction
) -> tuple[Kept, ...]:
    """The limits of an instance, and what a plan of this makespan and cost uses of each."""
    fleet = plan.fleet
    kept = []
    if instance.budget is not None:
        kept.append(Kept(Limit.BUDGET, None, instance.budget, cost))
    if instance.deadline is not None:
        kept.append(Kept(Limit.DEADLINE, None, instance.deadline, makespan))
    if instance.max_vms is not None:
        kept.append(Kept(Limit.MAX_VMS, None, Fraction(instance.max_vms), Fraction(sum(fleet.values()))))
    for item in instance.instance_types:
        if item.max_instances is not None:
            used = Fraction(fleet.get(item.name, 0))
            kept.append(Kept(Limit.MAX_INSTANCES, item.name, Fraction(item.max_instances), used))
    return tuple(kept)


def unit_prices(instance: CloudInstance, kind: InstanceType) -> tuple[Fraction | None, ...]:
    """Money for one unit of each application on a VM of this type that is never idle; None: cannot run it.

    No plan pays less for a unit on this type: start-up, fees and idle time come on top.
    """
    if len(kind.seconds_per_unit) != len(instance.applications):
        raise ValueError(f"type {kind.name!r} is not of this instance")
    return tuple(None if speed is None else kind.price * speed / HOUR for speed in kind.seconds_per_unit)


def usages(instance: CloudInstance, plan: CloudPlan) -> tuple[Usage, ...]:
    """What a valid plan does with each type it rents, in the order of the instance."""
    return tuple(
        _usage(instance, plan, kind) for kind in instance.instance_types if plan.fleet.get(kind.name, 0)
    )


def _usage(instance: CloudInstance, plan: CloudPlan, kind: InstanceType) -> Usage:
    billing, startup = instance.billing, instance.startup_of(kind)
    names = [application.name for application in instance.applications]
    speeds = dict(zip(names, kind.seconds_per_unit, strict=True))
    tasks: Counter[str] = Counter()
    units: dict[str, Fraction] = {}
    paid = Fraction(0)
    count = 0
    for vm in plan.vms:
        if vm.type != kind.name:
            continue
        runtime = startup
        for part in vm.tasks:
            size = part.size * part.count
            tasks[part.application] += vm.count * part.count
            units[part.application] = units.get(part.application, Fraction(0)) + vm.count * size
            runtime += size * (speeds[part.application] or 0)
        paid += vm.count * billing.quantum * ceil(max(runtime, billing.minimum) / billing.quantum)
        count += vm.count
    seconds = {name: units[name] * (speeds[name] or 0) for name in units}
    working = sum(seconds.values(), Fraction(0))
    cost = paid * kind.price / HOUR + count * kind.fee
    totals = {a.name: sum((g.size * g.count for g in a.tasks), Fraction(0)) for a in instance.applications}
    shares = tuple(
        Share(
            name,
            tasks[name],
            units[name],
            units[name] / totals[name],
            seconds[name],
            cost * seconds[name] / working,
        )
        for name in names
        if tasks[name]
    )
    return Usage(kind.name, count, cost, count * kind.fee, paid, working, count * startup, shares)
