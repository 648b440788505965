"""What a study gives: from Python, as a frame, as a report, as tables."""

from __future__ import annotations

import csv
import json
import os
import time
from pathlib import Path

import pandas as pd
import pytest

import planner as api
from planner.studies.eta import Estimate
from planner.studies.frames import columns
from planner.studies.planning import planned, store_of
from planner.studies.reading import read_study
from planner.studies.spec import Choice, Study
from tests.cli.conftest import Planner
from tests.files.samples import STEP, SYSTEM
from tests.studies.conftest import write_study

ROOT = Path(__file__).parents[2]


@pytest.fixture
def mixed(folder: Path) -> Path:
    """A study of all kinds in a folder."""
    (folder / "step.json").write_text(json.dumps(STEP), encoding="utf-8")
    (folder / "system.json").write_text(json.dumps(SYSTEM), encoding="utf-8")
    return write_study(
        folder / "s.toml",
        name="All kinds: <b>1/2</b>",
        instances=["*.json"],
        solvers=["exact", "mi", "positional", "raises"],
        policies=["lls", "rs"],
        seeds=[1, 2],
        series=True,
        reference=True,
    )


def test_the_frame(mixed: Path) -> None:
    result = api.study(mixed, "x.sqlite")
    frame = result.frame
    assert list(frame.columns) == list(columns())
    assert len(frame) == len(result.records) == result.counts.total == 12
    by_solver = frame.set_index("solver")
    assert by_solver.loc["exact", "gap"].tolist() == [0.0, 0.0]
    assert by_solver.loc["mi", "bound"].tolist() == [50.0, 50.0], "what exact proves holds for all"
    assert by_solver.loc["lls", "regret_mean"].notna().all()
    assert by_solver.loc["positional", "jobs"].tolist() == [3.0, 3.0]
    assert by_solver.loc["raises", "status"].tolist() == ["failed", "failed"]
    assert by_solver.loc["raises", "error"].str.contains("a bug").all()
    assert frame["status"].value_counts().to_dict()["simulated"] == 4
    assert "<table" in result._repr_html_()
    assert "<b>" not in result._repr_html_()
    run = next(record.result for record in result.records if record.solver == "lls")
    assert run is not None
    assert len(run["alor"]["series"]) == SYSTEM["steps"]


def test_a_study_made_in_python(folder: Path) -> None:
    made = Study("made", (str(folder / "*.json"),), (Choice("mi"),), seeds=(1, 2))
    written = read_study(write_study(folder / "s.toml", seeds=[1, 2]))
    assert [cell.key for cell in planned(made).cells] == [cell.key for cell in planned(written).cells]
    done: list[str] = []
    result = api.study(made, on_done=lambda task, _: done.append(task.instance), workers=1)
    assert result.counts.done == 2
    assert done == ["tiny", "tiny"]
    assert (result.store, result.interrupted, result.failures) == (Path("made.sqlite"), False, ())
    assert api.study(made).counts == result.counts
    with pytest.raises(api.UsageError, match="the number of workers"):
        api.study(made, "y.sqlite", workers=0)
    with pytest.raises(api.UsageError, match="no shard 3 of 2"):
        api.study(made, shard=(3, 2))
    with pytest.raises(api.UsageError, match="the time limit"):
        api.study(made, time_limit=-1)


def test_a_script_without_a_guard(planner: Planner, folder: Path) -> None:
    """Worker processes do not run the script again that calls `planner.study` at its top level."""
    import subprocess
    import sys

    write_study(folder / "s.toml", seeds="1-4")
    (folder / "script.py").write_text(
        "import planner\nprint(planner.study('s.toml').counts.done)\n", encoding="utf-8"
    )
    ran = subprocess.run(
        [sys.executable, "script.py"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert ran.stdout == "4\n"
    assert planner("study", "status", "s.toml", "--json").out.startswith('{"total": 4, "done": 4')


def test_reports_and_exports(planner: Planner, mixed: Path) -> None:
    store = str(store_of(read_study(mixed).__class__("All kinds: <b>1/2</b>", ())))
    assert "/" not in store
    assert planner("study", "run", "s.toml").code == 1
    assert Path(store).exists()
    ran = planner("study", "report", "s.toml", "-o", "o.html", "--markdown", "o.md", "--csv", "o.csv")
    assert (ran.code, ran.out) == (0, "")
    page = Path("o.html").read_text(encoding="utf-8")
    assert "<b>1/2" not in page
    assert "planner study run s.toml" in page
    assert planner("study", "report", "s.toml").out == page
    assert "exact" in Path("o.md").read_text(encoding="utf-8")
    ran = planner("study", "export", "s.toml", "--csv", "e.csv", "--parquet", "e.parquet")
    assert (ran.code, ran.out) == (0, "")
    with Path("e.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["solver"] for row in rows] == pd.read_parquet("e.parquet")["solver"].tolist()
    assert list(rows[0]) == list(columns())


def test_nothing_has_run_yet(planner: Planner, folder: Path) -> None:
    write_study(folder / "s.toml")
    assert (
        planner("study", "status", "s.toml", "--json").out
        == '{"total": 1, "done": 0, "failed": 0, "pending": 1}\n'
    )
    ran = planner("study", "export", "s.toml", "--csv", "e.csv")
    assert ran.code == 2
    assert "nothing to export" in " ".join(ran.err.split())
    ran = planner("study", "report", "s.toml", "-o", "o.html")
    assert ran.code == 0
    assert "1 of 1 cells have not run" in ran.err
    assert not list(folder.glob("*.sqlite*"))


def test_parquet_without_the_extra(planner: Planner, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_study(folder / "s.toml")
    assert planner("study", "run", "s.toml").code == 0
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    ran = planner("study", "export", "s.toml", "--parquet", "e.parquet")
    assert ran.code == 2
    assert "pip install 'gridcloud-planner[parquet]'" in " ".join(ran.err.split())


@pytest.mark.parametrize("output", ["tiny.json", "s.toml", "s.sqlite"])
def test_nothing_of_a_study_is_overwritten(planner: Planner, folder: Path, output: str) -> None:
    write_study(folder / "s.toml")
    assert planner("study", "run", "s.toml").code == 0
    before = (folder / output).read_bytes()
    for arguments in (("report", "s.toml", "-o", output), ("export", "s.toml", "--csv", output)):
        ran = planner("study", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert "would be lost" in " ".join(ran.err.split())
    assert (folder / output).read_bytes() == before


def test_a_time_limit_on_the_command_line_means_other_cells(planner: Planner, folder: Path) -> None:
    write_study(folder / "s.toml", time_limit=50)
    assert planner("study", "run", "s.toml").code == 0
    limits = {
        limit: planner("study", "status", "s.toml", "--json", *limit).out
        for limit in ((), ("--time-limit", "9"))
    }
    assert '"done": 1' in limits[()]
    assert '"pending": 1' in limits["--time-limit", "9"]


def test_help_and_mistyped_commands(planner: Planner, folder: Path) -> None:
    for command in ((), ("run",), ("status",), ("report",), ("export",), ("merge",)):
        ran = planner("study", *command, "--help")
        assert (ran.code, ran.err) == (0, "")
    ran = planner("study", "rum")
    assert ran.code == 2
    assert "did you mean 'run'?" in " ".join(ran.err.split())
    assert planner("study").code == 2
    ran = planner("solve", str(write_study(folder / "s.toml")))
    assert ran.code == 3


def test_the_estimate_of_a_study_whose_long_cells_come_last(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two seeds; exact takes ten times as long as mi, and one instance four times as long as the other."""
    plan = planned(write_study(folder / "s.toml", solvers=["mi", "mp", "exact"], seeds="1-20"))
    tasks = [plan.task(cell) for cell in plan.cells]
    seconds = {"mi": 0.1, "mp": 0.2, "exact": 3.0}
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    estimate = Estimate(tasks)
    total = sum(seconds[task.solver] for task in tasks)
    for index, task in enumerate(tasks):
        now[0] += seconds[task.solver]
        estimate.done(task, seconds[task.solver])
        left = estimate.remaining()
        if len(tasks) / 2 <= index + 1 < len(tasks):
            assert left is not None
            assert abs(left - (total - now[0])) <= 0.2 * (total - now[0])


@pytest.mark.parametrize(("name", "cells"), [("thai2015", 80), ("six-figures", 300)])
def test_shipped_studies(name: str, cells: int) -> None:
    study = read_study(ROOT / "instances" / "studies" / f"{name}.toml")
    assert study.name == name
    assert len(planned(study).cells) == cells


@pytest.mark.slow
def test_a_cut_of_the_studies_shipped(folder: Path) -> None:
    cloud = read_study(ROOT / "instances" / "studies" / "thai2015.toml")
    cut = Study(cloud.name, ("cloud/thai2015-160/b40.json",), cloud.solvers, folder=ROOT / "instances")
    result = api.study(cut)
    assert result.counts.done == 4
    assert result.frame.set_index("solver")["status"].to_dict()["exact"] == "optimal"
    grid = read_study(ROOT / "instances" / "studies" / "six-figures.toml")
    small = {**json.loads((ROOT / "instances/grid/small-60.json").read_text(encoding="utf-8")), "steps": 40}
    (folder / "small.json").write_text(json.dumps(small), encoding="utf-8")
    cut = Study(
        grid.name, ("small.json",), policies=grid.policies, seeds=(1, 2), series=grid.series, folder=folder
    )
    assert api.study(cut).counts.done == 10


def test_validate_takes_studies(planner: Planner, folder: Path) -> None:
    write_study(folder / "s.toml", seeds=[1, 2])
    ran = planner("validate", "s.toml")
    assert (ran.code, " ".join(ran.out.split())) == (0, "ok s.toml study s: 1 instance, 2 cells")
    write_study(folder / "s.toml", solvers=["exat"], seed=1)
    ran = planner("validate", "s.toml")
    assert ran.code == 3
    told = " ".join(ran.out.split())
    assert "solvers[0]: unknown solver 'exat' (did you mean 'exact'?)" in told
    assert 'seed: unknown key; did you mean "seeds"?' in told
    (folder / "tiny.json").write_text("{}", encoding="utf-8")
    write_study(folder / "s.toml")
    assert "tiny.json" in planner("validate", "s.toml").out


@pytest.mark.slow
def test_a_policy_that_does_not_take_the_system_is_an_answer(planner: Planner, folder: Path) -> None:
    large = {
        "format": "planner/grid/1",
        "name": "large",
        "schedulers": 100_000,
        "steps": 2,
        "resources": {"count": 1000, "capacity": {"constant": 1}},
        "jobs": {"load": 0.1, "length": {"constant": 10}, "arrivals": "poisson"},
    }
    (folder / "large.json").write_text(json.dumps(large), encoding="utf-8")
    write_study(folder / "s.toml", instances="large.json", solvers=None, policies=["osl", "rs"])
    ran = planner("study", "run", "s.toml", "--json")
    assert (ran.code, ran.out) == (0, '{"total": 2, "done": 2, "failed": 0, "pending": 0}\n'), ran.err
    statuses = {record.solver: record.status for record in api.study("s.toml").records}
    assert statuses == {"osl": "unsupported", "rs": "simulated"}
    assert planner("study", "report", "s.toml", "-o", "o.html").code == 0
