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
from itertools import islice
from pathlib import Path

import simplejson

from planner.errors import Fault, InputError
from planner.files.numbers import Refused, parse, parse_constant
from planner.files.paths import Location

LARGEST_FILE = 64 * 2**20
DEEPEST = 100
MOST_VALUES = 3_000_000

# Of each kind. A file with more is not repaired by hand, and a list of millions would fill the memory.
MOST_FAULTS = 10_000

_Children = Iterator[tuple[str | int, object]]

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Document:
    """A file's content, and `source`, the name to put before its faults."""

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
    source = source_of(path)
    return parsed(content(path, source), source)


def source_of(path: str | Path) -> str:
    """The name of the file in messages: a file's name need not be text; a message must be."""
    return "stdin" if str(path) == "-" else os.fsencode(path).decode("utf-8", "replace")


def parsed(data: bytes, source: str) -> Document:
    """The bytes as a document; faults and errors as in `load`."""
    text = decoded(data, source)
    tree = _parse(text, source)
    return document_of(source, data, tree, bool(_SURROGATE.search(text)))


def document_of(source: str, data: bytes, tree: object, surrogates: bool = False) -> Document:
    """The document with the faults of its single values; `surrogates`: some text may be half a pair."""
    faults = some(_lexical_faults(tree, surrogates))
    if () in faults:
        raise InputError(source, [Fault("", faults[()])])
    return Document(source, data, tree, faults)


def some(faults: Iterator[tuple[Location, str]]) -> dict[Location, str]:
    """The first faults, no more than `MOST_FAULTS`; several at one location in one sentence."""
    found: dict[Location, str] = {}
    for location, message in islice(faults, MOST_FAULTS):
        found[location] = joined(found.get(location, ""), message)
    return found


def joined(first: str, second: str) -> str:
    """Both messages in one, unless one says what the other does."""
    if first in second:
        return second
    return first if second in first else f"{first}; {second}"


def content(path: str | Path, source: str, what: str = "a JSON object") -> bytes:
    """The bytes of the file, or of stdin for "-", which should hold `what`. Raises `InputError`."""
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(LARGEST_FILE + 1) if sys.stdin else b""
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
        raise InputError(source, [Fault("", f"is empty; {what} is needed")])
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


def decoded(data: bytes, source: str) -> str:
    """The bytes as text. Raises `InputError` where they are not UTF-8, or begin with a byte order mark."""
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
        message = f"is not JSON: line {error.lineno}, column {error.colno}: {_wrong(error)}"
        raise InputError(source, [Fault("", message)]) from error
    except RecursionError as error:
        raise InputError(source, [Fault("", f"is nested deeper than {DEEPEST} levels")]) from error
    return tree


def _wrong(error: simplejson.JSONDecodeError) -> str:
    """What is wrong there; the parser's own words may be a pattern that it leaves unfilled."""
    if error.msg == "Extra data":
        return "a second value; a file holds one"
    found = ascii(error.doc[error.pos : error.pos + 1])
    if error.msg.startswith("Invalid control character"):
        return f"{found} may not stand in a text as it is; write it as an escape, as in \\t or \\n"
    return str(error.msg.replace("%r", found))


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
    """Yield what is wrong with single values, wherever they stand.

    Without recursion and with memory for one way down only, because trees can be deep or very large.
    """
    top: _Children = iter([("", tree)])
    way: list[str | int] = []
    open_nodes = [top]
    values = 0
    while open_nodes:
        for key, value in open_nodes[-1]:
            if isinstance(value, (dict, list)):
                values += len(value)
                if values > MOST_VALUES:
                    yield (), f"holds more than {MOST_VALUES} values, the most a file may hold"
                    return
                if len(way) > DEEPEST:
                    yield tuple(way[1:]), f"is nested deeper than {DEEPEST} levels"
                    continue
                way.append(key)
                open_nodes.append(_children(value))
                yield from _key_faults(value, tuple(way[1:]), surrogates)
                break
            if isinstance(value, Refused):
                yield (*way[1:], key), value.reason
            elif surrogates and isinstance(value, str) and _broken(value):
                yield (*way[1:], key), f"{value!a} is broken text: half of a surrogate pair"
        else:
            open_nodes.pop()
            if way:
                way.pop()


def _children(node: dict[str, object] | list[object]) -> _Children:
    return iter(node.items()) if isinstance(node, dict) else enumerate(node)


def _key_faults(node: object, location: Location, surrogates: bool) -> Iterator[tuple[Location, str]]:
    if isinstance(node, _Repeating):
        for key in node.repeated:
            yield (*location, key), "the key stands here more than once"
    if surrogates and isinstance(node, dict):
        for key in filter(_broken, node):
            yield location, f"the key {key!a} is broken text: half of a surrogate pair"


def _broken(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)
