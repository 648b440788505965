"""No output of a command may replace what it reads, or another output.

What a parameter stands for is told by its metavar, as in the help: options named FILE are written, arguments
are read. So every command is covered, those to come included.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from planner.errors import InputError, UsageError

_NOT_A_FILE = "[FORMAT]"  # the one argument that is a word


def refuse_overwriting(context: click.Context) -> None:
    """Raise `UsageError` where an output of the command line is one of its inputs, or two outputs are one.

    Files are the same however they are called: by links, or on the way through other folders. Devices and
    pipes are not replaced, and may be named as often as anyone likes.
    """
    outputs = list(_outputs(context))
    taken: dict[str, str] = {}
    for option, path in outputs:
        other = taken.setdefault(_identity(path), option)
        if other != option:
            raise UsageError(f"{option}: {path} is what {other} writes, too; give them two files")
    if not any(os.path.isfile(path) for _, path in outputs):  # noqa: PTH113 - Path raises on odd names
        return
    read = {_identity(path): path for path in _inputs(context)}
    for option, path in outputs:
        if _identity(path) in read:
            raise UsageError(f"{option}: {path} is read by this command and would be lost; give another file")


def _outputs(context: click.Context) -> Iterator[tuple[str, str]]:
    """The files that the command will write, with the options that name them."""
    for parameter in context.command.params:
        path = context.params.get(parameter.name or "")
        named = isinstance(parameter, click.Option) and (parameter.metavar or "").startswith("FILE")
        if named and isinstance(path, str) and path != "-" and not _is_device(path):
            yield max(parameter.opts, key=len), path


def _inputs(context: click.Context) -> Iterator[str]:
    """The files that the command will read: of a folder those that hold what it takes, and their traces."""
    from planner import files

    special = {"validate": files.find_files, "simulate": files.find_systems}
    find = special.get(context.command.name or "", files.find_instances)
    for parameter in context.command.params:
        if not isinstance(parameter, click.Argument) or parameter.metavar == _NOT_A_FILE:
            continue
        value = context.params.get(parameter.name or "")
        for path in (value,) if isinstance(value, str) else value or ():
            try:
                found = find([path])
            except InputError:  # the command itself says what is wrong with it
                continue
            traces = (files.trace_file(one) for one in found if str(one) != "-")
            yield from map(str, (*found, *(trace for trace in traces if trace is not None)))


def _identity(path: str) -> str:
    """What two names of one file have in common."""
    try:
        about = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return os.path.realpath(path) if "\0" not in path else path
    return f"{about.st_dev}:{about.st_ino}"


def _is_device(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)  # noqa: PTH110, PTH112, PTH113
