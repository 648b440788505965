"""From a TOML file to the raw tree that `planner.files.text` makes of JSON."""

from __future__ import annotations

import tomllib
from pathlib import Path

from planner.errors import Fault, InputError
from planner.files.numbers import parse
from planner.files.text import DEEPEST, Document, content, decoded, document_of, source_of


def load_toml(path: str | Path) -> Document:
    """Read and parse the file, or stdin where `path` is "-".

    Raises `InputError` where the file cannot be read or is not TOML; faults of single values are in the
    document, to be told together with those of its content.
    """
    source = source_of(path)
    data = content(path, source, "a TOML table")
    text = decoded(data, source)
    try:
        tree = tomllib.loads(text, parse_float=parse)
    except tomllib.TOMLDecodeError as error:
        raise InputError(source, [Fault("", f"is not TOML: {error}")]) from error
    except RecursionError as error:
        raise InputError(source, [Fault("", f"is nested deeper than {DEEPEST} levels")]) from error
    except ValueError as error:  # of a whole number with thousands of digits
        raise InputError(source, [Fault("", f"is not TOML that can be read: {error}")]) from error
    return document_of(source, data, tree)
