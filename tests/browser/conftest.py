"""A real headless Chromium. Where there is none these tests fail: .ci/run installs it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from planner.report.html import as_html
from planner.report.records import Reported

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


class Browser:
    """One browser, and what a person does with it."""

    def __init__(self, driver: webdriver.Chrome, downloads: Path) -> None:
        self.driver, self.downloads = driver, downloads

    def open(self, page: Path) -> None:
        """Open the file and wait until its table works."""
        self.driver.get(page.as_uri())
        self.wait("document.documentElement.dataset.ready === 'true'")

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str, seconds: float = 20) -> None:
        ends = time.monotonic() + seconds
        while not self.run(f"return {condition}"):
            assert time.monotonic() < ends, condition
            time.sleep(0.05)

    def screen(self, width: int, height: int = 800) -> None:
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def media(self, name: str = "", **features: str) -> None:
        """Print or screen, and what the system prefers."""
        pairs = [{"name": key.replace("_", "-"), "value": value} for key, value in features.items()]
        self.command("Emulation.setEmulatedMedia", media=name, features=pairs)

    def command(self, name: str, **arguments: object) -> Any:
        return self.driver.execute_cdp_cmd(name, arguments)

    def column(self, name: str) -> list[str]:
        """What the table shows in that column."""
        found: list[str] = self.run(
            "const table = document.getElementById('table');"
            "const at = [...table.tHead.rows[0].cells].findIndex(cell => cell.textContent === arguments[0]);"
            "return [...table.tBodies[0].rows].map(row => row.cells[at].textContent)",
            name,
        )
        return found

    def type(self, words: str) -> float:
        """Put words into the filter; the milliseconds until the table shows them."""
        took: float = self.run(
            "const field = document.getElementById('find'); field.value = arguments[0];"
            "const start = performance.now();"
            "field.dispatchEvent(new Event('input', {bubbles: true}));"
            "document.getElementById('table').getBoundingClientRect();"  # the layout counts, too
            "return performance.now() - start",
            words,
        )
        return took

    def sort(self, column: int) -> float:
        """Sort by that column; the milliseconds it takes."""
        took: float = self.run(
            "const start = performance.now();"
            "document.querySelectorAll('#table th button')[arguments[0]].click();"
            "document.getElementById('table').getBoundingClientRect();"
            "return performance.now() - start",
            column,
        )
        return took

    def click(self, selector: str) -> None:
        """As a person does: a second file saved without a real click is refused."""
        element = self.driver.find_element(By.CSS_SELECTOR, selector)
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def downloaded(self, name: str) -> str:
        """The content of a file that the page saves."""
        path = self.downloads / name
        ends = time.monotonic() + 20
        while not path.exists() or path.stat().st_size == 0:
            assert time.monotonic() < ends, f"{name} is not there"
            time.sleep(0.05)
        return path.read_text(encoding="utf-8")

    def errors(self) -> list[str]:
        """What the console says is wrong."""
        return [entry["message"] for entry in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]

    def requests(self) -> list[str]:
        """The addresses of everything asked for."""
        found = []
        for entry in self.driver.get_log("performance"):  # type: ignore[no-untyped-call]
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[webdriver.Chrome, Path]]:
    """One browser for the tests of a module, with a profile of its own."""
    folder = tmp_path_factory.mktemp("browser")
    downloads = folder / "downloads"
    downloads.mkdir()
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*_FLAGS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
    try:
        yield driver, downloads
    finally:
        driver.quit()


@pytest.fixture
def browser(session: tuple[webdriver.Chrome, Path]) -> Iterator[Browser]:
    """The browser as a desktop in light mode, nothing saved or logged yet."""
    driver, downloads = session
    found = Browser(driver, downloads)
    for file in downloads.iterdir():
        file.unlink()
    found.screen(1280)
    found.media(prefers_color_scheme="light")
    found.errors()
    found.requests()
    yield found
    found.run("try { localStorage.clear() } catch {}")


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Reported], Path]:
    """Write a report as HTML to the disk."""

    def write(reported: Reported) -> Path:
        path = tmp_path / "report.html"
        path.write_text(as_html(reported), encoding="utf-8")
        return path

    return write
