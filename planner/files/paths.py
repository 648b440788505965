"""Where in a file something stands: `applications[0].tasks[1].size`."""

from __future__ import annotations

import re

Location = tuple[str | int, ...]

DEEPEST_SHOWN = 16
LONGEST_SHOWN = 60  # characters of a key or another text of the file

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")


def where(location: Location) -> str:
    """The location as people write it; keys that are not plain words stand in brackets and quotes.

    Of a very deep one the middle is left out, of a very long key the end.
    """
    if len(location) > DEEPEST_SHOWN:
        half = DEEPEST_SHOWN // 2
        end = where(location[-half:])
        return f"{where(location[:half])}…{end if end.startswith('[') else f'.{end}'}"
    text = ""
    for step in location:
        if isinstance(step, int):
            text += f"[{step}]"
        elif len(step) <= LONGEST_SHOWN and _PLAIN_KEY.match(step):
            text += f".{step}" if text else step
        else:
            text += f"[{quoted(step)}]"
    return text


def quoted(text: str, longest: int = LONGEST_SHOWN) -> str:
    """The text in double quotes, printable on any terminal, cut where it is long."""
    shown = text if len(text) <= longest else text[:longest] + "…"
    escaped = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in shown.replace("\\", "\\\\"))
    return '"' + escaped.replace('"', '\\"') + '"'
