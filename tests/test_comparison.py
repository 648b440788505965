"""`planner.compare`: cells, errors, interrupts, frame and summary."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import planner
from planner.cloud.instance import CloudInstance
from planner.comparison import Comparison, compare, solver_names
from planner.errors import BackendMissing, CheckFailed, InputError, UsageError
from planner.goal import Goal
from planner.report.rows import COLUMNS, as_csv
from planner.result import Status
from planner.run import SolverCrashed
from planner.summary import groups
from solvers import catalog
from tests import stubs


@pytest.fixture(autouse=True)
def _stub_solvers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(catalog, "_ENTRIES", catalog._ENTRIES)
    monkeypatch.setattr(catalog, "_BOUNDS", catalog._BOUNDS)
    stubs.install()
    yield
    catalog.entries.cache_clear()


@pytest.fixture
def tiny(tmp_path: Path) -> CloudInstance:
    return planner.read(stubs.write_instance(tmp_path / "tiny.json"))


def test_every_solver_on_every_instance_with_the_best_bound(tiny: CloudInstance) -> None:
    seen: list[tuple[str, object]] = []
    comparison = compare(
        [tiny, tiny], ["exact", "feasible"], on_result=lambda r: seen.append((r.solver, r.bound))
    )
    assert [(r.solver, r.bound) for r in comparison.results] == [("exact", 50), ("feasible", 50)] * 2
    assert seen[:2] == [("exact", 50), ("feasible", 40)]  # as they came, before bounds were shared
    assert len(groups(comparison.results)) == 2  # although both instances have one name


def test_paths_folders_and_single_values(tmp_path: Path, tiny: CloudInstance) -> None:
    assert len(compare(tmp_path, "exact,feasible").results) == 2
    assert len(compare(str(tmp_path / "tiny.json"), ["exact"]).results) == 1
    assert len(compare([tmp_path, tmp_path / "tiny.json", tiny], ["exact"]).results) == 2


def test_goal(tiny: CloudInstance) -> None:
    (result,) = compare(tiny, "exact", goal="cost").results
    assert (result.goal, result.objective) == (Goal.COST, 2)
    with pytest.raises(UsageError, match="speed"):
        compare(tiny, "exact", goal="speed")


def test_a_failed_cell_does_not_end_the_comparison(tiny: CloudInstance) -> None:
    comparison = compare(tiny, ["crashing", "lying", "unsupporting", "infeasible", "exact"])
    statuses = [result.status.value for result in comparison.results]
    assert statuses == ["failed", "failed", "unsupported", "failed", "optimal"]
    assert [type(error) for error in comparison.errors] == [SolverCrashed, CheckFailed, CheckFailed]


def test_an_interrupt_returns_what_there_is(tiny: CloudInstance) -> None:
    comparison = compare([tiny, tiny], ["exact", "interrupting", "feasible"])
    assert [result.solver for result in comparison.results] == ["exact"]
    assert comparison.unfinished[:2] == (("tiny", "interrupting"), ("tiny", "feasible"))
    assert len(comparison.unfinished) == 5


def test_nothing_runs_where_something_is_wrong(tmp_path: Path, tiny: CloudInstance) -> None:
    started: list[str] = []
    for solvers in ("exact,exakt", "", "exact,"):
        with pytest.raises(UsageError):
            compare(tiny, solvers, on_start=lambda _, name: started.append(name))
    with pytest.raises(BackendMissing, match="pip install no_such_package"):
        compare(tiny, "exact,absent", on_start=lambda _, name: started.append(name))
    stubs.write_instance(tmp_path / "bad.json", budget=-1)
    stubs.write_instance(tmp_path / "worse.json", applications=[])
    with pytest.raises(InputError) as caught:
        compare(tmp_path, "exact", on_start=lambda _, name: started.append(name))
    assert {fault.path.split(":")[0].rpartition("/")[2] for fault in caught.value.faults} == {
        "bad.json",
        "worse.json",
    }
    with pytest.raises(UsageError, match="no instance"):
        compare([], "exact")
    assert started == []


def test_summary(tiny: CloudInstance) -> None:
    exact, feasible, unknown = compare([tiny, tiny], "exact,feasible,unknown").summary()
    assert (exact.cells, exact.optimal, exact.share_optimal, exact.mean_gap) == (2, 2, 1, 0)
    assert (feasible.solved, feasible.mean_gap, feasible.worst_gap) == (2, Fraction(3, 8), Fraction(3, 8))
    assert (feasible.mean_excess, feasible.share_optimal) == (Fraction(3, 5), 0)
    assert (unknown.unknown, unknown.mean_gap, unknown.mean_excess) == (2, None, None)
    assert exact.seconds > 0


def test_infeasible_instances_do_not_count_against_a_solver(tiny: CloudInstance) -> None:
    infeasible, unknown = compare(tiny, "infeasible,unknown").summary()
    assert (infeasible.infeasible, infeasible.share_optimal) == (1, None)
    assert (unknown.infeasible, unknown.unknown) == (1, 0)


def test_frame_has_the_documented_columns(tiny: CloudInstance) -> None:
    frame = compare(tiny, "exact,feasible:rounds=5,unknown").frame
    assert list(frame.columns) == list(COLUMNS)
    assert frame["solver"].tolist() == ["exact", "feasible:rounds=5", "unknown"]
    assert frame["excess"].tolist()[:2] == [0, 0.6]
    assert frame["fleet"][0] == "2 it2"
    assert frame["makespan"].isna().tolist() == [False, False, True]
    assert list(Comparison(()).frame.columns) == list(COLUMNS)


def test_csv_lines(tiny: CloudInstance) -> None:
    header, exact, unknown, end = as_csv(compare(tiny, "exact,unknown").results).split("\n")
    assert header == ",".join(COLUMNS)
    assert exact.startswith("tiny,")
    assert ",true," in exact
    assert unknown.endswith(",found nothing")
    assert end == ""


def test_as_text_and_html(tiny: CloudInstance) -> None:
    comparison = compare(tiny, "exact,feasible")
    assert "summary" in str(comparison)
    assert comparison._repr_html_().count("<tr>") == 3


def test_solver_names() -> None:
    assert solver_names(["a,b:x=1;y=2", "c", "a"]) == ["a", "b:x=1;y=2", "c"]


def test_a_failed_cell_is_timed_and_named(tiny: CloudInstance) -> None:
    (result,) = compare(tiny, "crashing").results
    assert (result.status, result.solver) == (Status.FAILED, "crashing")
    assert result.seconds.total > 0
