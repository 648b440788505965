"""Jobs from a CSV file: read as they are meant, or every bad line told with its number."""

from __future__ import annotations

import hashlib
import io
import os
import random
import sys
import time
from pathlib import Path

import pytest

from planner import files
from planner.errors import InputError
from planner.files.text import LARGEST_FILE, MOST_FAULTS
from planner.grid.system import GridSystem, Trace
from tests.files.samples import SYSTEM, faults_of, save

HEADER = "step,scheduler,length\n"
GOOD = HEADER + "0,1,12.5\n0,north,3\n19,0,1\n"


def system(folder: Path, content: str | bytes, name: str = "trace.csv") -> Path:
    """A system in `folder` whose jobs are in a file of that content."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return save(folder, {**SYSTEM, "jobs": {"file": name}})


def jobs(path: Path) -> list[tuple[int, int, float]]:
    found = files.read(path)
    assert isinstance(found, GridSystem)
    assert isinstance(found.jobs, Trace)
    columns = (found.jobs.steps, found.jobs.schedulers, found.jobs.lengths)
    assert [str(column.dtype) for column in columns] == ["int64", "int64", "float64"]
    return list(zip(*(column.tolist() for column in columns), strict=True))


PLAIN = [(0, 1, 12.5), (0, 0, 3.0), (19, 0, 1.0)]


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        GOOD + "\n",
        GOOD + "\r\n \r\n,,\n",
        GOOD.removesuffix("\n"),
        GOOD.replace("\n", "\r\n"),
        "\ufeff" + GOOD,
        "\n" + GOOD,
        HEADER + "0.0,1.0,12.50\n0e0,north,3\n1.9e1,0,1\n",
        HEADER + " 0 , 1 , 12.5 \n0, north,3\n19,0,1\n",
        "length,note,step,scheduler\n12.5,a,0,south\n3,,0,0\n1,c,19,north\n",
        ' "step" ,scheduler,length,x,y\n0,"south","12.5"\n0,north,3,a\n19,0,+1.,b,c\n'.replace(
            ' "step" ', '"step"'
        ),
    ],
)
def test_what_other_programs_write(tmp_path: Path, content: str) -> None:
    path = system(tmp_path, content)
    assert jobs(path) == PLAIN


def test_the_hashes_are_those_of_both_files(tmp_path: Path) -> None:
    path = system(tmp_path, GOOD)
    found = files.read_system(path)
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert found.trace_sha256 == hashlib.sha256(GOOD.encode()).hexdigest()


def test_a_name_counts_before_an_index(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(HEADER + "0,1,5\n0,0,6\n0,2,7\n")
    named = [{"name": "1"}, {"name": "0"}, {"name": "x"}]
    path = save(tmp_path, {**SYSTEM, "schedulers": named, "jobs": {"file": "t.csv"}, "events": []})
    assert jobs(path) == [(0, 0, 5), (0, 1, 6), (0, 2, 7)]


BAD = {
    "1,x,5": 'line 3: there is no scheduler "x"',
    "1,nort,5": 'did you mean "north"?',
    "1,2,5": "line 3: there is no scheduler 2; indices are 0 to 1",
    "1,-1,5": 'line 3: scheduler must be a name or an index from 0, not "-1"',
    "1,,5": "line 3: scheduler is missing",
    "-1,0,5": 'line 3: step must be a whole number that is at least 0, not "-1"',
    "0.5,0,5": 'not "0.5"',
    "x,0,5": 'not "x"',
    "1_0,0,5": 'not "1_0"',
    "١,0,5": "step must be a whole number",
    "1e300,0,5": "step must be a whole number",
    "200000000,0,5": "step must be at most 100000000",
    "20,0,5": "line 3: step 20 is past the end: the system has 20 steps, 0 to 19",
    "1,0,0": "line 3: length must be greater than 0, not 0",
    "1,0,-2": "length must be greater than 0, not -2",
    "1,0,": 'length must be a number, not ""',
    "1,0,nan": 'length must be a number, not "nan"',
    "1,0,inf": 'length must be a number, not "inf"',
    "1,0,1_0": 'length must be a number, not "1_0"',
    "1,0,1e16": "length 1e16 is beyond 1e15 in size",
    "1,0,1e-999": "length must be greater than 0",
    "1": "line 3: has too few values: 1, not 3",
}


@pytest.mark.parametrize("line", BAD)
def test_a_bad_line_is_told_with_its_number(tmp_path: Path, line: str) -> None:
    (fault,) = faults_of(system(tmp_path, f"{HEADER}1,0,1\n{line}\n"))
    assert fault.path == "jobs.file"
    assert fault.message.startswith("trace.csv, line 3: ")
    assert BAD[line] in fault.message


def test_every_bad_line_is_told_in_order_and_with_all_that_is_wrong(tmp_path: Path) -> None:
    content = HEADER + "5,0,1\n3,9,1\r\n\n-1,,x\n4,0,1\n25,0,2\n"
    found = [fault.message.removeprefix("trace.csv, ") for fault in faults_of(system(tmp_path, content))]
    assert [message.split(" ")[:3] for message in found] == [
        ["line", "3:", "step"],
        ["line", "3:", "there"],
        ["line", "5:", "step"],
        ["line", "5:", "scheduler"],
        ["line", "5:", "length"],
        ["line", "7:", "step"],
    ]
    assert "step 3 comes after step 5" in found[0]


def test_faults_of_both_files_are_told_together(tmp_path: Path) -> None:
    system(tmp_path, HEADER + "25,x,-1\n3,x,1\n")
    tree = {**SYSTEM, "steps": 0, "schedulers": 0, "jobs": {"file": "trace.csv"}, "events": []}
    found = faults_of(save(tmp_path, tree))
    assert [fault.path for fault in found] == ["schedulers", "steps", "jobs.file"]  # x may be a scheduler
    assert "line 2: length must be" in found[2].message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", '"trace.csv" is empty; a header with step, scheduler, length is needed'),
        (b"\n\n", "is empty"),
        (HEADER.encode(), '"trace.csv" holds no job: there is nothing to simulate'),
        (b"0,1,12.5\n", 'has no column "step", has no column "scheduler", has no column "length"'),
        (b"step,scheduler,lenght\n", 'has no column "length"; did you mean "lenght"?'),
        (b"step;scheduler;length\n0;1;2\n", "to be separated by commas"),
        (b"step,step,scheduler,length\n", 'has more than one column "step"'),
        (GOOD.encode() + b"1,0,\xff\n", "is not UTF-8: byte 0xff in line 5"),
        (GOOD.encode("utf-16"), "is not UTF-8"),
        (HEADER.encode() + b"0,0," + b"1" * 200_000 + b"\n", "is not CSV: line 2"),
    ],
)
def test_a_file_that_cannot_be_taken_at_all(tmp_path: Path, content: bytes, message: str) -> None:
    (fault,) = faults_of(system(tmp_path, content))
    assert fault.path == "jobs.file"
    assert message in fault.message


def test_too_large_a_file(tmp_path: Path) -> None:
    (fault,) = faults_of(system(tmp_path, b"x" * (LARGEST_FILE + 1)))
    assert "is larger than 64 MiB" in fault.message


def test_a_trace_may_be_below_the_folder_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = system(tmp_path, GOOD, "deep/er/trace.csv")
    assert jobs(path) == PLAIN
    monkeypatch.chdir(tmp_path)
    assert jobs(Path(path.name)) == PLAIN


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../outside.csv", "is outside the folder of this file"),
        ("deep/../../outside.csv", "is outside the folder"),
        ("link.csv", "is outside the folder"),
        ("linked/outside.csv", "is outside the folder"),
        ("{outside}", "is outside the folder"),
        (".", "is outside the folder"),
        ("nope.csv", "does not exist"),
        ("deep", "is no file"),
        ("x" * 300, "cannot be read"),
    ],
)
def test_a_trace_that_may_not_be_read(tmp_path: Path, name: str, message: str) -> None:
    outside = tmp_path / "outside.csv"
    outside.write_text(GOOD)
    home = tmp_path / "home"
    (home / "deep").mkdir(parents=True)
    (home / "link.csv").symlink_to(outside)
    (home / "linked").symlink_to(tmp_path)
    path = save(home, {**SYSTEM, "jobs": {"file": name.format(outside=outside)}})
    (fault,) = faults_of(path)
    assert fault.path == "jobs.file"
    assert message in fault.message
    assert "12.5" not in fault.message


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (fault,) = faults_of(save(tmp_path, {**SYSTEM, "jobs": {"file": "pipe.csv"}}))
    assert "is no file" in fault.message


@pytest.mark.parametrize("name", ["", "a\nb", 5, None])
def test_a_name_that_is_none_is_told_once(tmp_path: Path, name: object) -> None:
    (fault,) = faults_of(save(tmp_path, {**SYSTEM, "jobs": {"file": name}}))
    assert fault.path == "jobs.file"


def test_a_system_from_stdin_can_name_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    text = files.dumps({**SYSTEM, "jobs": {"file": "trace.csv"}})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    with pytest.raises(InputError, match="cannot be found from stdin"):
        files.read("-")


def test_many_bad_lines_stay_countable(tmp_path: Path) -> None:
    found = faults_of(system(tmp_path, HEADER + "0,9,0\n" * 100_000))
    assert len(found) == MOST_FAULTS


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "indices", "names"])
def test_a_large_trace_loads_in_seconds(tmp_path: Path, form: str) -> None:
    rng = random.Random(1)
    rows = [(k * 20 // 400_000, rng.randrange(2), round(rng.uniform(10, 100), 6)) for k in range(400_000)]
    if form == "csv":
        path = system(tmp_path, HEADER + "".join(f"{s},{a},{size}\n" for s, a, size in rows))
    else:
        names = [0, 1] if form == "indices" else ["north", "south"]
        trace = [{"step": s, "scheduler": names[a], "length": size} for s, a, size in rows]
        path = save(tmp_path, {**SYSTEM, "jobs": {"trace": trace}})
    start = time.perf_counter()
    found = jobs(path)
    assert time.perf_counter() - start < 15
    assert found == rows
