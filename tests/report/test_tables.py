"""Tables: alignment, wrapping, widths, and HTML."""

from __future__ import annotations

from fractions import Fraction

from planner.cloud.plan import CloudPlan, PlannedTasks, PlannedVM
from planner.goal import Goal
from planner.report.layout import Cells, Column, cells, glued, line, paragraph, plain, span, table
from planner.report.single import result_lines
from planner.report.tables import as_html, as_text, comparison_table
from planner.result import Result, Seconds, Status, StoppedBy


def _result(
    instance: str,
    solver: str,
    makespan: int | None = 3500,
    fleet: tuple[tuple[str, int], ...] = (("it3", 2), ("it4", 4)),
    message: str | None = None,
) -> Result:
    tasks = (PlannedTasks("A1", Fraction(1), 1),)
    plan = CloudPlan(instance, tuple(PlannedVM(name, tasks, count) for name, count in fleet))
    found = makespan is not None
    return Result(
        instance=instance,
        kind="cloud",
        solver=solver,
        goal=Goal.MAKESPAN,
        status=Status.FEASIBLE if found else Status.INFEASIBLE,
        stopped_by=StoppedBy.COMPLETED,
        seed=1,
        makespan=Fraction(makespan) if makespan is not None else None,
        cost=Fraction(60) if found else None,
        bound=Fraction(3000) if found else None,
        seconds=Seconds(0.25),
        message=message,
        plan=plan if found else None,
    )


def test_numbers_stand_to_the_right_and_the_last_column_wraps() -> None:
    columns = [Column("name"), Column("n", right=True), Column("what", wrap=True)]
    fleet = " + ".join(glued(part) for part in ("1 it1", "3 it3", "4 it4"))
    rows = [Cells((span("a"), span("5"), span(fleet))), Cells((span("bcdef"), span("12345"), span("x")))]
    assert plain(table(columns, rows, 30)).splitlines() == [
        "name       n  what",
        "a          5  1 it1 + 3 it3 +",
        "              4 it4",
        "bcdef  12345  x",
    ]


def test_a_number_wider_than_the_page_is_not_cut() -> None:
    long = "9" * 60
    text = plain(
        table([Column("n", right=True), Column("w", wrap=True)], [Cells((span(long), span("x")))], 40)
    )
    assert long in text


def test_lines_among_rows_stand_as_they_are() -> None:
    block = table([Column("a")], [line("a heading that is long"), Cells((span("1"),))], 80, header=False)
    assert plain(block) == "a heading that is long\n1\n"


def test_wide_characters_take_two_columns() -> None:
    assert [cells(text) for text in ("abc", "日本", "e\u0301")] == [3, 4, 1]
    rows = [Cells((span("日本"), span("1"))), Cells((span("abcd"), span("2")))]
    assert plain(table([Column("x"), Column("y")], rows, 80, header=False)) == "日本  1\nabcd  2\n"


def test_paragraph_keeps_its_indent() -> None:
    block = paragraph("one two three four five", 16, "    ", first="  - ")
    assert plain(block).splitlines() == ["  - one two three", "    four five"]


def test_several_solvers_are_grouped_by_instance() -> None:
    message = "the budget is too small"
    results = [
        _result("b60", "exact"),
        _result("b60", "mi", 3600),
        _result("b40", "exact", None, message=message),
        _result("b40", "mi", None, message=message),
    ]
    lines = as_text(comparison_table(results)).splitlines()
    assert lines[:9] == [
        "  solver  status      makespan  cost  bound      gap  seconds  VMs",
        "",
        "b60",
        "  exact   feasible        3500    60   3000  14.29 %    0.250  2 it3 + 4 it4",
        "  mi      feasible        3600    60   3000  16.67 %    0.250  2 it3 + 4 it4",
        "",
        "b40",
        "  exact   infeasible         -     -      -        -    0.250  -",
        "  mi      infeasible         -     -      -        -    0.250  -",
    ]
    assert lines[9] == "    the budget is too small"  # once, as all say so


def test_one_solver_has_one_row_an_instance() -> None:
    lines = as_text(comparison_table([_result("b60", "exact"), _result("b65", "exact", 3234)])).splitlines()
    assert lines[0] == "solver exact"
    assert [row.split()[0] for row in lines[2:4]] == ["b60", "b65"]


def test_eighty_columns_hold_the_papers_comparison() -> None:
    fleet = (("it1", 1), ("it3", 3), ("it4", 4))
    results = [_result("thai2015-b75", name, fleet=fleet) for name in ("exact", "heuristic", "mi", "mp")]
    assert max(map(len, as_text(comparison_table(results)).splitlines())) <= 80


def test_long_solver_options_get_a_line_of_their_own_where_space_is_short() -> None:
    results = [_result("b60", "a-solver-with-a-long-name"), _result("b60", "mi")]
    lines = as_text(comparison_table(results)).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[3] == "  a-solver-with-a-long-name"
    assert lines[4].split()[:2] == ["feasible", "3500"]
    wide = as_text(comparison_table(results, 120)).splitlines()
    assert wide[3].split()[:3] == ["a-solver-with-a-long-name", "feasible", "3500"]


def test_nothing_gives_an_empty_table() -> None:
    assert as_text(comparison_table([])) == ""
    assert as_html([]).startswith("<table>")


def test_html_escapes_what_files_say() -> None:
    html = as_html([_result("<script>", "exact", message="a & b", fleet=(("<b>", 1),))])
    assert "<script>" not in html
    assert "<b>" not in html
    assert "&lt;script&gt;" in html
    assert "a &amp; b" in html


def test_a_result_shows_itself_in_notebooks() -> None:
    assert "<td>b60</td>" in _result("b60", "exact")._repr_html_()


def test_result_lines() -> None:
    text = plain(result_lines(_result("b60", "exact"), 6))
    assert text == "b60     feasible       3500 s  cost    60  gap 14.29 %  2 it3 + 4 it4\n"
    text = plain(result_lines(_result("b40", "exact", None, message="too\nsmall")))
    assert text == "b40  infeasible  too small\n"


def test_result_lines_fit_the_page_and_their_columns_stand_below_each_other() -> None:
    fleet = (("it1", 1), ("it3", 3), ("it4", 4), ("m5.xlarge", 12))
    results = [
        _result("thai2015-b60", "exact", fleet=fleet),
        _result("b40", "exact", None, message="the budget is too small, " * 8),
        _result("a-name-that-is-longer-than-most-names-are", "exact", 123456, fleet=fleet),
    ]
    lines = [line for result in results for line in plain(result_lines(result, 41)).splitlines()]
    assert max(map(len, lines)) <= 80
    assert len({line.index(" s  cost") for line in lines if " s  cost" in line}) == 1
    assert all(line.endswith(("it1 +", "it3 +", "it4 +", "xlarge")) for line in lines if " it" in line)
