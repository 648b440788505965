"""The page: sections through a template that escapes everything, style and script allowed by their hashes."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined, select_autoescape
from markupsafe import Markup

from planner.report.contents import Code, Detail, Figures, Section, TextTable, Words
from planner.report.html.embedded import cells_json, figures_json, first_rows
from planner.report.names import visible
from planner.report.records import Reported
from planner.report.sections import sections_of


def as_html(reported: Reported) -> str:
    """One self-contained file; the same report gives the same bytes."""
    found = sections_of(reported)
    figures = [
        figure
        for section in found.sections
        for block in section.blocks
        if isinstance(block, Figures)
        for figure in block.figures
    ]
    style, chart, script = _asset("page.css"), _asset("chart.css"), _asset("page.js")
    environment = Environment(
        autoescape=select_autoescape(default=True), undefined=StrictUndefined, trim_blocks=True
    )
    environment.tests.update({name: _is(kind) for name, kind in _BLOCKS.items()})
    *parts, last = found.sections
    return environment.from_string(_asset("page.html.jinja")).render(
        title=visible(reported.title),
        what=[visible(line) for line in reported.what],
        policy=_policy(style, chart, script),
        style=Markup(style),
        chart=Markup(chart),
        script=Markup(script),
        sections=[*parts, _cells(len(found.frame)), last],
        columns=first_rows(found.frame),
        count=len(found.frame),
        cells=Markup(cells_json(found.frame)),
        figures=Markup(figures_json(figures)),
        raw=Markup,
    )


_BLOCKS: dict[str, type] = {
    "words": Words,
    "text_table": TextTable,
    "pictures": Figures,
    "detail": Detail,
    "code": Code,
}


def _is(kind: type) -> Any:
    return lambda block: isinstance(block, kind)


def _cells(count: int) -> Section:
    return Section("cells", f"All {count:,} cells" if count != 1 else "The cell", ())


def _policy(*inline: str) -> str:
    """Nothing may be loaded; of what stands in the page, only this style and this script count."""
    *styles, script = (f"'sha256-{_hash(text)}'" for text in inline)
    return (
        f"default-src 'none'; style-src {' '.join(styles)}; script-src {script}; base-uri 'none'; "
        "form-action 'none'"
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _asset(name: str) -> str:
    return (files("planner.report.html") / name).read_text(encoding="utf-8")
