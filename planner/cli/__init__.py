"""The command `planner`. Nothing but click is imported before a command needs it."""

from __future__ import annotations

from typing import NoReturn


def main() -> NoReturn:
    """Run the command line of this process and end it with the command's exit code."""
    from planner.cli.process import run_process

    run_process()
