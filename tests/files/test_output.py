"""A file is written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from planner import files
from planner.errors import InputError


def test_text_is_written_as_utf_8(tmp_path: Path) -> None:
    files.write_text(tmp_path / "a.txt", "Größe\n")
    assert (tmp_path / "a.txt").read_bytes() == "Größe\n".encode()


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o640)
    files.write_text(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_mode_that_new_files_have(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    files.write_text(tmp_path / "a.txt", "")
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_nothing_is_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "no space")

    monkeypatch.setattr(*((os, "fsync") if step == "fsync" else (Path, "replace")), fail)
    with pytest.raises(InputError, match="cannot be written: No space left"):
        files.write_text(path, "new" * 100_000)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        files.write_text(tmp_path / "a.txt", "new")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        files.write_text(tmp_path / "no" / "a.txt", "")


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        files.write_text(tmp_path, "")


def test_a_folder_one_may_not_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Raised by hand, because a test that runs as root may write everywhere.
    def refuse(*_: object) -> int:
        raise PermissionError(13, "no")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        files.write_text(tmp_path / "a.txt", "")


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    files.write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    files.write_text(pipe, "text")
    assert os.read(reader, 100) == b"text"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_broken_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="surrogate"):
        files.write_text(tmp_path / "a.txt", "\ud800")
    assert list(tmp_path.iterdir()) == []
