"""`planner check`: what a plan is worth, recomputed from the plan alone."""

from __future__ import annotations

from typing import Any

import click

from planner import files
from planner.cli import codes, options
from planner.cli.command import Command
from planner.cli.console import Console
from planner.errors import UsageError
from planner.files.claims import PlanFile
from planner.kinds import CLOUD, Instance, kind_of
from planner.report.layout import Block, line, paragraph, span
from planner.report.numbers import counted, number
from planner.report.single import values
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

    Names every broken rule and what breaks it, as the VM. What a result claims (its values, bound, the
    instance's hash) must be true, too. One of the two files may be - for stdin. Exit code 6 on any violation.
    """
    if instance_file == plan_file == "-":
        raise UsageError("only one of the two files can come from stdin")
    instance = files.read_instance(instance_file)
    given = files.read_plan(plan_file, kind_of(instance).name)
    verdict = kind_of(instance).check(instance, given.plan)
    violations = [*verdict.violations, *claim_faults(instance, given, verdict)]
    warnings = []
    if given.plan.instance not in (instance.name, None):
        text = f"the plan is for instance {given.plan.instance!r}, this one is {instance.name!r}"
        warnings.append(text)
        console.warning(text)
    if as_json:
        console.result(files.dumps(_wire(instance, verdict, violations, warnings)) + "\n")
    else:
        console.show(_block(instance, verdict, violations, console.width))
    return codes.CHECK_FAILED if violations else codes.OK


def claim_faults(instance: Instance, given: PlanFile[Any], verdict: Verdict) -> list[Violation]:
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
    kind = kind_of(instance)
    for goal in kind.goals:
        claimed, found = claims.value(goal), verdict.value(goal)
        if claimed is not None and (found is None or not kind.agree(claimed, found)):
            value = "none" if found is None else number(found)
            text = f"the result says {goal.value} {number(claimed)}, it is {value}"
            faults.append(Violation("claim", "", text))
    objective = verdict.value(claims.goal)
    if claims.bound is not None and objective is not None and kind.above(claims.bound, objective):
        bound, goal_name = number(claims.bound), claims.goal.value
        text = f"the result says bound {bound}, the plan's {goal_name} is {number(objective)}"
        faults.append(Violation("bound", "", text))
    if claims.status is Status.INFEASIBLE and verdict.valid:
        faults.append(Violation("claim", "", "the result says infeasible, yet its plan breaks no rule"))
    return faults


def _block(instance: Instance, verdict: Verdict, violations: list[Violation], width: int) -> Block:
    word = f"invalid, {counted(len(violations), 'violation')}" if violations else "valid"
    block: Block = [line(span(instance.name, "strong"), "  ", span(word, "bad" if violations else "good"))]
    block += [line(f"  {name:<8}  {text}") for name, text in values(verdict, instance)]
    for violation in violations:
        block += paragraph(str(violation), width, "    ", first="  ")
    return block


def _wire(
    instance: Instance, verdict: Verdict, violations: list[Violation], warnings: list[str]
) -> dict[str, object]:
    goals = dict.fromkeys((*CLOUD.goals, *kind_of(instance).goals))
    found = {goal.value: verdict.value(goal) for goal in goals}
    return {
        "format": FORMAT,
        "instance": instance.name,
        "instance_sha256": instance.sha256,
        "valid": not violations,
        **{name: None if value is None else float(value) for name, value in found.items()},
        "exact": {name: None if value is None else str(value) for name, value in found.items()},
        "violations": [{"rule": v.rule, "where": v.where, "message": v.message} for v in violations],
        "warnings": warnings,
    }
