"""Files that are no instance at all: each says what it is, none takes long."""

from __future__ import annotations

import errno
import io
import sys
import time
from pathlib import Path

import pytest

from planner import files
from planner.errors import InputError
from planner.files.text import LARGEST_FILE
from tests.files.samples import INSTANCE, faults_of, save

GOOD = files.dumps(INSTANCE)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n ", "is empty"),
        (b"{", "is not JSON: line 1, column 2"),
        (b'{\n  "a": 1,\n  oops}', "is not JSON: line 3, column 3"),
        (b'{"a": 1}\n{"a": 1}', "is not JSON: line 2, column 1: a second value"),
        (b"hello", "is not JSON: line 1, column 1"),
        (b'{"name": "\x01"}', r"is not JSON: line 1, column 11: '\x01' may not stand in a text as it is"),
        (b'{"name": "a\tb"}', r"is not JSON: line 1, column 12: '\t' may not stand in a text"),
        (b'{"name": "a\nb"}', r"'\n' may not stand in a text as it is; write it as an escape, as in \t"),
        (b'{"name": "a\\q"}', r"is not JSON: line 1, column 13: Invalid \X escape sequence 'q'"),
        (b'{"name": "\xff"}', "is not UTF-8: byte 0xff at offset 10"),
        (b"\xef\xbb\xbf" + GOOD.encode(), "byte order mark"),
        (GOOD.encode("utf-16"), "UTF-16"),
        (GOOD.encode("utf-16-le"), "UTF-16"),
        (b"[" * 100_000, "nested deeper than 100 levels"),
        (b'{"format": "planner/cloud/1", "meta": ' + b'{"a":' * 100_000, "nested deeper than 100 levels"),
        (b"[]", "must hold an object, not a list"),
        (b"null", "must hold an object, not null"),
        (b"17", "must hold an object, not 17"),
        (b"NaN", "must hold an object"),
    ],
)
def test_content_that_is_no_instance(tmp_path: Path, content: bytes, message: str) -> None:
    found = faults_of(save(tmp_path, content))
    assert len(found) == 1
    assert message in str(found[0])


def test_depth_has_a_limit_of_its_own(tmp_path: Path) -> None:
    good = GOOD[:-1] + ', "meta": {"a": ' + "[" * 90 + "]" * 90 + "}}"
    files.read(save(tmp_path, good))
    found = faults_of(save(tmp_path, good.replace("[" * 90, "[" * 150).replace("]" * 90, "]" * 150)))
    assert [fault.message for fault in found] == ["is nested deeper than 100 levels"]


@pytest.mark.parametrize("where", ['"name": "\\ud800"', '"name": "n", "meta": {"a": ["\\udc00"]}'])
def test_half_of_a_surrogate_pair_is_refused_wherever_it_stands(tmp_path: Path, where: str) -> None:
    found = faults_of(save(tmp_path, GOOD.replace('"name": "sample"', where)))
    assert len(found) == 1
    assert "surrogate" in found[0].message
    str(found[0]).encode("utf-8")


def test_a_whole_surrogate_pair_is_one_character(tmp_path: Path) -> None:
    assert files.read(save(tmp_path, GOOD.replace("sample", "\\ud83d\\ude00"))).name == "\U0001f600"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (GOOD.replace('"budget": 2', '"budget": 2, "budget": 2'), "budget"),
        (GOOD.replace('"price": 2', '"price": 2, "price": 3'), "instance_types[0].price"),
        (GOOD.replace('"A1": 8', '"A1": 8, "A1": 8'), "instance_types[0].seconds_per_unit.A1"),
        (GOOD[:-1] + ', "meta": {"a b": {"c": 1, "c": 2}}}', 'meta["a b"].c'),
    ],
)
def test_duplicate_keys_are_told_with_their_path(tmp_path: Path, text: str, place: str) -> None:
    found = faults_of(save(tmp_path, text))
    assert [(fault.path, fault.message) for fault in found] == [(place, "the key stands here more than once")]


@pytest.mark.parametrize(
    "garbage", [b"x", b"\x00", b"[", b"[1,", bytes(range(256))], ids=lambda text: repr(text[:3])
)
def test_a_hundred_megabytes_of_garbage_are_refused_at_once(tmp_path: Path, garbage: bytes) -> None:
    path = save(tmp_path, garbage * (100_000_000 // len(garbage)))
    start = time.perf_counter()
    found = faults_of(path)
    assert time.perf_counter() - start < 5
    assert "is larger than 64 MiB" in found[0].message


def test_the_largest_file_is_still_looked_at(tmp_path: Path) -> None:
    assert "is not JSON" in faults_of(save(tmp_path, b"x" * LARGEST_FILE))[0].message


def test_too_many_values_are_refused(tmp_path: Path) -> None:
    found = faults_of(save(tmp_path, b'{"a": [' + b"1," * 3_000_001 + b"1]}"))
    assert "holds more than 3000000 values" in found[0].message


def test_a_missing_file(tmp_path: Path) -> None:
    assert faults_of(tmp_path / "nope.json")[0].message == "there is no such file"


def test_a_folder(tmp_path: Path) -> None:
    assert "is a folder" in faults_of(tmp_path)[0].message


def test_a_file_one_may_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Raised by hand, because a test that runs as root may read everything.
    def refuse(path: Path, _: str) -> None:
        raise PermissionError(errno.EACCES, "no", str(path))

    path = save(tmp_path, GOOD)
    monkeypatch.setattr(Path, "open", refuse)
    assert "permission denied" in faults_of(path)[0].message


@pytest.mark.parametrize("name", ["a\x00b", "x" * 5000])
def test_a_path_that_no_file_can_have(name: str) -> None:
    with pytest.raises(InputError):
        files.read(name)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert files.read("-").name == "sample"
    with pytest.raises(InputError, match="stdin: is empty"):
        files.read("-")
