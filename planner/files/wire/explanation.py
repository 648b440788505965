"""`planner/explanation/1`: why an instance has no plan, or why a plan rents what it does. Written only."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from planner.cloud.explanation import Limit
from planner.files.wire.base import Count, Name, Wire
from planner.files.wire.plan import PlanWire
from planner.files.wire.result import Double, Exact, ExactWire, Flag, Sha256
from planner.goal import Goal
from planner.result import Status, StoppedBy

TypeName = Annotated[
    Name | None, Field(description="The type, where the limit is the quota of one; else null.")
]


class NoTypeWire(Wire):
    """An application that no VM can run."""

    application: Name = Field(description="Name of the application.")
    types: list[Name] = Field(description="Types that could run it, but of which max_instances allows none.")


class TooLongWire(Wire):
    """Tasks that take longer than the deadline on the quickest type that may be rented."""

    application: Name = Field(description="Name of the application.")
    size: Double = Field(description="Size of the task, the largest of the application.")
    count: Count = Field(description="How many tasks of this size there are.")
    type: Name = Field(description="The quickest type for it.")
    seconds: Double = Field(
        description="When a VM of it ends that runs one such task only, start-up included."
    )
    exact: Exact = Field(description="`seconds`, exact.")


class ChangeExactWire(Wire):
    """The exact values behind the numbers beside them."""

    given: Exact = Field(description="Exact given value.")
    at_least: Exact = Field(description="Exact lower bound on the values that work.")
    works: Exact = Field(description="Exact value that works.")
    missed_by: Exact = Field(description="Exact difference to the given value.")
    makespan: Exact = Field(description="Exact makespan in seconds.")
    cost: Exact = Field(description="Exact cost in money.")


class ChangeWire(Wire):
    """One limit of an infeasible instance, changed while all others stay (but for `lifted`)."""

    limit: Limit = Field(description="Which limit.")
    type: TypeName
    lifted: list[Limit] = Field(
        description="Kinds of limits that are taken away altogether beside the change."
    )
    given: Double = Field(description="Its value in the instance: money, seconds or VMs.")
    suffices: Flag = Field(
        description="Whether any value of it makes the instance feasible; null: not settled."
    )
    proven: Flag = Field(description="Whether this is final: `works` is the least, or no value suffices.")
    at_least: Double = Field(description="No value below this works.")
    works: Double = Field(description="This value works; the least that does where `proven`.")
    missed_by: Double = Field(description="How much less is given than works, or than `at_least`.")
    makespan: Double = Field(description="Seconds, of the best plan found with `works`.")
    cost: Double = Field(description="Money, of the best plan found with `works`.")
    value_at_least: Double = Field(description="No plan with `works` is better than this in the goal.")
    exact: ChangeExactWire = Field(description="Exact values of the rounded numbers beside it.")


class KeptWire(Wire):
    """A limit of the instance and what the plan uses of it."""

    limit: Limit = Field(description="Which limit.")
    type: TypeName
    given: Double = Field(description="Its value: money, seconds or VMs.")
    used: Double = Field(description="What the plan uses of it.")
    slack: Double = Field(description="What is left; 0: used up.")


class ShareWire(Wire):
    """The part of one application that runs on the VMs of one type."""

    application: Name = Field(description="Name of the application.")
    tasks: Count = Field(description="How many of its tasks.")
    units: Double = Field(description="Their total size.")
    share: Double = Field(description="That as a part of the application's total size: 0 to 1.")
    seconds: Double = Field(description="What these tasks take, in seconds of VM time.")
    cost: Double = Field(description="Their part of the type's bill, divided among applications by seconds.")
    cost_per_unit: Double = Field(description="Money paid for one unit of size.")


class UsageWire(Wire):
    """What the plan does with one type; `paid_seconds` = `working` + `starting` + `idle`."""

    type: Name = Field(description="Name of the type.")
    vms: Count = Field(description="How many VMs of it.")
    cost: Double = Field(description="Money for them, fees included.")
    fees: Double = Field(description="Fees, a part of `cost`.")
    paid_seconds: Double = Field(description="Seconds billed, over all of them.")
    working_seconds: Double = Field(description="Seconds in which tasks run.")
    starting_seconds: Double = Field(description="Seconds of start-up.")
    idle_seconds: Double = Field(description="Seconds billed and not used.")
    shares: list[ShareWire] = Field(description="What runs there, by application.")


class UnitPriceWire(Wire):
    """What one unit of an application costs on a type that is never idle: no plan pays less there."""

    application: Name = Field(description="Name of the application.")
    price: Double = Field(description="Money for one unit of size; null: the type cannot run it.")


class PriceWire(Wire):
    """A type of the instance and its prices for work."""

    type: Name = Field(description="Name of the type.")
    rented: Flag = Field(description="Whether the plan rents it.")
    per_unit: list[UnitPriceWire] = Field(description="Price of one unit, by application.")


class AlternativeWire(Wire):
    """The best plan that rents at least one VM of a type which the best plan does not rent."""

    type: Name = Field(description="Name of the type.")
    fits: Flag = Field(description="Whether there is one within all limits; null: not settled.")
    proven: Flag = Field(description="Whether this is final: `value` is the least, or none fits.")
    value: Double = Field(description="Its value of the goal.")
    at_least: Double = Field(description="No such plan is better than this.")
    budget: Double = Field(description="Where none fits: a budget that allows one.")
    budget_at_least: Double = Field(description="Where none fits: no budget below this allows one.")


class StepWire(Wire):
    """What more of one limit buys: the next value of it that allows a better plan."""

    limit: Limit = Field(description="Which limit.")
    type: TypeName
    given: Double = Field(description="Its value in the instance: money, seconds or VMs.")
    buys: Flag = Field(
        description="False: nothing at any value (VMs: one more buys nothing). null: not settled."
    )
    proven: Flag = Field(
        description="Whether `to` and `value` are both the least there are, or nothing is bought."
    )
    to: Double = Field(description="A value of the limit that allows a better plan.")
    to_at_least: Double = Field(description="No value below this does.")
    value: Double = Field(description="The value of the goal that `to` allows.")
    value_at_least: Double = Field(description="No plan within `to` is better than this.")


class ExplanationWire(Wire):
    """What stands behind the outcome of an instance. What does not exist is null or an empty list."""

    format: Literal["planner/explanation/1"] = Field(description="Name and version of this format.")
    instance: Name = Field(description="Name of the instance.")
    instance_sha256: Sha256 = Field(description="SHA-256 of the bytes of the instance's file.")
    goal: Literal[Goal.MAKESPAN, Goal.COST] = Field(description="What is minimised.")
    status: Status = Field(description="What is known: optimal and feasible speak of `plan`.")
    stopped_by: StoppedBy = Field(description="Why the search ended.")
    seconds: Double = Field(description="Wall time in seconds.")
    message: Annotated[str | None, Field(description="Why there is no plan, in a sentence.")]
    makespan: Double = Field(description="Seconds until the last VM of the plan is done.")
    cost: Double = Field(description="Money that the plan costs.")
    bound: Double = Field(description="Certified lower bound on the goal over all plans.")
    best: Double = Field(
        description="The goal's value in the best plan known; less than the plan's if one was given."
    )
    exact: ExactWire = Field(description="Exact values of the rounded numbers beside it.")
    no_type: list[NoTypeWire] = Field(description="Applications that no VM can run.")
    too_long: list[TooLongWire] = Field(description="Tasks too long for the deadline on any type.")
    changes: list[ChangeWire] = Field(
        description="Infeasible: which changes of a limit would do, and which not."
    )
    limits: list[KeptWire] = Field(description="What the plan uses of each limit.")
    types: list[UsageWire] = Field(description="What the plan does with each type it rents.")
    prices: list[PriceWire] = Field(description="What a unit of work costs on each type.")
    alternatives: list[AlternativeWire] = Field(description="What types that are not rented would give.")
    steps: list[StepWire] = Field(description="What more of each limit would buy.")
    plan: PlanWire | None = Field(description="The plan that is explained; null where there is none.")
