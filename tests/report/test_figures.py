"""Figures: the same bytes for the same data, names that cannot act, every case drawn."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree

import matplotlib as mpl
import pytest

from planner.cloud.instance import CloudInstance
from planner.cloud.plan import CloudPlan
from planner.goal import Goal
from planner.notes import Notes
from planner.report.figures import frontier_figure, frontier_png, frontier_svg
from planner.result import Result, Status, StoppedBy
from planner.tradeoff import Frontier, Gap, Point
from tests.instances import bag, cloud, kind

INSTANCE = cloud([bag("A", (1, 1))], [kind("t", 1, 1)])


def point(budget: int, makespan: int | None, bound: int | None = None, solver: str = "exact") -> Point:
    status = Status.OPTIMAL if bound is None else Status.FEASIBLE
    return Point(
        Fraction(budget),
        Result(
            instance="made",
            kind="cloud",
            solver=solver,
            goal=Goal.MAKESPAN,
            status=Status.INFEASIBLE if makespan is None else status,
            stopped_by=StoppedBy.COMPLETED,
            seed=1,
            makespan=None if makespan is None else Fraction(makespan),
            cost=None if makespan is None else Fraction(budget),
            bound=None if makespan is None else Fraction(makespan if bound is None else bound),
            plan=None if makespan is None else CloudPlan("made", ()),
        ),
    )


def frontier(*points: Point, instance: CloudInstance = INSTANCE, **more: object) -> Frontier:
    return Frontier(instance, "exact", points, **more)  # type: ignore[arg-type]


USUAL = frontier(
    point(30, None),
    point(40, 3360),
    point(45, 2990),
    point(60, 2240, 2200),
    overlays={"mi": (point(45, 3278, 2990, "mi"), point(60, 2480, 2200, "mi"))},
    gaps=(Gap(Fraction(45), Fraction(60), Fraction(2200), Fraction(2990)),),
    least_budget=Fraction(40),
)


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_same_bytes_whatever_the_settings() -> None:
    first = frontier_svg(USUAL), frontier_png(USUAL)
    with mpl.rc_context({"svg.hashsalt": "other", "font.size": 20, "lines.linewidth": 9, "axes.grid": True}):
        second = frontier_svg(USUAL), frontier_png(USUAL)
        assert mpl.rcParams["font.size"] == 20  # and the person's settings are as they were
    assert first == second
    assert "<dc:date>" not in first[0]
    assert first[1].startswith(b"\x89PNG")


def test_the_same_bytes_in_another_process() -> None:
    code = "from tests.report.test_figures import *; import sys; sys.stdout.write(frontier_svg(USUAL))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8")
    assert ran.stdout == frontier_svg(USUAL)


def test_it_says_what_is_seen() -> None:
    words = texts(frontier_svg(USUAL))
    assert "made: least makespan for each budget" in words
    assert "3 points, 2 of them proven optimal; steps between them may be missing" in words
    assert {"budget (money)", "makespan (s)", "no plan below 40", "exact", "mi"} <= set(words)
    assert {"proven optimum", "plan, bar down to the proven bound", "may hold further steps"} <= set(words)


def test_the_makespan_stays_until_the_next_breakpoint() -> None:
    (axes,) = frontier_figure(USUAL).axes
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert lines["exact"].get_drawstyle() == "steps-post"
    assert list(lines["exact"].get_xdata()) == [40, 45, 60]
    assert list(lines["exact"].get_ydata()) == [3360, 2990, 2240]
    assert lines["mi"].get_drawstyle() == "steps-post"  # a slope would promise what no plan keeps
    assert lines["mi"].get_marker() != lines["proven optimum"].get_marker()
    assert lines["proven optimum"].get_markerfacecolor() != "white"
    assert lines["plan, bar down to the proven bound"].get_markerfacecolor() == "white"


def test_markers_are_smaller_where_they_are_many() -> None:
    def size(count: int) -> float:
        (axes,) = frontier_figure(frontier(*(point(10 + i, 900 - i) for i in range(count)))).axes
        return next(float(line.get_markersize()) for line in axes.get_lines() if line.get_marker() == "o")

    assert size(15) > size(16)


def test_hours_where_it_is_long_and_the_instance_currency() -> None:
    instance = replace(INSTANCE, notes=Notes(currency="US$"))
    words = texts(frontier_svg(frontier(point(1, 36000), point(2, 18000), instance=instance)))
    assert {"makespan (h:mm)", "budget (US$)", "10:00", "0:00"} <= set(words)


def test_logarithmic_where_it_spans_much() -> None:
    (axes,) = frontier_figure(frontier(point(40, 3360), point(2880, 50))).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("budget (money, log scale)", "makespan (s, log scale)")
    (axes,) = frontier_figure(frontier(point(0, 3360), point(2880, 50))).axes
    assert axes.get_xscale() == "linear"


@pytest.mark.parametrize(
    "name", ["$x_1$", "3 $ or 4 $", "_private", "a<b>&\"'", "名前", "\u202eevil\ufffe", "\\frac"]
)
def test_names_are_text_and_nothing_else(name: str) -> None:
    other = {name: (point(3, 9, 5, "other"),)}
    instance = replace(INSTANCE, name=name, notes=Notes(currency=name))
    found = Frontier(instance, name, (point(2, 10), point(3, 8)), other)
    words = " ".join(texts(frontier_svg(found)))
    shown = name.replace("\u202e", r"\u202e").replace("\ufffe", "\ufffd")
    assert words.count(shown) == 4  # title, axis, and twice in the legend
    assert frontier_png(found)


@pytest.mark.parametrize(
    "found",
    [
        frontier(),
        frontier(point(0, 0)),
        frontier(point(5, 100)),
        frontier(point(5, None)),
        frontier(point(5, None), point(6, None), least_budget=Fraction(9)),
        frontier(point(10**15, 10**15), point(10**15 + 1, 10**14)),
        frontier(point(5, None), point(6, 10**9), gaps=(Gap(Fraction(5), Fraction(6), Fraction(1), None),)),
        frontier(point(1, None), point(10, 9000), point(3000, 9)),
    ],
)
def test_every_case_is_drawn(found: Frontier) -> None:
    assert ElementTree.parse(io.StringIO(frontier_svg(found)))
    assert frontier_png(found).startswith(b"\x89PNG")


def test_matplotlib_is_imported_only_to_draw() -> None:
    code = "import sys, planner.cli.frontier, planner.report.figures; print('matplotlib' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ran.stdout == "False\n"
