"""SVG as text: every attribute and text is escaped here, and numbers are short."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from planner.report.names import visible

_NOT_XML = re.compile("[\ufffe\uffff]")
_WIDTHS = {**dict.fromkeys("mwMW%@—…", 13.5), **dict.fromkeys("iIjlt.,:;|!'()[] f-r", 5.6)}
_WIDE = 9.0
"""What a letter of 14 takes, in units, in a wide font: rather too much than too little."""


def element(tag: str, content: str = "", **attributes: str | float | None) -> str:
    """One element around content that is SVG already; `class_` and `stroke_width` become names of SVG."""
    parts = [
        f" {name.rstrip('_').replace('_', '-')}={quoteattr(_value(value))}"
        for name, value in attributes.items()
        if value is not None
    ]
    return f"<{tag}{''.join(parts)}/>" if not content else f"<{tag}{''.join(parts)}>{content}</{tag}>"


def text(words: str, x: float, y: float, *, anchor: str | None = None, class_: str | None = None) -> str:
    """Words at a place; whatever they hold is shown, nothing of it acts."""
    return element("text", escape(clean(words)), x=x, y=y, text_anchor=anchor, class_=class_)


def path(points: Iterable[tuple[float, float]], *, closed: bool = False) -> str:
    """The `d` of a line through the points."""
    steps = " ".join(f"{short(x)} {short(y)}" for x, y in points)
    return f"M{steps}{'z' if closed else ''}" if steps else ""


def picture(width: float, height: float, content: str, key: str, title: str, description: str) -> str:
    """The whole picture; it scales with the room it gets, and tells what it is to those who do not see it."""
    head = element("title", escape(clean(title)), id=f"{key}-title")
    head += element("desc", escape(clean(description)), id=f"{key}-desc")
    return element(
        "svg", head + content, xmlns="http://www.w3.org/2000/svg", class_="chart", id=key,
        viewBox=f"0 0 {short(width)} {short(height)}", role="img",
        aria_labelledby=f"{key}-title {key}-desc",
    )  # fmt: skip


def short(value: float) -> str:
    """A coordinate to a tenth of a unit."""
    return f"{value:.1f}".removesuffix(".0")


def cut(words: str, room: float) -> str:
    """The words, with an ellipsis where they would be wider than that."""
    if width_of(words) <= room:
        return words
    kept = len(words)
    while kept > 2 and width_of(words[:kept]) + _WIDTHS["…"] > room:
        kept -= 1
    return words[:kept] + "…"


def width_of(words: str) -> float:
    """About how wide the words are."""
    return sum(_WIDTHS.get(letter, _WIDE) for letter in words)


def clean(words: str) -> str:
    """Text from a file as XML takes it."""
    return _NOT_XML.sub("\ufffd", visible(words))


def _value(value: str | float) -> str:
    return clean(value) if isinstance(value, str) else short(value)
