"""The store: claims that end with their process, merging, and everything that can be wrong with its file."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from planner.errors import InputError, UsageError
from planner.studies.claims import Claimer, is_alive
from planner.studies.planning import planned
from planner.studies.running import counts, missing
from planner.studies.store import Store, StoreFullError
from planner.studies.task import Outcome, State, Task, failed
from tests.cli.conftest import Planner
from tests.studies.conftest import write_study


@pytest.fixture
def tasks(folder: Path) -> list[Task]:
    plan = planned(write_study(folder / "s.toml", seeds="1-6"))
    return [plan.task(cell) for cell in plan.cells]


def done(task: Task) -> Outcome:
    return Outcome(task.key, State.DONE, "feasible", 0.1, "{}")


def test_what_is_put_is_there(folder: Path, tasks: list[Task]) -> None:
    place = folder / "x.sqlite"
    with Store(place, write=True) as store, Claimer(place) as claimer:
        assert store.claim(tasks, claimer, {}).taken == tuple(tasks)
        store.put(tasks[0], done(tasks[0]))
        store.put(tasks[1], failed(tasks[1], "no", "trace", 0.5, 6))
        found = counts(store, [task.key for task in tasks])
        assert (found.total, found.done, found.failed, found.pending) == (6, 1, 1, 4)
        by_key = {outcome.key: outcome for outcome in store.outcomes(task.key for task in tasks)}
        assert by_key[tasks[1].key] == failed(tasks[1], "no", "trace", 0.5, 6)
        assert [len(missing(store, tasks, again).tasks) for again in (False, True)] == [4, 5]


def test_a_cell_is_one_claimers_until_it_ends(folder: Path, tasks: list[Task]) -> None:
    place = folder / "x.sqlite"
    with Store(place, write=True) as one, Store(place, write=True) as two, Claimer(place) as second:
        with Claimer(place) as first:
            assert one.claim(tasks[:4], first, {}).taken == tuple(tasks[:4])
            one.put(tasks[0], done(tasks[0]))
            claimed = two.claim(tasks, second, {})
            assert claimed.settled == (tasks[0],)
            assert claimed.busy == tuple(tasks[1:4])
            assert claimed.taken == tuple(tasks[4:])
            assert is_alive(place, first.name)
        assert not is_alive(place, first.name)
        assert two.claim(tasks[1:4], second, {}).taken == tuple(tasks[1:4])
    assert not list(folder.glob("*claimer*"))


def test_a_failure_is_run_again_by_one_of_two(folder: Path, tasks: list[Task]) -> None:
    place = folder / "x.sqlite"
    with Store(place, write=True) as store, Claimer(place) as first, Claimer(place) as second:
        store.claim(tasks[:1], first, {})
        store.put(tasks[0], failed(tasks[0], "no"))
        seen = missing(store, tasks[:1], True)
        assert store.claim(seen.tasks, first, seen.again).taken == (tasks[0],)
        assert store.claim(seen.tasks, second, seen.again).busy == (tasks[0],)
        store.put(tasks[0], failed(tasks[0], "no again"))
        assert store.claim(seen.tasks, second, seen.again).settled == (tasks[0],)
        assert store.known([tasks[0].key])[tasks[0].key].attempts == 2


def test_a_result_stands_when_a_failure_comes_from_another_store(folder: Path, tasks: list[Task]) -> None:
    for name, outcomes in {
        "a": [done(tasks[0]), failed(tasks[1], "no")],
        "b": [failed(tasks[0], "no"), replace(done(tasks[1]), status="optimal"), done(tasks[2])],
    }.items():
        with Store(folder / name, write=True) as store:
            for task, outcome in zip(tasks, outcomes, strict=False):
                store.put(task, outcome)
            store.note_run(name, {"python": "3"})
    with Store(folder / "out", write=True) as out:
        assert [out.add_all(folder / name) for name in ("a", "b", "a", "b")] == [2, 2, 0, 0]
        found = {outcome.key: outcome.status for outcome in out.outcomes(task.key for task in tasks)}
        assert list(map(found.get, (task.key for task in tasks[:3]))) == ["feasible", "optimal", "feasible"]
        assert out.last_run() == ("b", {"python": "3"})


def test_files_that_are_no_store(planner: Planner, folder: Path) -> None:
    write_study(folder / "s.toml")
    (folder / "text").write_text("this is no database at all " * 100, encoding="utf-8")
    with sqlite3.connect(folder / "foreign") as other:
        other.execute("CREATE TABLE cells (a)")
    other.close()
    with sqlite3.connect(folder / "later") as other:
        other.execute("PRAGMA application_id = 0x50535431")
        other.execute("PRAGMA user_version = 2")
        other.execute("CREATE TABLE cells (a)")
    other.close()
    words = {
        "text": "is no store, or a damaged one",
        "foreign": "but no store of a study",
        "later": "version 2",
    }
    for name, part in words.items():
        before = (folder / name).read_bytes()
        for command in ("run", "status", "report", "export"):
            more = ("--csv", "x.csv") if command in ("report", "export") else ()
            ran = planner("study", command, "s.toml", "--store", name, *more)
            assert ran.code == 3, (name, command)
            assert part in " ".join(ran.err.split())
            assert "Traceback" not in ran.err
        assert planner("study", "merge", "out.sqlite", name).code == 3
        assert (folder / name).read_bytes() == before
    assert not (folder / "out.sqlite").exists()


def test_a_damaged_store_is_told_and_left_as_it_is(planner: Planner, folder: Path) -> None:
    write_study(folder / "s.toml", seeds="1-40", solvers=["mi", "mp"])
    assert planner("study", "run", "s.toml").code == 0
    place = folder / "s.sqlite"
    data = bytearray(place.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    place.write_bytes(data)
    for command in ("status", "run"):
        ran = planner("study", command, "s.toml")
        assert (ran.code, ran.out) == (3, "")
        assert "is no store, or a damaged one" in " ".join(ran.err.split())
    assert place.read_bytes()[4096:] == bytes(data[4096:])


def test_places_where_no_store_can_be(planner: Planner, folder: Path) -> None:
    write_study(folder / "s.toml")
    for place, part in ((".", "is a folder"), ("no/where.sqlite", "there is no folder")):
        ran = planner("study", "run", "s.toml", "--store", place)
        assert (ran.code, ran.out) == (2, "")
        assert part in " ".join(ran.err.split())
    ran = planner("study", "run", "s.toml", "--store", "s.toml")
    assert ran.code == 3
    assert (folder / "s.toml").read_text(encoding="utf-8").startswith("format")


@pytest.fixture
def disk(folder: Path) -> Iterator[Path]:
    """A disk of its own, of two megabytes."""
    place = folder / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


@pytest.mark.slow
def test_a_full_disk_is_told_and_nothing_is_lost(planner: Planner, folder: Path, disk: Path) -> None:
    write_study(folder / "s.toml", seeds="1-5")
    arguments = ("study", "run", "s.toml", "--store", str(disk / "s.sqlite"))
    assert planner(*arguments).code == 0
    write_study(folder / "s.toml", seeds="1-3000")
    ran = planner(*arguments)
    assert (ran.code, ran.out) == (1, "")
    assert "all that was stored stays: make room, run again" in " ".join(ran.err.split())
    assert "Traceback" not in ran.err
    kept = disk.parent / "kept.sqlite"
    status = planner("study", "status", "s.toml", "--store", str(disk / "s.sqlite"), "--json")
    assert status.code == 0, status.err
    assert '"failed": 0' in status.out
    assert int(status.out.split('"done": ')[1].split(",")[0]) > 5
    subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
    assert planner(*arguments).code == 0
    assert (
        '"pending": 0'
        in planner("study", "status", "s.toml", "--store", str(disk / "s.sqlite"), "--json").out
    )
    assert planner("study", "merge", str(kept), str(disk / "s.sqlite")).code == 0


def test_a_read_only_disk_is_told_and_can_be_read(planner: Planner, folder: Path, disk: Path) -> None:
    write_study(folder / "s.toml", seeds="1-5")
    arguments = ("s.toml", "--store", str(disk / "s.sqlite"))
    assert planner("study", "run", *arguments).code == 0
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    assert (
        planner("study", "status", *arguments, "--json").out
        == '{"total": 5, "done": 5, "failed": 0, "pending": 0}\n'
    )
    assert planner("study", "export", *arguments, "--csv", "x.csv").code == 0
    assert planner("study", "merge", "out.sqlite", str(disk / "s.sqlite")).code == 0
    write_study(folder / "s.toml", seeds="1-6")
    ran = planner("study", "run", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "permission denied or a read-only disk" in " ".join(ran.err.split())
    ran = planner("study", "run", "s.toml", "--store", str(disk / "new.sqlite"))
    assert (ran.code, ran.out) == (2, "")


def test_claimers_need_to_write_beside_the_store(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refused)
    with pytest.raises(UsageError, match="needs a file beside it"):
        Claimer(folder / "x.sqlite")


def test_another_program_that_keeps_the_store_locked(
    folder: Path, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("planner.studies.store._WAIT_SECONDS", 0.1)
    place = folder / "x.sqlite"
    with Store(place, write=True) as store:
        other = sqlite3.connect(place, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFullError, match="kept locked by another program"):
            store.put(tasks[0], done(tasks[0]))
        other.execute("ROLLBACK")
        other.close()
        store.put(tasks[0], done(tasks[0]))


def test_a_store_that_is_not_there(folder: Path) -> None:
    with pytest.raises(InputError, match="there is no such store"):
        Store(folder / "nothing.sqlite", write=False)
