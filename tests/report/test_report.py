"""The report as HTML, Markdown and CSV: what it says, that nothing in it acts, and the same bytes again."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from planner.report.cells_csv import as_csv
from planner.report.html import as_html
from planner.report.markdown import as_markdown
from planner.report.records import Reported
from planner.report.schedule import Bar, Lane, Schedule
from planner.report.statistics import half_interval
from tests.report.reports import (
    NASTY,
    cloud_record,
    failed_record,
    family,
    many,
    policy_record,
    reported,
    simulations,
)

SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
WRITTEN: tuple[Callable[[Reported], str], ...] = (as_html, as_markdown, as_csv)


class Tags(HTMLParser):
    """The tags and attributes of a page, outside script and style."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def embedded(page: str, name: str) -> dict[str, object]:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, object] = json.loads(found[1])
    return data


def everything(name: str = "fam", solver: str = "exact") -> Reported:
    """Cells of all kinds, a failure and a plan, with names as given."""
    records = family(name, (solver, "heuristic", "mp"))
    records += simulations(name)
    records.append(failed_record(name, solver, f"{name} crashed", f"Traceback\n  {name}"))
    schedule = Schedule(name, solver, "VM", "s", (Lane(name, 2, (Bar(name, name, 0.0, 3500.0),)),))
    whole = reported(records, name)
    return Reported(name, (name,), f"planner {name}", {name: name}, whole.records, 3, schedule)


def test_the_page_has_every_section_and_figure() -> None:
    page = as_html(everything())
    titles = re.findall(r"<h2>(.*?)</h2>", page)
    assert titles == [
        "What came of the cells",
        "1 cell failed",
        "Cloud: makespan of 3 solvers on 11 instances",
        "Grid system: mean ALoR of 2 policies on 1 system",
        "One plan",
        "All 43 cells",
        "Environment",
    ]
    keys = re.findall(r'<svg [^>]*\bid="([^"]+)"', page)
    assert keys == [
        "part1-profile",
        "part1-times",
        "part1-budget1",
        "part1-fleet1",
        "part2-load1",
        "part2-profile",
        "plan",
    ]
    assert set(embedded(page, "figures-data")) == set(keys)
    assert "3 cells of this study did not run yet" in page


def test_every_figure_is_xml_with_title_description_and_units() -> None:
    for svg in SVG.findall(as_html(everything())):
        root = ElementTree.fromstring(svg)
        names = [child.tag.rpartition("}")[2] for child in root][:2]
        assert names == ["title", "desc"]
        assert all((child.text or "").strip() for child in root[:2])
        assert root.get("viewBox")
        assert root.get("role") == "img"
    page = as_html(everything())
    for words in (
        "makespan (s)",
        "budget (money)",
        "ALoR (steps of work waiting)",
        "time (s)",
        "number of VMs",
    ):
        assert words in page


def test_the_same_report_is_the_same_bytes() -> None:
    for write in WRITTEN:
        assert write(everything()) == write(everything())


@pytest.mark.slow
def test_the_bytes_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "import hashlib\n"
        "from planner.report.html import as_html\n"
        "from tests.report.test_report import everything\n"
        "print(hashlib.sha256(as_html(everything()).encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            text=True,
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_nothing_is_loaded_from_elsewhere() -> None:
    page = as_html(everything())
    for tag, attributes in Tags(page).found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form[action]")
        for name in ("src", "href", "action", "srcset", "xlink:href"):
            assert (attributes.get(name) or "#").startswith("#"), (tag, attributes)
    assert "url(" not in page
    assert "@import" not in page
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src &#39;none&#39;;")
    assert "unsafe" not in policy[1]


@pytest.mark.parametrize(
    "name", [NASTY, "</script><script>alert(1)</script>", "a\"onload='x'", "{{ 7*7 }}", "\x1b[2J\u202e\uffff"]
)
def test_names_do_nothing_in_html(name: str) -> None:
    page = as_html(everything(name, name))
    plain = as_html(everything())
    ours, theirs = Tags(page), Tags(plain)
    assert [tag for tag, _ in ours.found].count("script") == [tag for tag, _ in theirs.found].count("script")
    assert "img" not in {tag for tag, _ in ours.found}
    assert not any(key.startswith("on") for _, attributes in ours.found for key in attributes)
    assert not any("style" in attributes for _, attributes in ours.found), "the policy would refuse them"
    for svg in SVG.findall(page):
        ElementTree.fromstring(svg)
    embedded(page, "cells-data")
    embedded(page, "figures-data")
    for char in "\x1b\u202e":
        assert char not in page


def test_names_stand_as_they_are_in_the_data() -> None:
    data = embedded(as_html(reported([cloud_record(NASTY, "s", 1.0, bound=1.0)])), "cells-data")
    columns = {column["name"]: column for column in data["columns"]}  # type: ignore[attr-defined]
    assert columns["instance"]["texts"] == [NASTY]


def test_names_do_nothing_in_markdown() -> None:
    text = as_markdown(everything(NASTY, "a|b`c*d_e"))
    assert "<script" not in re.sub(r"```.*?```", "", text.replace("\\<", ""), flags=re.DOTALL)
    rows = [line for line in text.splitlines() if line.startswith("| a\\|b\\`c\\*d\\_e ")]
    assert rows, "the row starts with the escaped solver"
    heads = {re.sub(r"\\.", "", line).count("|") for line in rows[:1]}
    assert heads == {re.sub(r"\\.", "", text.splitlines()[text.splitlines().index(rows[0]) - 2]).count("|")}


def test_a_fence_in_a_traceback_ends_nothing() -> None:
    text = as_markdown(reported([failed_record("i", "s", "boom", "```\n# not a title")]))
    assert "````\n```\n# not a title\n````" in text


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_csv_holds_no_formulas(start: str) -> None:
    name = f'{start}cmd|" /C calc"!A0'
    (row,) = csv.DictReader(io.StringIO(as_csv(reported([cloud_record(name, "s", 1.0)]))))
    assert row["instance"] == f"'{name}"
    assert row["objective"] == "1.0"


def test_csv_keeps_names_and_numbers() -> None:
    records = [cloud_record('a,b"c\n', "s:x=1;y=2", 100.0, bound=80.0), cloud_record("d", "t", None)]
    first, second = csv.DictReader(io.StringIO(as_csv(reported(records))))
    assert first["instance"] == 'a,b"c\\n'
    assert (first["solver"], first["gap"], first["fleet"]) == ("s:x=1;y=2", "0.2", "2 it1 + 1 it3")
    assert (second["objective"], second["status"]) == ("", "unknown")


def test_markdown_has_the_tables() -> None:
    text = as_markdown(reported(family()))
    assert "| exact | 10/10 | 100.00 % | 0.00 % | 0.00 % | 0.00 % | 0.00 % |" in text
    assert "| mp against exact | 10 | +10.00 % | +10.00 % to +10.00 % |" in text
    assert "planner compare 'a b.json' --report out.html" in text


def test_titles_say_what_is_seen() -> None:
    page = as_html(reported(family())).replace("\u00a0", " ")
    assert "exact has the least makespan on 100 % of 10 problems, heuristic on 0 %" in page
    assert "fam: makespan of mp is 10.00 % above that of exact on average" in page
    assert "fam: exact, heuristic and mp rent 2 types" in page
    load = as_html(reported(simulations())).replace("\u00a0", " ")
    assert re.search(r"sys: lls keeps the load lowest, at most [0-9.]+ % of it avoidable by any policy", load)


def test_without_series_the_means_are_shown() -> None:
    records = [policy_record("s", p, seed, None, 2.0 + seed) for seed in (1, 2, 3) for p in ("a", "b")]
    data = embedded(as_html(reported(records)), "figures-data")
    assert data["part1-load1"]["columns"] == ["policy", "alor_mean", "half_interval"]  # type: ignore[index]


def test_several_systems_have_a_row_each() -> None:
    records = [
        policy_record(system, policy, seed, None, factor * scale + seed / 10)
        for system, scale in (("small", 1.0), ("large", 300.0))
        for seed in (1, 2, 3)
        for policy, factor in (("a", 1.0), ("b", 2.0))
    ]
    text = as_markdown(reported(records))
    half = half_interval([1.1, 1.2, 1.3])
    assert f"| small | 1.2 ± {half:.2g} | 2.2 ± {half:.2g} | 1 |" in text
    assert f"| large | 300 ± {half:.2g} | 600 ± {half:.2g} | 1 |" in text
    assert "| a | 6/6 | 151 |" in text, "no interval over different systems"


def test_failures_are_told_once_with_their_traceback() -> None:
    records = [failed_record(f"i{n}", "bad", f"i{n}: out of memory", "Traceback <here>") for n in range(30)]
    page = as_html(reported(records))
    assert page.count("<details>") == 1
    assert "30 cells, the first i0, seed 1: out of memory" in page
    assert "Traceback &lt;here&gt;" in page


@pytest.mark.parametrize(
    "records",
    [
        [],
        [cloud_record("i", "s", None)],
        [cloud_record("i", "s", 0.0, bound=0.0), cloud_record("i", "t", 5.0)],
        [failed_record("i", "s", "")],
        [policy_record("s", "p", 1, None, 0.0)],
        [policy_record("s", "p", 1, [0.0])],
        [cloud_record(f"f-b{b}", "s", None, budget=float(b)) for b in (1, 2, 3)],
        [cloud_record(f"f-b{b}", "s", 1e12 / 10**b, budget=float(b)) for b in range(1, 9)],
        [cloud_record("i", f"solver-{n}:option={n}", 10.0 + n) for n in range(30)],
    ],
)
def test_odd_reports_are_reports(records: list[object]) -> None:
    whole = reported(records)  # type: ignore[arg-type]
    for write in WRITTEN:
        assert write(whole)
    for svg in SVG.findall(as_html(whole)):
        ElementTree.fromstring(svg)
        assert "nan" not in svg
        assert "inf" not in re.sub(r">[^<]*<", "", svg)


@pytest.mark.slow
def test_a_hundred_thousand_cells_fit() -> None:
    whole = many(100_000)
    started = time.perf_counter()
    page = as_html(whole)
    assert time.perf_counter() - started < 30
    assert len(page.encode()) < 15_000_000


def test_the_documented_code_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).resolve().parents[2]
    (code,) = re.findall(
        r"```python\n(.*?)```", (root / "docs/reports.md").read_text(encoding="utf-8"), re.DOTALL
    )
    monkeypatch.chdir(root)
    names: dict[str, str] = {}
    exec(code, names)
    assert names["page"].startswith("<!doctype html>")
    assert "python my_script.py" in names["page"]
