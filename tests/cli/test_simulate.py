"""`planner simulate`: the table, JSON, CSV and figures, codes, and Ctrl-C in the middle."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from planner.report.simulation import COLUMNS
from tests.cli.conftest import ROOT, Planner, start
from tests.instances import SHIPPED

SYSTEM = {
    "format": "planner/grid/1",
    "name": "small",
    "schedulers": 4,
    "steps": 60,
    "seed": 3,
    "resources": {"count": 6, "capacity": {"uniform": [1, 10]}},
    "jobs": {"load": 0.8, "length": {"uniform": [10, 100]}},
    "events": [{"step": 20, "crash": "learner"}, {"step": 30, "resource": "r2", "capacity": 0}],
}
ALL = "clds,lls,rs,dmms,osl,mct,dealt,reference"
RUN_KEYS = {
    "policy", "options", "seed", "steps", "bound", "alor", "jobs", "messages", "response_time", "fairness",
    "utilisation", "makespan", "regret", "events", "seconds",
}  # fmt: skip


def system(name: str = "small.json", **changes: object) -> str:
    Path(name).write_text(json.dumps({**SYSTEM, **changes}), encoding="utf-8")
    return name


@pytest.fixture(autouse=True)
def _small(planner: Planner) -> None:  # noqa: ARG001 - it changes to the folder
    system()
    shutil.copy(SHIPPED / "grid" / "tiny" / "system-one.json", "one.json")


def test_the_table_ranks_policies_by_alor_and_fits_80_columns(planner: Planner) -> None:
    ran = planner("simulate", "small.json", "--seeds", "1-3", "--reference", "--policies", ALL)
    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, lines)) <= 80
    assert lines[0] == "small  4 schedulers, 6 resources, 60 steps, 3 seeds"
    assert lines[2].split() == [
        "policy",
        "ALoR",
        "±",
        "last",
        "quarter",
        "gap",
        "response",
        "regret",
        "messages",
    ]
    rows = [line.split() for line in lines[3:11]]
    assert sorted(row[0] for row in rows) == sorted(ALL.split(","))
    assert [float(row[1]) for row in rows] == sorted(float(row[1]) for row in rows)
    assert lines[12] == "no room here for seconds and fairness; --json and --csv have all"
    assert lines[13].startswith("no policy can have a mean ALoR below ")
    assert "step 20, the learner s1 crashes, s2 takes over: clds: ALoR " in ran.out
    assert "step 30, capacity of r2 becomes 0: mct: ALoR " in ran.out


def test_the_default_policies_are_the_papers_and_the_seed_is_the_files(planner: Planner) -> None:
    ran = planner("simulate", "small.json")
    assert {line.split()[0] for line in ran.out.splitlines()[3:7]} == {"clds", "lls", "rs", "dmms"}
    assert "60 steps, 1 seed" in ran.out.splitlines()[0]
    assert "±" not in ran.out
    assert "fairness" in ran.out.splitlines()[2]
    first = planner("simulate", "small.json", "--policies", "rs", "--json")
    assert json.loads(first.out)["runs"][0]["seed"] == 3


def test_numbers_of_the_table_by_hand(planner: Planner) -> None:
    ran = planner("simulate", "one.json", "--policies", "clds", "--reference")
    row = ran.out.splitlines()[3].split()
    # Mean of 1.5, 2, 2.5, 1.5, 0.5, 0; its last quarter is one step; response 2; one resource is fair.
    assert row[:3] == ["clds", "1.33", "0"]
    assert row[5:9] == ["2", "1.00", "0.00", "%"]
    assert row[9] == "2"


def test_json_has_the_keys_of_the_format(planner: Planner) -> None:
    ran = planner("simulate", "small.json", "--policies", "rs,clds:alpha=0.2", "--seeds", "4-5", "--json")
    assert ran.code == 0
    tree = json.loads(ran.out)
    assert len(ran.out.splitlines()) == 1
    assert set(tree) == {"format", "system", "system_sha256", "bound", "runs"}
    assert (tree["format"], tree["system"]) == ("planner/simulation/1", "small")
    assert re.fullmatch("[0-9a-f]{64}", tree["system_sha256"])
    assert set(tree["bound"]) == {"mean_alor", "method", "reason"}
    assert [(run["policy"], run["seed"]) for run in tree["runs"]] == [
        ("rs", 4), ("clds", 4), ("rs", 5), ("clds", 5),
    ]  # fmt: skip
    assert [run["options"] for run in tree["runs"]] == [{}, {"alpha": 0.2}] * 2
    for run in tree["runs"]:
        assert set(run) == RUN_KEYS
        assert set(run["alor"]) == {"mean", "last_quarter", "series"}
        assert set(run["jobs"]) == {"arrived", "finished", "running", "queued", "rejected"}
        assert set(run["response_time"]) == {"mean", "p95"}
        assert [set(event) for event in run["events"]] == [{"step", "what", "alor_before", "alor_after"}] * 2
        assert (run["alor"]["series"], run["regret"], run["makespan"]) == (None, None, None)
        assert run["steps"] == 60
        assert 0 < run["bound"] <= run["alor"]["mean"]
    assert tree["bound"]["mean_alor"] == min(run["bound"] for run in tree["runs"])


def test_series_and_regret_are_there_where_they_are_asked_for(planner: Planner) -> None:
    ran = planner("simulate", "one.json", "--policies", "rs", "--json", "--series", "--reference")
    (run,) = json.loads(ran.out)["runs"]
    assert run["alor"]["series"] == [1.5, 2, 2.5, 1.5, 0.5, 0]
    assert run["regret"] == {"mean": 0, "p95": 0}
    assert run["response_time"] == {"mean": 2, "p95": 2.45}
    assert (run["makespan"], run["utilisation"], run["fairness"], run["messages"]) == (4.5, 0.75, 1, 0)
    assert run["jobs"] == {"arrived": 3, "finished": 3, "running": 0, "queued": 0, "rejected": 0}


def test_without_the_bound(planner: Planner) -> None:
    ran = planner("simulate", "small.json", "--policies", "rs", "--no-bound", "--json")
    tree = json.loads(ran.out)
    assert tree["bound"] == {"mean_alor": None, "method": None, "reason": "not asked for"}
    assert tree["runs"][0]["bound"] is None
    shown = planner("simulate", "small.json", "--policies", "rs", "--no-bound").out
    assert "no bound on the mean ALoR: not asked for" in shown
    assert shown.splitlines()[3].split()[3] == "-"


def test_where_nothing_was_finished_there_is_no_response_time(planner: Planner) -> None:
    system(jobs={"trace": [{"step": 59, "scheduler": 0, "length": 1000}]}, events=[])
    (run,) = json.loads(planner("simulate", "small.json", "--policies", "rs", "--json").out)["runs"]
    assert (run["response_time"], run["makespan"]) == ({"mean": None, "p95": None}, None)
    assert run["jobs"]["running"] == 1
    assert planner("simulate", "small.json", "--policies", "rs").out.splitlines()[3].split()[5] == "-"


def test_csv_has_a_row_a_run(planner: Planner) -> None:
    ran = planner("simulate", "small.json", "--policies", "rs,lls", "--seeds", "1,2", "--csv", "rows.csv")
    assert (ran.code, ran.err) == (0, "wrote rows.csv\n")
    text = Path("rows.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == list(COLUMNS)
    assert [(row["policy"], row["seed"]) for row in rows] == [
        ("rs", "1"),
        ("lls", "1"),
        ("rs", "2"),
        ("lls", "2"),
    ]
    told = json.loads(planner("simulate", "small.json", "--policies", "rs", "--seed", "1", "--json").out)
    assert float(rows[0]["alor_mean"]) == told["runs"][0]["alor"]["mean"]
    assert rows[0]["regret_mean"] == ""


def test_figures(planner: Planner) -> None:
    ran = planner("simulate", "small.json", "--seeds", "1-2", "--svg", "a.svg", "--png", "a.png")
    assert ran.code == 0
    svg = Path("a.svg").read_text(encoding="utf-8")
    assert svg.startswith("<?xml")
    assert "small: average load of resources over time" in svg
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")
    planner("simulate", "small.json", "--seeds", "1-2", "--svg", "b.svg")
    assert Path("b.svg").read_text(encoding="utf-8") == svg


def test_output_gets_what_stdout_would(planner: Planner) -> None:
    ran = planner("simulate", "one.json", "--policies", "rs", "--json", "--output", "out.json")
    assert ran.out == ""
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))["system"] == "system-one"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--policies", "dmns"], "unknown policy 'dmns' (did you mean 'dmms'?); there are: clds, lls,"),
        (["--policies", "clds:alhpa=1"], "no option 'alhpa' (did you mean 'alpha'?)"),
        (["--policies", "clds:alpha=7"], "'alpha' must be a number from 0 to 1, not 7"),
        (["--policies", ""], "no policy is named"),
        (["--policies", "rs,,lls"], "an empty name"),
        (["--seeds", "1..3"], "seeds '1..3' are not of the form 1-10, or 1,2,3"),
        (["--seeds", "3-1"], "from 3 to 1 is empty"),
        (["--seed", "-1"], "a seed must be a whole number from 0 to 2147483647, not -1"),
        (["--seed", "1", "--seeds", "2"], "--seed and --seeds cannot be given together"),
        (["--svg", "a.png"], "a.png must end in .svg"),
        (["--csv", "no/such/folder.csv"], "no/such"),
        (["--sereis"], "--series"),
    ],
)
def test_wrong_usage_is_told_in_a_line_and_nothing_runs(
    planner: Planner, arguments: list[str], text: str
) -> None:
    ran = planner("simulate", "small.json", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert text in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tiny.json", "this file is a cloud instance"),
        (str(SHIPPED / "grid" / "tiny" / "step-one.json"), "this file is a grid step"),
        ("missing.json", "missing.json: there is no such file"),
        ("broken.json", "broken.json: "),
        ("down.json", "down.json: resources[0].capacity"),
    ],
)
def test_other_files_are_told_apart(planner: Planner, path: str, text: str) -> None:
    Path("broken.json").write_text('{"format": "planner/grid/1"', encoding="utf-8")
    system("down.json", resources=[{"name": "r2", "capacity": 0}])
    ran = planner("simulate", path)
    assert (ran.code, ran.out) == (3, "")
    assert text in " ".join(ran.err.split())


def test_more_work_than_can_be_done_is_a_warning(planner: Planner) -> None:
    for load, warned in ((0.99, False), (1, True), (1.5, True)):
        system("full.json", jobs={"load": load, "length": {"uniform": [10, 100]}})
        ran = planner("simulate", "full.json", "--policies", "rs")
        assert ran.code == 0
        assert ("no policy is stable" in " ".join(ran.err.split())) is warned, load


def test_an_unsupported_policy_is_told_and_the_others_have_their_rows(planner: Planner) -> None:
    """It is an answer, as in compare, unless no policy has another."""
    system(
        "wide.json",
        schedulers=8000,
        resources={"count": 8000, "capacity": {"constant": 1}},
        steps=2,
        events=[],
    )
    ran = planner("simulate", "wide.json", "--policies", "osl,rs", "--no-bound")
    assert ran.code == 0
    assert "too large to hold" in ran.err
    assert ran.out.splitlines()[3].startswith("rs ")
    alone = planner("simulate", "wide.json", "--policies", "osl", "--no-bound", "--svg", "none.svg")
    assert (alone.code, alone.out) == (2, "")
    assert "there is no run to draw" in alone.err
    assert not Path("none.svg").exists()


def test_verbose_tells_each_run(planner: Planner) -> None:
    lines = planner("simulate", "small.json", "--policies", "rs,lls", "-v").err.splitlines()
    assert len(lines) == 2
    assert " s  rs, seed 3: mean ALoR " in lines[0]
    assert " s  lls, seed 3: mean ALoR " in lines[1]


def test_stdin_is_a_file_like_any_other(tmp_path: Path) -> None:
    text = (tmp_path / "one.json").read_text(encoding="utf-8")
    process = start("simulate", "-", "--policies", "rs", "--json", cwd=tmp_path, stdin=subprocess.PIPE)
    out, err = process.communicate(text, timeout=60)
    assert (process.returncode, err) == (0, "")
    assert json.loads(out)["runs"][0]["makespan"] == 4.5


def test_two_processes_print_the_same_bytes_but_for_seconds(tmp_path: Path) -> None:
    policies = f"{ALL},dmms:knowledge=global,clds:selection=proportional"
    command = ("simulate", "small.json", "--policies", policies, "--seeds", "1-2", "--reference")
    printed = []
    for salt in ("1", "2"):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": salt}
        done = subprocess.run(
            [sys.executable, "-m", "planner", *command, "--json", "--series"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            check=True,
        )
        printed.append(re.sub(rb'"seconds": [0-9.e-]+', b"", done.stdout))
    assert printed[0] == printed[1]
    assert len(printed[0]) > 10_000


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_in_the_middle_prints_what_there_is(tmp_path: Path, number: int) -> None:
    (tmp_path / "long.json").write_text(json.dumps({**SYSTEM, "steps": 3000}), encoding="utf-8")
    arguments = (
        "simulate",
        "long.json",
        "--policies",
        "clds",
        "--seeds",
        "1-2000",
        "--json",
        "-v",
        "--no-bound",
    )
    process = start(*arguments, cwd=tmp_path)
    assert process.stderr is not None
    assert "clds, seed 1: mean ALoR" in process.stderr.readline()
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    runs = json.loads(out)["runs"]
    assert 1 <= len(runs) < 2000
    assert [run["seed"] for run in runs] == list(range(1, len(runs) + 1))
    assert f"interrupted; {2000 - len(runs)} runs are missing" in err
    assert process.returncode == 130
    assert "Traceback" not in err


def test_an_interrupt_before_the_first_result_prints_nothing(
    planner: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("planner.simulating.run", interrupted)
    ran = planner("simulate", "small.json")
    assert (ran.code, ran.out) == (130, "")
    assert "interrupted" in ran.err
