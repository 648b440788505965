"""Which files a person means by a folder, a file, a pattern."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner import files
from planner.errors import InputError


def make(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}")


def names(folder: Path, paths: list[Path]) -> list[str]:
    return [str(path.relative_to(folder)) for path in paths]


def test_a_folder_gives_its_instances_in_the_order_people_count(tmp_path: Path) -> None:
    make(
        tmp_path,
        "b100.json",
        "b45.json",
        "b40.json",
        "sub/b5.json",
        "note.txt",
        ".hidden.json",
        ".git/x.json",
    )
    assert names(tmp_path, files.find_instances([tmp_path])) == [
        "b40.json",
        "b45.json",
        "b100.json",
        "sub/b5.json",
    ]


def test_each_file_once_in_the_order_given(tmp_path: Path) -> None:
    make(tmp_path, "a.json", "b.json")
    found = files.find_instances([tmp_path / "b.json", tmp_path, f"{tmp_path}/./b.json"])
    assert names(tmp_path, found) == ["b.json", "a.json"]


def test_any_file_may_be_named_and_a_dash_is_standard_input(tmp_path: Path) -> None:
    make(tmp_path, "odd.txt")
    assert files.find_instances(["-", tmp_path / "odd.txt"]) == [Path("-"), tmp_path / "odd.txt"]


def test_a_pattern_is_expanded(tmp_path: Path) -> None:
    make(tmp_path, "b100.json", "b45.json", "c.json", "[x].json")
    assert names(tmp_path, files.find_instances([f"{tmp_path}/b*.json"])) == ["b45.json", "b100.json"]
    assert names(tmp_path, files.find_instances([f"{tmp_path}/[x].json"])) == ["[x].json"]


def test_everything_that_is_missing_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError) as caught:
        files.find_instances([tmp_path / "no.json", tmp_path / "empty", f"{tmp_path}/*.json"])
    assert str(caught.value).splitlines() == [
        f"{tmp_path}/no.json: there is no such file or folder",
        f"{tmp_path}/empty: the folder holds no instances (*.json)",
        f"{tmp_path}/*.json: there is no such file or folder",
    ]
    assert caught.value.exit_code == 3


def test_a_path_that_cannot_be() -> None:
    with pytest.raises(InputError):
        files.find_instances(["a\x00b"])


def test_in_folders_plans_and_results_are_skipped_and_told(tmp_path: Path) -> None:
    contents = {
        "a.json": '{"format": "planner/cloud/1"}',
        "later.json": '{"format": "planner/cloud/2"}',
        "step.json": '{"format": "planner/grid-step/1"}',
        "system.json": '{"format": "planner/grid/1"}',
        "turns.json": '{"format": "planner/grid-plan/1"}',
        "meant.json": '{"format": "planner/clowd/1", "applications": []}',
        "noted.json": '{"format": "planner/cloud/1", "notes": {"format": "planner/result/1"}}',
        "broken.json": '{"format": "planner/result/1", ',
        "out.json": '{"format": "planner/result/1"}',
        "plan.json": '{"vms": [], "format" : "planner/cloud-plan/1"}',
        "table.json": '{"format": "planner/comparison/1", "results": [{"format": "planner/result/1"}]}',
        "check.json": '{"format": "planner/check/1"}',
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
    told: list[tuple[str, str]] = []
    found = files.find_instances([tmp_path], lambda path, form: told.append((path.name, form)))
    assert names(tmp_path, found) == [
        "a.json",
        "broken.json",
        "later.json",
        "meant.json",
        "noted.json",
        "step.json",
    ]
    assert told == [
        ("check.json", "planner/check/1"),
        ("out.json", "planner/result/1"),
        ("plan.json", "planner/cloud-plan/1"),
        ("system.json", "planner/grid/1"),
        ("table.json", "planner/comparison/1"),
        ("turns.json", "planner/grid-plan/1"),
    ]
    assert files.find_instances([tmp_path / "out.json"]) == [tmp_path / "out.json"]
    assert len(files.find_files([tmp_path])) == len(contents)
    (tmp_path / "only").mkdir()
    (tmp_path / "only" / "out.json").write_text(contents["out.json"])
    with pytest.raises(InputError, match="holds no instances"):
        files.find_instances([tmp_path / "only"])


def test_systems_are_found_among_instances(tmp_path: Path) -> None:
    contents = {
        "a.json": '{"format": "planner/cloud/1"}',
        "g10.json": '{"format": "planner/grid/1"}',
        "g9.json": '{"format": "planner/grid/2"}',
        "meant.json": '{"format": "planner/grit/1", "resources": {}, "jobs": {}, "steps": 3}',
        "step.json": '{"format": "planner/grid-step/1"}',
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
    told: list[str] = []
    found = files.find_systems([tmp_path], lambda path, _: told.append(path.name))
    assert names(tmp_path, found) == ["g9.json", "g10.json", "meant.json"]
    assert told == ["a.json", "step.json"]
    for name in found:
        name.unlink()
    with pytest.raises(InputError, match="the folder holds no systems"):
        files.find_systems([tmp_path])
