"""From a path to a raw tree: bytes, UTF-8, JSON, and what is wrong on that level.

The tree has dicts, lists, text, booleans, None, `int` and `Decimal`, and `Refused` in place of numbers that
cannot be taken. A key that stands twice keeps its first value.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import simplejson

from planner.errors import Fault, InputError
from planner.files.numbers import Refused, parse, parse_constant
from planner.files.paths import Location

LARGEST_FILE = 64 * 2**20
DEEPEST = 100

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Document:
    """A file's content: the name to put before its faults, its bytes' hash is taken from `data`."""

    source: str
    data: bytes
    tree: object
    faults: dict[Location, str]


class _Repeating(dict[str, object]):
    """An object in which keys stand more than once."""

    repeated: tuple[str, ...] = ()


def load(path: str | Path) -> Document:
    """Read and parse the file, or stdin where `path` is "-".

    Raises `InputError` where the file cannot be read or is not JSON; faults that leave a tree (duplicate
    keys, numbers out of range) are in the document, to be told together with those of its content.
    """
    source = "stdin" if str(path) == "-" else str(path)
    data = _bytes(path, source)
    text = _decode(data, source)
    tree = _parse(text, source)
    return Document(source, data, tree, dict(_lexical_faults(tree, bool(_SURROGATE.search(text)))))


def _bytes(path: str | Path, source: str) -> bytes:
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise InputError(source, [Fault("", _reason(error))]) from error
    if len(data) > LARGEST_FILE:
        raise InputError(
            source, [Fault("", f"is larger than {LARGEST_FILE // 2**20} MiB, the most a file may be")]
        )
    if not data.strip():
        raise InputError(source, [Fault("", "is empty; a JSON object is needed")])
    return data


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "is a folder; a file is needed here"
    if isinstance(error, PermissionError):
        return "may not be read: permission denied"
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        return "there is no such file: the name is too long"
    detail = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
    return f"cannot be read: {detail}"


def _decode(data: bytes, source: str) -> str:
    if data.startswith(b"\xef\xbb\xbf"):
        text = "starts with a byte order mark; save it as UTF-8 without one"
        raise InputError(source, [Fault("", text)])
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in data[:4]:
        raise InputError(source, [Fault("", "is UTF-16 or binary; save it as UTF-8")])
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = f"is not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}"
        raise InputError(source, [Fault("", text)]) from error


def _parse(text: str, source: str) -> object:
    try:
        tree: object = simplejson.loads(
            text,
            parse_float=parse,
            parse_int=parse,
            parse_constant=parse_constant,
            object_pairs_hook=_object,
        )
    except simplejson.JSONDecodeError as error:
        message = f"is not JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        raise InputError(source, [Fault("", message)]) from error
    except RecursionError as error:
        raise InputError(source, [Fault("", f"is nested deeper than {DEEPEST} levels")]) from error
    return tree


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    repeating = _Repeating()
    twice: dict[str, None] = {}
    for key, value in pairs:
        if key in repeating:
            twice[key] = None
        else:
            repeating[key] = value
    repeating.repeated = tuple(twice)
    return repeating


def _lexical_faults(tree: object, surrogates: bool) -> Iterator[tuple[Location, str]]:
    """Yield what is wrong with single values, wherever they stand; without recursion, for deep trees."""
    pending: list[tuple[Location, object]] = [((), tree)]
    while pending:
        location, node = pending.pop()
        if len(location) > DEEPEST:
            yield location[:1], f"is nested deeper than {DEEPEST} levels"
            continue
        if isinstance(node, _Repeating):
            for key in node.repeated:
                yield (*location, key), "the key stands here more than once"
        items: Iterator[tuple[str | int, object]]
        if isinstance(node, dict):
            items = iter(node.items())
            if surrogates:
                yield from (
                    (location, f"the key {ascii(key)} is broken text") for key in node if _broken(key)
                )
        elif isinstance(node, list):
            items = enumerate(node)
        else:
            continue
        for key, value in items:
            if isinstance(value, (dict, list)):
                pending.append(((*location, key), value))
            elif isinstance(value, Refused):
                yield (*location, key), value.reason
            elif surrogates and isinstance(value, str) and _broken(value):
                yield (*location, key), f"{ascii(value)} is broken text: half of a surrogate pair"


def _broken(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)
