"""Which cells a study makes, and when two are the same."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from planner.run import _version
from planner.studies.cells import Plan, shard_of
from planner.studies.planning import planned
from tests.files.samples import STEP, SYSTEM
from tests.stubs import write_instance
from tests.studies.conftest import write_study


def keys(plan: Plan) -> set[str]:
    return {cell.key for cell in plan.cells}


@pytest.fixture
def mixed(folder: Path) -> Path:
    """A folder that has an instance of every kind."""
    (folder / "step.json").write_text(json.dumps(STEP), encoding="utf-8")
    (folder / "system.json").write_text(json.dumps(SYSTEM), encoding="utf-8")
    return folder


def test_all_kinds_in_one_study(mixed: Path) -> None:
    study = write_study(
        mixed / "s.toml", instances=["*.json"], solvers=["mi", "positional"], policies=["lls"], seeds=[1, 2]
    )
    found = Counter((cell.problem.kind, cell.choice.label, cell.goal) for cell in planned(study).cells)
    assert found == {
        ("cloud", "mi", "makespan"): 2,
        ("grid-step", "positional", "flow"): 2,
        ("grid", "lls", None): 2,
    }


def test_goals_are_crossed_with_the_kinds_that_have_them(mixed: Path) -> None:
    study = write_study(
        mixed / "s.toml",
        instances=["*.json"],
        solvers=["mi", "positional"],
        objective=["makespan", "cost", "load"],
    )
    plan = planned(study)
    found = {(cell.choice.label, cell.goal) for cell in plan.cells}
    assert found == {("mi", "makespan"), ("mi", "cost"), ("positional", "makespan"), ("positional", "load")}
    assert any("nothing in this study runs on" in note for note in plan.notes)


def test_seeds_left_out(mixed: Path) -> None:
    (mixed / "system.json").write_text(json.dumps({**SYSTEM, "seed": 17}), encoding="utf-8")
    study = write_study(mixed / "s.toml", instances=["*.json"], solvers=["mi"], policies=["lls"])
    assert {(cell.choice.label, cell.seed) for cell in planned(study).cells} == {("mi", 1), ("lls", 17)}


def test_all_of_a_repetition_share_its_seed(folder: Path) -> None:
    study = write_study(folder / "s.toml", solvers=["mi", "mp"], seeds=[1, 2], repetitions=3)
    seeds = Counter(cell.seed for cell in planned(study).cells)
    assert set(seeds.values()) == {2}
    assert len(seeds) == 6
    fewer = planned(write_study(folder / "t.toml", solvers=["mi", "mp"], seeds=[1, 2], repetitions=2))
    assert keys(fewer) < keys(planned(study))


def test_order_places_and_names_of_files_change_nothing(folder: Path) -> None:
    write_instance(folder / "other.json", "other")
    first = planned(
        write_study(folder / "s.toml", instances=["tiny.json", "other.json"], solvers=["mi", "mp"])
    )
    elsewhere = folder / "deep" / "down"
    elsewhere.mkdir(parents=True)
    shutil.move(folder / "tiny.json", elsewhere / "x.json")
    shutil.move(folder / "other.json", elsewhere / "a.json")
    second = planned(
        write_study(
            elsewhere / "t.toml", name="t", instances=["*.json"], solvers=["mp", {"name": "mi"}], workers=1
        )
    )
    assert keys(first) == keys(second)


@pytest.mark.parametrize(
    "change",
    [
        {"seeds": 2},
        {"time_limit": 5},
        {"memory_limit": 500},
        {"threads": 2},
        {"objective": "cost"},
        {"solvers": ["exact:rounds=5"]},
        {"solvers": ["mi"]},
    ],
)
def test_what_changes_a_result_changes_the_cell(folder: Path, change: dict[str, object]) -> None:
    base = planned(write_study(folder / "s.toml", solvers=["exact"]))
    assert keys(base).isdisjoint(
        keys(planned(write_study(folder / "s.toml", **{"solvers": ["exact"], **change})))
    )


def test_so_do_the_bytes_of_the_instance_and_the_versions(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = write_study(folder / "s.toml", solvers=["exact"])
    base = keys(planned(study))
    monkeypatch.setattr("planner.run._version", lambda name: "99" if name == "ortools" else _version(name))
    assert keys(planned(study)).isdisjoint(base)
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert keys(planned(study)) == base
    with (folder / "tiny.json").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert keys(planned(study)).isdisjoint(base)


def test_so_does_the_file_of_the_jobs(folder: Path) -> None:
    (folder / "system.json").write_text(
        json.dumps({**SYSTEM, "jobs": {"file": "jobs.csv"}}), encoding="utf-8"
    )
    study = write_study(folder / "s.toml", instances="system.json", solvers=None, policies=["lls"])
    found = []
    for length in (5, 6):
        (folder / "jobs.csv").write_text(f"step,scheduler,length\n0,0,{length}\n", encoding="utf-8")
        found.append(keys(planned(study)))
    assert found[0].isdisjoint(found[1])


def test_two_ways_to_write_an_option_are_one_cell(folder: Path) -> None:
    written = ["clds:alpha=1", {"name": "clds", "alpha": [1, 1.0]}]
    (folder / "system.json").write_text(json.dumps(SYSTEM), encoding="utf-8")
    study = write_study(folder / "s.toml", instances="system.json", solvers=None, policies=written)
    assert len(planned(study).cells) == 1


def test_the_same_content_twice_is_one_cell_and_is_told(folder: Path) -> None:
    shutil.copy(folder / "tiny.json", folder / "copy.json")
    plan = planned(write_study(folder / "s.toml", instances=["tiny.json", "copy.json"]))
    assert len(plan.cells) == 1
    assert plan.cells[0].problem.path.name == "tiny.json"
    assert plan.notes == (
        f"{folder / 'copy.json'} has the content of {folder / 'tiny.json'}: its cells are run and shown once",
    )


def test_shards_part_the_cells(folder: Path) -> None:
    cells = planned(write_study(folder / "s.toml", seeds="1-200")).cells
    shards = [shard_of(cells, index, 3) for index in (1, 2, 3)]
    assert sum(map(len, shards)) == 200
    assert set().union(*({cell.key for cell in shard} for shard in shards)) == {cell.key for cell in cells}
    assert min(map(len, shards)) > 40
