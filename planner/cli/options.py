"""Options that several commands share, so that they mean the same everywhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from planner.goal import Goal
from planner.kinds import CLOUD
from planner.settings import MAX_SEED, MAX_WORKERS

Function = TypeVar("Function", bound=Callable[..., Any])


class Whole(click.IntRange):
    """A whole number in a range, by a name that people know."""

    name = "whole number"


class _Number(click.types.FloatParamType):
    """A number, by that name."""

    name = "number"


def _positive(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """Refuse what no limit can be: zero, less, NaN and infinity."""
    if value is not None and not (value > 0 and math.isfinite(value)):
        raise click.BadParameter(f"{value} is not a positive number of seconds", ctx, param)
    return value


def printing(function: Function) -> Function:
    """--json, --output, --quiet and -v; the command itself only sees --json (as `as_json`)."""
    return _applied(writing(function), [click.option("--json", "as_json", is_flag=True, help="Print JSON.")])


def writing(function: Function) -> Function:
    """--output, --quiet and -v, which the command itself does not see."""
    options = [
        click.option("-o", "--output", metavar="FILE", help="Write the result to FILE instead of stdout."),
        click.option("-q", "--quiet", is_flag=True, help="No progress, notes or warnings; errors only."),
        click.option(
            "-v",
            "--verbose",
            is_flag=True,
            help="More on stderr: progress, what solver libraries print, tracebacks of errors.",
        ),
    ]
    return _applied(function, options)


def effort(time_limit: str) -> Callable[[Function], Function]:
    """--objective, --time-limit with this help, --workers and --seed."""
    return lambda function: objective(spending(time_limit)(function))


def spending(time_limit: str) -> Callable[[Function], Function]:
    """--time-limit, with this help, --workers and --seed."""
    options = [
        limiting(time_limit),
        click.option(
            "--workers",
            type=Whole(1, MAX_WORKERS),
            metavar="N",
            default=1,
            show_default=True,
            help="Threads a solver may use; with more than one, runs may differ.",
        ),
        click.option(
            "--seed",
            type=Whole(0, MAX_SEED),
            metavar="N",
            default=1,
            show_default=True,
            help="Seed of the solver's random numbers.",
        ),
    ]
    return lambda function: _applied(function, options)


def limiting(text: str, default: str = "none") -> Callable[[Function], Function]:
    """--time-limit, with this help."""
    return click.option(
        "--time-limit",
        type=_Number(),
        callback=_positive,
        metavar="S",
        help=f"{text}  [default: {default}]",
    )


def objective(function: Function) -> Function:
    """--objective, for problems of every kind; None where it is not given."""
    option = click.option(
        "--objective",
        type=click.Choice([goal.value for goal in Goal]),
        help="What to minimise: makespan or cost on the cloud, where budget and deadline bind either way; "
        "flow, makespan or load of a grid step.  [default: the solver's own; makespan on the cloud]",
    )
    return _applied(function, [option])


def cloud_objective(function: Function) -> Function:
    """--objective, for cloud instances only."""
    option = click.option(
        "--objective",
        type=click.Choice([goal.value for goal in CLOUD.goals]),
        default=CLOUD.goals[0].value,
        show_default=True,
        help="What to minimise; budget and deadline bind either way.",
    )
    return _applied(function, [option])


def _applied(function: Function, options: Sequence[Callable[[Function], Function]]) -> Function:
    for option in reversed(options):  # click lists them in the order in which decorators stand
        function = option(function)
    return function
