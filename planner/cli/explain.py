"""`planner explain`: why nothing is feasible and what would be, or why a plan rents what it does."""

from __future__ import annotations

import click
from click.core import ParameterSource

from planner import files
from planner.cli import codes, options
from planner.cli.check import claim_faults
from planner.cli.command import Command
from planner.cli.console import Console
from planner.cli.progress import Watch
from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.errors import CheckFailed, UsageError
from planner.explanation import MOST_ALTERNATIVES, Explanation, explain
from planner.files.claims import PlanFile, ResultWithoutPlanError
from planner.goal import Goal
from planner.report.explanation import explanation_block
from planner.result import Status, StoppedBy

UNKNOWN = 5


@click.command("explain", cls=Command)
@click.argument("instance_file", metavar="INSTANCE")
@click.argument("plan_file", metavar="[PLAN_OR_RESULT]", required=False)
@click.option(
    "--alternatives",
    type=options.Whole(0),
    metavar="N",
    default=MOST_ALTERNATIVES,
    show_default=True,
    help="How many types that are not rented to try, the nearest in price first.",
)
@options.cloud_objective
@options.spending("Seconds of wall time for everything: the best plan, its proof and the details.")
@options.printing
@click.pass_context
def command(
    ctx: click.Context,
    instance_file: str,
    plan_file: str | None,
    alternatives: int,
    objective: str,
    time_limit: float | None,
    workers: int,
    seed: int,
    as_json: bool,
) -> int:
    """Explain why an instance has no plan, or why its best plan (or the given one) rents what it does.

    Without a feasible plan: what is in the way, and the least budget, deadline or number of VMs that would
    do. With one: what each type does and costs, what the types not rented would give, what more of each limit
    would buy. Exit code 0 for both, 5 where neither a plan nor a proof was found, 6 where the given plan
    breaks a rule. Ctrl-C prints what is known so far.
    """
    console: Console = ctx.obj
    if instance_file == plan_file == "-":
        raise UsageError("only one of the two files can come from stdin")
    instance = files.read_cloud(instance_file)
    for warning in files.warnings(instance):
        console.warning(f"{instance.name}: {warning}")
    given = None if plan_file is None else _given(console, instance, plan_file)
    goal = Goal(objective)
    chosen = ctx.get_parameter_source("objective") is not ParameterSource.DEFAULT
    if given is not None and given.claims is not None and not chosen:
        goal = given.claims.goal
    with Watch(console, goal, 1) as watch:
        watch.start(instance, "explain")
        explanation = explain(
            instance,
            None if given is None else given.plan,
            goal=goal,
            time_limit=time_limit,
            workers=workers,
            seed=seed,
            alternatives=alternatives,
            progress=watch,
        )
    if as_json:
        console.result(files.dumps(files.explained(explanation)) + "\n")
    else:
        console.show(explanation_block(explanation, console.width))
    return _code(explanation)


def _given(console: Console, instance: CloudInstance, path: str) -> PlanFile[CloudPlan] | None:
    """The plan to explain; None where the file is a result that has none: then the instance is explained."""
    try:
        given = files.read_plan(path, "cloud")
    except ResultWithoutPlanError as result:
        console.note(f"{path} has no plan, its status is {result.status.value}: explaining the instance")
        return None
    if given.plan.instance != instance.name:
        console.warning(f"the plan is for instance {given.plan.instance!r}, this one is {instance.name!r}")
    verdict = check(instance, given.plan)
    violations = [*verdict.violations, *claim_faults(instance, given, verdict)]
    if violations:
        raise CheckFailed(str(violation) for violation in violations)
    return given


def _code(explanation: Explanation) -> int:
    if explanation.status is not Status.UNKNOWN:
        return codes.OK
    return codes.INTERRUPTED if explanation.stopped_by is StoppedBy.INTERRUPTED else UNKNOWN
