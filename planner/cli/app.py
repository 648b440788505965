"""The group of commands: which there are, and what becomes of a usage error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

COMMANDS = {
    "solve": "Plan instances, each with a certified bound and gap.",
    "compare": "Run several solvers on several instances and tabulate them.",
    "simulate": "Simulate policies on a grid system, with a bound that none can beat.",
    "study": "Run, resume, report and merge batch studies.",
    "explain": "Say why nothing is feasible and what would be, or why these types.",
    "frontier": "Show the least makespan for each budget, as table and plot.",
    "check": "Recompute a plan exactly and list every rule it breaks.",
    "validate": "List all faults of instance, plan and result files.",
    "export": "Write an instance as an integer program, for any solver.",
    "solvers": "List the solvers and test each one.",
    "schema": "Print the JSON Schema of a file format.",
}
"""Name to one line of help, so that the overview imports no command."""

EPILOG = """\
Exit codes: 0 usable answer, 1 internal error, 2 usage or unsupported, 3 invalid input, 4 proven infeasible,
5 no plan and nothing proven, 6 check failed, 130 interrupted without a plan."""


GIVEN = "planner.cli.given"
"""Where a context's `meta` keeps the command line, which click forgets."""


class Commands(click.Group):
    """Imports a command's module when it is called, not before.

    `overview` has the commands' names with a line of help each; they are modules of the package `home`.
    """

    def __init__(
        self, *arguments: Any, overview: Mapping[str, str] = COMMANDS, home: str = "planner.cli", **more: Any
    ) -> None:
        super().__init__(*arguments, **more)
        self._overview, self._home = overview, home

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, and the command line is kept."""
        ctx.meta.setdefault(GIVEN, list(args))
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, in the order in which people need them."""
        return list(self._overview)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, imported now."""
        if cmd_name not in self._overview:
            return None
        command = import_module(f"{self._home}.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name where there is no such command."""
        if args[0] not in self._overview and not args[0].startswith("-"):
            close = get_close_matches(args[0], list(self._overview), n=1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            raise click.UsageError(
                f"unknown command {args[0]!r}{hint}; there are: {', '.join(self._overview)}", ctx
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The overview, without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._overview.items()))


def _version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:  # noqa: ARG001
    if wanted and not ctx.resilient_parsing:
        from importlib import metadata

        click.echo(f"planner {metadata.version('gridcloud-planner')}")
        ctx.exit()


@click.group(
    cls=Commands,
    epilog=EPILOG,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Plan rented machines and shared queues, with a proven gap for every plan.

    Start with: planner solve INSTANCE.json
    """
    if ctx.invoked_subcommand is None:
        raise click.UsageError(ctx.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; everything it says goes to stdout and stderr."""
    from planner.cli.console import usage_error

    try:
        code = cli.main(list(arguments), prog_name="planner", standalone_mode=False)
    except click.UsageError as error:
        usage_error(error, bare=not arguments)
        return 2
    except click.ClickException as error:
        usage_error(error)
        return 2
    except click.Abort:  # click's word for Ctrl-C while it read the command line
        usage_error(click.ClickException("interrupted"))
        return 130
    except SystemExit:  # what click makes of a reader of --help that has gone
        return 0
    except OSError as error:
        usage_error(click.ClickException(f"the help cannot be written: {error}"))
        return 1
    return int(code or 0)
