"""`planner check`: what a plan is worth, recomputed from the plan alone."""

from __future__ import annotations

import click

from planner import files
from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console
from planner.cloud.checker import check
from planner.cloud.instance import CloudInstance
from planner.errors import UsageError
from planner.files.claims import PlanFile
from planner.goal import Goal
from planner.report.layout import Block, line, paragraph, span
from planner.report.numbers import counted, duration, number
from planner.result import Status
from planner.verdict import Verdict, Violation

FORMAT = "planner/check/1"


@click.command("check", cls=Command)
@click.argument("instance_file", metavar="INSTANCE")
@click.argument("plan_file", metavar="PLAN_OR_RESULT")
@options.printing
@click.pass_obj
def command(console: Console, instance_file: str, plan_file: str, as_json: bool) -> int:
    """Judge a plan, or the plan in a result, in exact arithmetic.

    Names every broken rule and the VM that breaks it. What a result claims (makespan, cost, bound, the
    instance's hash) must be true, too. One of the two files may be - for stdin. Exit code 6 on any violation.
    """
    if instance_file == plan_file == "-":
        raise UsageError("only one of the two files can come from stdin")
    instance = files.read(instance_file)
    given = files.read_plan(plan_file)
    verdict = check(instance, given.plan)
    violations = [*verdict.violations, *claim_faults(instance, given, verdict)]
    warnings = []
    if given.plan.instance != instance.name:
        text = f"the plan is for instance {given.plan.instance!r}, this one is {instance.name!r}"
        warnings.append(text)
        console.warning(text)
    if as_json:
        console.result(files.dumps(_wire(instance, verdict, violations, warnings)) + "\n")
    else:
        console.show(_block(instance, verdict, violations, console.width))
    return codes.CHECK_FAILED if violations else codes.OK


def claim_faults(instance: CloudInstance, given: PlanFile, verdict: Verdict) -> list[Violation]:
    """What a result file says that is not so; nothing for a plan file, which claims nothing."""
    faults = []
    if given.instance_sha256 is not None and given.instance_sha256 != instance.sha256:
        text = (
            f"the result is for a file with SHA-256 {given.instance_sha256}, this one has {instance.sha256}"
        )
        faults.append(Violation("other instance", "", text))
    claims = given.claims
    if claims is None:
        return faults
    faults += [Violation("contradiction", "", text) for text in claims.contradictions]
    objective = verdict.makespan if claims.goal is Goal.MAKESPAN else verdict.cost
    pairs = [("makespan", claims.makespan, verdict.makespan), ("cost", claims.cost, verdict.cost)]
    for name, claimed, found in pairs:
        if claimed is not None and claimed != found:
            value = "none" if found is None else number(found)
            faults.append(Violation("claim", "", f"the result says {name} {number(claimed)}, it is {value}"))
    if claims.bound is not None and objective is not None and claims.bound > objective:
        bound, goal = number(claims.bound), claims.goal.value
        text = f"the result says bound {bound}, the plan's {goal} is {number(objective)}"
        faults.append(Violation("bound", "", text))
    if claims.status is Status.INFEASIBLE and verdict.valid:
        faults.append(Violation("claim", "", "the result says infeasible, yet its plan breaks no rule"))
    return faults


def _block(instance: CloudInstance, verdict: Verdict, violations: list[Violation], width: int) -> Block:
    word = f"invalid, {counted(len(violations), 'violation')}" if violations else "valid"
    block: Block = [line(span(instance.name, "strong"), "  ", span(word, "bad" if violations else "good"))]
    unit = f" {instance.notes.currency}" if instance.notes.currency else ""
    if verdict.makespan is not None:
        limit = "" if instance.deadline is None else f" of {number(instance.deadline)} s"
        block.append(line(f"  makespan  {duration(verdict.makespan)}{limit}"))
    if verdict.cost is not None:
        limit = "" if instance.budget is None else f" of {number(instance.budget)}"
        block.append(line(f"  cost      {number(verdict.cost)}{limit}{unit}"))
    for violation in violations:
        block += paragraph(str(violation), width, "    ", first="  ")
    return block


def _wire(
    instance: CloudInstance, verdict: Verdict, violations: list[Violation], warnings: list[str]
) -> dict[str, object]:
    return {
        "format": FORMAT,
        "instance": instance.name,
        "instance_sha256": instance.sha256,
        "valid": not violations,
        "makespan": None if verdict.makespan is None else float(verdict.makespan),
        "cost": None if verdict.cost is None else float(verdict.cost),
        "exact": {
            "makespan": None if verdict.makespan is None else str(verdict.makespan),
            "cost": None if verdict.cost is None else str(verdict.cost),
        },
        "violations": [{"rule": v.rule, "where": v.where, "message": v.message} for v in violations],
        "warnings": warnings,
    }
