"""Studies from files: what they mean, and everything that can be wrong with one, at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.errors import InputError
from planner.goal import Goal
from planner.studies.planning import planned
from planner.studies.reading import read_study
from planner.studies.spec import seed_of
from tests.cli.conftest import Planner
from tests.studies.conftest import write_study


def faults(path: Path) -> dict[str, str]:
    with pytest.raises(InputError) as caught:
        read_study(path)
    return {fault.path: fault.message for fault in caught.value.faults}


def test_everything_that_can_be_said(folder: Path) -> None:
    study = read_study(
        write_study(
            folder / "s.toml",
            description="all of it",
            solvers=["mi", "exact:rounds=2", {"name": "milp", "backend": ["CBC", "HiGHS"]}],
            policies=[{"name": "clds", "alpha": [0.05, 0.1], "update": "additive"}, "lls"],
            objective=["makespan", "cost"],
            seeds="1-3",
            repetitions=2,
            time_limit=1.5,
            memory_limit=500,
            threads=2,
            workers=3,
            reference=True,
            series=True,
            no_bound=True,
        )
    )
    labels = [choice.label for choice in (*study.solvers, *study.policies)]
    assert labels == [
        *("mi", "exact:rounds=2", "milp:backend=CBC", "milp:backend=HiGHS"),
        *("clds:alpha=0.05;update=additive", "clds:alpha=0.1;update=additive", "lls"),
    ]
    assert study.solvers[1].options == {"rounds": 2}
    assert study.policies[0].options == {"alpha": 0.05, "update": "additive"}
    assert study.goals == (Goal.MAKESPAN, Goal.COST)
    assert (study.seeds, study.repetitions) == ((1, 2, 3), 2)
    assert (study.time_limit, study.memory_limit, study.threads, study.workers) == (1.5, 500.0, 2, 3)
    assert (study.reference, study.series, study.bound) == (True, True, False)
    assert study.notes.description == "all of it"


def test_one_value_may_stand_for_a_list(folder: Path) -> None:
    study = read_study(write_study(folder / "s.toml", instances="tiny.json", seeds=7, objective="cost"))
    assert (study.instances, study.seeds, study.goals) == (("tiny.json",), (7,), (Goal.COST,))


def test_a_mapping_is_as_good_as_a_file(folder: Path) -> None:
    tree = {
        "format": "planner/study/1",
        "name": "s",
        "instances": ["tiny.json"],
        "solvers": ["mi"],
        "time_limit": 0.5,
    }
    written = read_study(write_study(folder / "s.toml", time_limit=0.5))
    assert [cell.key for cell in planned(tree).cells] == [cell.key for cell in planned(written).cells]


def test_all_faults_are_told_at_once_with_their_places(folder: Path) -> None:
    found = faults(
        write_study(
            folder / "s.toml",
            instance=["tiny.json"],
            solvers=[
                "exat",
                {"name": "exact", "round": 3},
                5,
                {"alpha": 1},
                {"name": "exact", "rounds": [1, "x"]},
                "",
            ],
            policies=["cdls", "clds:alpha=2x", {"name": "clds", "update": "sideways"}, "exact"],
            objective=["makespan", "coast"],
            seeds="5-1",
            time_limit=0,
            memory_limit="1 GB",
            repetitions=1.5,
            threads=0,
            workers=-1,
            reference="yes",
        )
    )
    expected = {
        "instance": 'did you mean "instances"?',
        "solvers[0]": "unknown solver 'exat' (did you mean 'exact'?)",
        "solvers[1].round": "has no option 'round' (did you mean 'rounds'?)",
        "solvers[2]": "must be a name, or a table",
        "solvers[3]": "needs a name",
        "solvers[4].rounds": "'x' is not of type int",
        "solvers[5]": "must not be empty",
        "policies[0]": "unknown policy 'cdls' (did you mean 'clds'?)",
        "policies[1]": "'2x' is not of type float",
        "policies[2].update": "sideways",
        "policies[3]": "unknown policy 'exact'",
        "objective[1]": "must be 'makespan' or",
        "seeds": "seeds '5-1'",
        "time_limit": "must be greater than 0, not 0",
        "memory_limit": "must be a number, not the text",
        "repetitions": "must be a whole number",
        "threads": "must be at least 1",
        "workers": "must be at least 1",
        "reference": "must be true or false",
    }
    assert found.keys() == expected.keys()
    for path, part in expected.items():
        assert part in found[path], path


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "is empty; a TOML table is needed"),
        ("name = ", "is not TOML: Invalid value (at end of document)"),
        ("name = 1\nname = 2", "is not TOML: Cannot overwrite a value"),
        ('{"format": "planner/study/1"}', "is not TOML"),
        ("seeds = " + "9" * 5000, "is not TOML that can be read"),
        ("a = " + "[" * 5000 + "]" * 5000, "is nested deeper than"),
        ("name = 'x'", "format: is missing"),
        ('format = "planner/cloud/1"', "this file is a cloud instance"),
        ('format = "planner/study/2"', 'did you mean "planner/study/1"?'),
        ('format = "planner/study/1"', "solvers: is missing; a study needs solvers, or policies"),
        ('format = "planner/study/1"\nname = 2026-01-01', "name: must be text"),
        ('format = "planner/study/1"\ntime_limit = inf', "time_limit:"),
        ('format = "planner/study/1"\nsolvers = "exact"', "solvers: must be a list"),
        ('format = "planner/study/1"\nsolvers = []', "solvers: must not be empty"),
        (
            'format = "planner/study/1"\nsolvers = [{name = "exact", rounds = {a = 1}}]',
            "solvers[0]: rounds: must be text",
        ),
        ('format = "planner/study/1"\nseeds = [1, 2.5]', "seeds[1]: must be a whole number"),
        ('format = "planner/study/1"\nseeds = [1, -1]', "seeds[1]: must be at least 0"),
    ],
)
def test_files_that_are_no_study(planner: Planner, folder: Path, text: str, part: str) -> None:
    (folder / "s.toml").write_text(text, encoding="utf-8")
    ran = planner("study", "run", "s.toml")
    assert (ran.code, ran.out) == (3, "")
    assert part in " ".join(ran.err.split())
    assert "Traceback" not in ran.err
    assert not list(folder.glob("*.sqlite*"))


def test_faults_of_instances_are_told_together(planner: Planner, folder: Path) -> None:
    (folder / "bad.json").write_text("{}", encoding="utf-8")
    (folder / "worse.json").write_text("{", encoding="utf-8")
    write_study(folder / "s.toml", instances=["*.json", "nowhere/*.json"])
    ran = planner("study", "status", "s.toml")
    assert ran.code == 3
    told = " ".join(ran.err.split())
    for part in ("instances[1]", "there is no such file or folder", "bad.json", "worse.json"):
        assert part in told


def test_what_fits_nothing_is_a_fault(planner: Planner, folder: Path) -> None:
    write_study(
        folder / "s.toml", solvers=["mi", "assignment"], policies=["lls"], objective=["makespan", "flow"]
    )
    ran = planner("study", "run", "s.toml")
    assert ran.code == 3
    told = " ".join(ran.err.split())
    assert "solvers[1]: solver 'assignment' is for grid-step problems; this study has none" in told
    assert "policies[0]: policy 'lls' is for grid systems; this study has none" in told


def test_more_than_there_can_be(planner: Planner, folder: Path) -> None:
    for keys, part in (
        ({"seeds": list(range(10_001))}, "seeds: between 1 and 10,000 seeds are possible, not 10,001"),
        ({"seeds": "1-10000", "repetitions": 1000}, "makes 10,000,000 cells"),
        (
            {"solvers": [{"name": "exact", **{f"x{i}": list(range(10)) for i in range(5)}}]},
            "100000 combinations",
        ),
    ):
        write_study(folder / "s.toml", **keys)
        ran = planner("study", "status", "s.toml")
        assert (ran.code, ran.out) == (3, "")
        assert part in " ".join(ran.err.split())


def test_seeds_of_repetitions() -> None:
    assert seed_of(7, 1) == 7
    derived = [seed_of(7, repetition) for repetition in range(1, 200)]
    assert len(set(derived)) == len(derived)
    assert seed_of(7, 2) == 23444279, "what it is must never change"
