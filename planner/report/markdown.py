"""A report as Markdown: the same words and tables as the page, and of each figure what it shows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from planner.report.contents import Block, Code, Detail, Figures, TextTable, Words
from planner.report.names import visible
from planner.report.records import Reported
from planner.report.sections import sections_of

_ACTS = re.compile(r"([\\`*_\[\]<>|#&~$])")


def as_markdown(reported: Reported) -> str:
    """GitHub's Markdown; the same report gives the same text."""
    parts = [f"# {_safe(visible(reported.title))}", *(_safe(visible(line)) for line in reported.what)]
    for section in sections_of(reported).sections:
        parts.append(f"## {_safe(section.title)}")
        parts += [_block(block) for block in section.blocks]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> str:
    match block:
        case Words():
            return f"> **{_safe(block.text)}**" if block.warning else _safe(block.text)
        case TextTable():
            return _table(block)
        case Figures():
            return "\n".join(f"- {_safe(figure.title)}. {_safe(figure.caption)}" for figure in block.figures)
        case Detail():
            return f"- {_safe(block.summary)}\n\n{_fenced(block.body)}"
        case Code():
            return f"### {_safe(block.title)}\n\n{_fenced(block.body)}"


def _table(table: TextTable) -> str:
    rule = ["---" if index < table.left else "---:" for index in range(len(table.columns))]
    lines = [_row([_safe(column) for column in table.columns]), _row(rule)]
    lines += [_row([_safe(cell) for cell in row]) for row in table.rows]
    note = f"\n\n{_safe(table.note)}" if table.note else ""
    return f"### {_safe(table.title)}\n\n" + "\n".join(lines) + note


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _fenced(text: str) -> str:
    """A block that what is in it cannot end."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def _safe(text: str) -> str:
    """Nothing in it is markup."""
    return _ACTS.sub(r"\\\1", text)
