"""The report in a browser: from disk, with nothing else, for people at desks, on phones and with printers."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from planner.report.records import Reported
from tests.browser.conftest import Browser
from tests.report.reports import NASTY, cloud_record, family, many, reported
from tests.report.test_report import everything

pytestmark = pytest.mark.slow
Write = Callable[[Reported], Path]


def test_it_opens_from_disk_without_errors_and_asks_for_nothing(browser: Browser, written: Write) -> None:
    page = written(everything())
    browser.open(page)
    assert browser.errors() == []
    assert browser.requests() == [page.as_uri()]


def test_names_do_nothing(browser: Browser, written: Write) -> None:
    page = written(everything(NASTY, NASTY))
    browser.open(page)
    browser.click("#table th button")
    browser.type("script")
    assert browser.errors() == []
    assert browser.requests() == [page.as_uri()]
    assert browser.run("return document.querySelectorAll('img').length") == 0
    assert NASTY in browser.column("solver")


def test_even_a_script_that_got_in_would_not_run(browser: Browser, written: Write) -> None:
    page = written(everything())
    text = page.read_text(encoding="utf-8").replace("<main>", "<main><script>window.ran = true</script>")
    page.write_text(text, encoding="utf-8")
    browser.open(page)
    assert browser.run("return window.ran ?? null") is None
    assert any("Content Security Policy" in message for message in browser.errors())


def test_it_sorts_both_ways_and_puts_what_is_missing_last(browser: Browser, written: Write) -> None:
    values = [30.0, None, 10.0, 20.0]
    records = [cloud_record(f"i{n}", "s", value, bound=5.0) for n, value in enumerate(values)]
    browser.open(written(reported(records)))
    press = (
        "[...document.querySelectorAll('#table th button')].find(b => b.textContent === 'makespan').click()"
    )
    browser.run(press)
    assert browser.column("makespan") == ["10", "20", "30", ""]
    browser.run(press)
    assert browser.column("makespan") == ["30", "20", "10", ""]
    sorts = browser.run(
        "return [...document.querySelectorAll('#table th')].map(th => th.ariaSort).filter(Boolean)"
    )
    assert sorts == ["descending"]


def test_names_with_numbers_sort_by_the_numbers(browser: Browser, written: Write) -> None:
    records = [cloud_record(f"b{n}", "s", 1.0) for n in (100, 20, 3)]
    browser.open(written(reported(records)))
    browser.click("#table th button")
    assert browser.column("instance") == ["b3", "b20", "b100"]


def test_it_finds_by_words_solver_and_status(browser: Browser, written: Write) -> None:
    browser.open(written(everything()))
    browser.type("B45 exact")
    assert browser.column("instance") == ["fam-b45"]
    assert browser.run("return document.getElementById('shown').textContent") == "1 of 43 cells"
    browser.type("")
    choose = (
        "const select = document.getElementById(arguments[0]);"
        "select.value = [...select.options].find(o => o.text === arguments[1]).value;"
        "select.dispatchEvent(new Event('change'))"
    )
    browser.run(choose, "only-solver", "heuristic")
    assert set(browser.column("solver")) == {"heuristic"}
    browser.run(choose, "only-status", "failed")
    assert browser.column("solver") == []
    browser.run(choose, "only-solver", "all")
    assert browser.column("message") == ["fam crashed"]


def test_it_turns_pages(browser: Browser, written: Write) -> None:
    browser.open(written(everything()))
    assert len(browser.column("instance")) == 25
    browser.click("#after")
    assert len(browser.column("instance")) == 18
    assert browser.run("return document.getElementById('after').disabled")
    browser.click("#before")
    assert len(browser.column("instance")) == 25


def test_a_figure_is_saved_with_its_colours_and_with_its_numbers(browser: Browser, written: Write) -> None:
    browser.open(written(reported(family())))
    browser.click("[data-svg='part1-budget1']")
    svg = browser.downloaded("part1-budget1.svg")
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "var(" not in svg
    assert "light-dark(" not in svg
    assert "#0072b2" in svg
    browser.click("[data-csv='part1-budget1']")
    rows = list(csv.DictReader(io.StringIO(browser.downloaded("part1-budget1.csv"))))
    assert rows[0] == {"solver": "exact", "budget": "40", "makespan": "4000"}
    assert len(rows) == 30
    assert browser.errors() == []


def test_saved_rows_are_those_found_and_no_formulas(browser: Browser, written: Write) -> None:
    records = [
        cloud_record("=1+1", "s", 1.5),
        cloud_record('a,"b', "s", None),
        cloud_record("gone", "t", 2.0),
    ]
    browser.open(written(reported(records)))
    browser.run(
        "const select = document.getElementById('only-solver');"
        "select.value = '0'; select.dispatchEvent(new Event('change'))"
    )
    browser.click("#save-rows")
    rows = list(csv.DictReader(io.StringIO(browser.downloaded("cells.csv"))))
    assert [row["instance"] for row in rows] == ["'=1+1", 'a,"b']
    assert [row["makespan"] for row in rows] == ["1.5", ""]


def test_dark_follows_the_system_and_the_button(browser: Browser, written: Write) -> None:
    page = written(reported(family()))
    browser.open(page)
    ground = "return getComputedStyle(document.body).backgroundColor"
    ink = "return getComputedStyle(document.querySelector('svg.chart text')).fill"
    light, black = browser.run(ground), browser.run(ink)
    assert light == "rgb(255, 255, 255)"
    browser.media(prefers_color_scheme="dark")
    dark, white = browser.run(ground), browser.run(ink)
    assert dark != light
    assert white != black
    browser.click("#theme")
    assert browser.run(ground) == light
    browser.open(page)
    assert browser.run(ground) == light, "the choice is kept"
    browser.click("#theme")
    assert browser.run(ground) == dark


@pytest.mark.parametrize("name", ["fam", "a" * 200, "long name " * 20])
@pytest.mark.parametrize("width", [320, 375, 768])
def test_a_narrow_screen_never_scrolls_sideways(
    browser: Browser, written: Write, width: int, name: str
) -> None:
    browser.screen(width)
    browser.open(written(everything(name, f"solver:{'o' * 40}=1")))
    assert browser.run("return document.documentElement.scrollWidth") <= width
    widths = browser.run(
        "return [...document.querySelectorAll('svg.chart')].map(svg => svg.getBoundingClientRect().width)"
    )
    assert max(widths) <= width


def test_text_in_figures_can_be_read_on_a_phone(browser: Browser, written: Write) -> None:
    browser.screen(375)
    browser.open(written(everything()))
    heights = browser.run(
        "return [...document.querySelectorAll('svg.chart')].map(s =>"
        " 12 * s.getBoundingClientRect().width / s.viewBox.baseVal.width)"
    )
    assert min(heights) > 8


def test_no_text_of_a_figure_leaves_it_or_covers_another(browser: Browser, written: Write) -> None:
    browser.open(
        written(everything("a-rather-long-name-of-a-family", "exact:tolerance=0.001;symmetry=false"))
    )
    covered = browser.run("""
        const wrong = [];
        for (const svg of document.querySelectorAll('svg.chart')) {
          const room = svg.getBoundingClientRect();
          const texts = [...svg.querySelectorAll('text')].map(
            text => [text.textContent, text.getBoundingClientRect()]);
          for (const [words, box] of texts)
            if (box.left < room.left - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 1)
              wrong.push([svg.id, 'leaves', words]);
          for (let i = 0; i < texts.length; i++)
            for (let j = i + 1; j < texts.length; j++) {
              const a = texts[i][1], b = texts[j][1];
              const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
              const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
              if (x > 1 && y > 4) wrong.push([svg.id, texts[i][0], texts[j][0]]);
            }
        }
        return wrong
    """)
    assert covered == []


def test_without_scripts_all_figures_and_the_first_cells_are_there(browser: Browser, written: Write) -> None:
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.driver.get(written(everything()).as_uri())
        boxes = browser.run(
            "return [...document.querySelectorAll('svg.chart')].map(s => s.getBoundingClientRect().height)"
        )
        assert len(boxes) == 7
        assert min(boxes) > 100
        assert len(browser.column("instance")) == 25
        hidden = browser.run("return getComputedStyle(document.querySelector('.tools')).display")
        assert hidden == "none"
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)


def test_it_prints_in_light_without_buttons(browser: Browser, written: Write) -> None:
    browser.media(prefers_color_scheme="dark")
    browser.open(written(everything()))
    browser.media("print", prefers_color_scheme="dark")
    assert browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.run(
        "return [...document.querySelectorAll('nav, .needs-script')].every(e => !e.getClientRects().length)"
    )
    browser.media(prefers_color_scheme="light")
    printed = base64.b64decode(browser.command("Page.printToPDF")["data"])
    assert printed.startswith(b"%PDF")
    assert len(printed) > 20_000


def test_a_hundred_thousand_cells_stay_quick(browser: Browser, written: Write) -> None:
    browser.open(written(many(100_000)))
    paint = browser.run("return performance.getEntriesByName('first-contentful-paint')[0].startTime")
    browser.type("warm")
    times = [browser.type(words) for words in ("family7", "family7 exact", "3 it4", "killed", "no such", "")]
    sorts = [browser.sort(index) for index in (0, 3, 4)]
    print(f"first paint {paint:.0f} ms; filter {_shown(times)} ms; sort {_shown(sorts)} ms")
    # The promise is 2 s and 200 ms on two cores of one's own; other tests may run beside this one.
    assert paint < 4000
    assert sorted(times)[len(times) // 2] < 400
    assert max(sorts) < 2000
    assert browser.errors() == []


def _shown(times: list[float]) -> str:
    return ", ".join(f"{took:.0f}" for took in times)
