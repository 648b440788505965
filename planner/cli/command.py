"""A command of the group: its console, and the exit code for everything that can go wrong in it."""

from __future__ import annotations

from collections.abc import Callable

import click

from planner.cli import codes
from planner.cli.console import Console
from planner.cli.overwriting import refuse_overwriting
from planner.errors import PlannerError


class Command(click.Command):
    """Gives the callback a `Console` (the context's object) and makes a code of what it returns or raises."""

    def invoke(self, ctx: click.Context) -> int:
        """Run the callback, which returns an exit code."""
        try:
            refuse_overwriting(ctx)
            console = Console(
                ctx.params.pop("output", None),
                ctx.params.pop("quiet", False),
                ctx.params.pop("verbose", False),
            )
        except PlannerError as error:
            Console().error(str(error))
            return error.exit_code
        ctx.obj = console
        with console:
            return _guarded(lambda: int(super(Command, self).invoke(ctx)), console)


def _guarded(call: Callable[[], int], console: Console) -> int:
    """The code of `call`; errors are told on stderr, their traceback only with -v."""
    try:
        if not console.verbose:
            _silence_warnings()
        code = call()
        console.finish()
    except PlannerError as error:
        console.failure(error)
        console.trace(error)
        return error.exit_code
    except click.ClickException:
        raise
    except KeyboardInterrupt:
        console.error("interrupted")
        return codes.INTERRUPTED
    except MemoryError as error:
        console.error("out of memory")
        console.trace(error)
        return codes.INTERNAL
    except Exception as error:
        hint = "" if console.verbose else "; run again with -v for the details"
        console.error(f"internal error: {type(error).__name__}: {error}{hint}")
        console.trace(error)
        return codes.INTERNAL
    return code


def _silence_warnings() -> None:
    """Warnings of libraries are for developers; -v shows them, and so does python -W."""
    import sys
    import warnings

    if not sys.warnoptions:
        warnings.simplefilter("ignore")
