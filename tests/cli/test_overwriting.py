"""No output of any command may replace an input or another output, however the two are named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Planner, Ran
from tests.stubs import write_instance


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "tiny.json", "--plan", "tiny.json"),
        ("solve", "tiny.json", "--json", "-o", "tiny.json"),
        ("solve", "tiny.json", "-o", "./tiny.json"),
        ("solve", "tiny.json", "-o", "link.json"),
        ("solve", "link.json", "-o", "tiny.json"),
        ("solve", "tiny.json", "--plan", "hard.json"),
        ("solve", ".", "-o", "tiny.json"),
        ("solve", "t*.json", "-o", "tiny.json"),
        ("compare", "tiny.json", "--csv", "tiny.json"),
        ("compare", ".", "-o", "folder/../tiny.json"),
        ("frontier", "tiny.json", "--csv", "tiny.json"),
        ("frontier", "tiny.svg", "--svg", "tiny.svg"),
        ("frontier", "tiny.png", "--png", "tiny.png"),
        ("explain", "tiny.json", "-o", "tiny.json"),
        ("explain", "tiny.json", "plan.json", "-o", "plan.json"),
        ("check", "tiny.json", "plan.json", "-o", "plan.json"),
        ("validate", "plan.json", "-o", "plan.json"),
        ("validate", ".", "-o", "plan.json"),
        ("export", "tiny.json", "-o", "tiny.json"),
    ],
)
def test_an_input_is_never_an_output(planner: Planner, arguments: tuple[str, ...]) -> None:
    Path("folder").mkdir()
    for name in ("tiny.svg", "tiny.png"):
        write_instance(Path(name))
    Path("link.json").symlink_to("tiny.json")
    os.link("tiny.json", "hard.json")
    Path("plan.json").write_text("a plan")
    before = {path: path.read_bytes() for path in Path().glob("*.*")}
    ran = planner(*arguments)
    _refused(ran, "is read by this command")
    assert {path: path.read_bytes() for path in Path().glob("*.*")} == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "tiny.json", "-o", "new", "--plan", "new"),
        ("solve", "tiny.json", "-o", "new", "--plan", "./new"),
        ("compare", "tiny.json", "-o", "new", "--csv", "folder/../new"),
        ("frontier", "tiny.json", "--csv", "new.svg", "--svg", "new.svg"),
        ("frontier", "tiny.json", "-o", "new.png", "--png", "dangling.png"),
    ],
)
def test_two_outputs_are_two_files(planner: Planner, arguments: tuple[str, ...]) -> None:
    Path("folder").mkdir()
    Path("dangling.png").symlink_to("new.png")
    _refused(planner(*arguments), "writes, too")
    assert not list(Path().glob("new*"))


def test_files_that_are_not_read_may_be_replaced(planner: Planner) -> None:
    for _ in range(2):
        assert planner("solve", ".", "--json", "-o", "result.json").code == 0
        assert planner("solve", "tiny.json", "-o", "/dev/null", "--plan", "/dev/null").code == 0
        assert planner("schema", "cloud", "-o", "cloud").code == 0
        assert planner("solvers", "--no-test", "-o", "solvers.txt").code == 0


def _refused(ran: Ran, why: str) -> None:
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
