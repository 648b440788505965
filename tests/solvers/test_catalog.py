"""The catalog: names, options, what is missing, and solvers of other distributions."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

import pytest

from planner.errors import BackendMissing, SolverCrashed, UsageError
from planner.goal import Goal
from planner.kinds import KINDS
from planner.solver import Answer
from solvers import catalog
from tests.instances import bag, cloud, kind


@dataclass(frozen=True)
class Tunable:
    """A solver with one option of each type."""

    rounds: int = 3
    share: float = 0.5
    polite: bool = True
    rule: str = "first"

    def solve(self, *_: object) -> Answer:
        return Answer()


@pytest.fixture
def _tunable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    entry = catalog.Entry("tunable", f"{__name__}:Tunable", "cloud", "for tests", "nothing")
    monkeypatch.setattr(catalog, "_ENTRIES", (*catalog._ENTRIES, entry))
    catalog.entries.cache_clear()
    yield
    catalog.entries.cache_clear()


def test_the_documented_solvers_are_there_each_once() -> None:
    names = [entry.name for entry in catalog.entries()]
    assert {"exact", "compact", "heuristic", "mi", "mp"} <= set(names)
    assert {"assignment", "positional", "makespan", "load"} <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("entry", catalog.entries(), ids=lambda entry: entry.name)
def test_every_entry_is_true_of_its_solver(entry: catalog.Entry) -> None:
    assert callable(entry.solver_class()().solve)
    assert set(entry.goals) <= set(Goal)
    assert entry.goals
    assert entry.proves in ("optimum", "nothing")
    assert entry.summary
    assert entry.kind in KINDS


def test_listing_imports_no_solver() -> None:
    code = "import sys; from solvers import catalog; catalog.entries(); print('ortools' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_an_unknown_name_comes_with_the_nearest_and_all() -> None:
    with pytest.raises(
        UsageError, match=r"unknown solver 'exakt' \(did you mean 'exact'\?\); there are: exact, "
    ):
        catalog.find("exakt")
    with pytest.raises(UsageError, match="unknown solver 'zzz'; there are"):
        catalog.find("zzz")


@pytest.mark.usefixtures("_tunable")
def test_options_are_read_from_the_name_in_the_type_of_the_field() -> None:
    entry, options = catalog.configure(" tunable : rounds=5; share=0.25 ;polite=FALSE;; rule=last ")
    assert options == {"rounds": 5, "share": 0.25, "polite": False, "rule": "last"}
    assert entry.make(options) == Tunable(5, 0.25, False, "last")


@pytest.mark.usefixtures("_tunable")
def test_options_given_apart_win_over_those_in_the_name() -> None:
    assert catalog.configure("tunable:rounds=5", {"rounds": 7})[1] == {"rounds": 7}
    assert catalog.configure("tunable", {"rounds": "7"})[1] == {"rounds": 7}


@pytest.mark.usefixtures("_tunable")
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "tunable:rouns=5",
            r"no option 'rouns' \(did you mean 'rounds'\?\); it has: rounds, share, polite, rule",
        ),
        ("tunable:rounds", "'rounds' is not of the form option=value"),
        ("tunable:rounds=many", "'many' is not of type int"),
        ("tunable:polite=maybe", "'maybe' is not of type bool"),
        ("tunable:share=half", "'half' is not of type float"),
        ("exact:depth=3", "solver 'exact' has no option 'depth'"),
        (":rounds=5", "unknown solver ''"),
    ],
)
def test_a_bad_option_is_told(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        catalog.configure(spec)


def test_a_missing_package_is_named_with_its_fix() -> None:
    entry = catalog.Entry("x", "nowhere:X", "cloud", "", "nothing", needs=("no_such_package",))
    with pytest.raises(
        BackendMissing, match="solver 'x' needs 'no_such_package': pip install no_such_package"
    ):
        entry.make({})


def test_other_distributions_add_solvers_but_cannot_replace_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        metadata.EntryPoint("theirs", f"{__name__}:Tunable", catalog.ENTRY_POINTS),
        metadata.EntryPoint("exact", f"{__name__}:Tunable", catalog.ENTRY_POINTS),
    ]
    monkeypatch.setattr(
        metadata, "entry_points", lambda group: points if group == catalog.ENTRY_POINTS else []
    )
    catalog.entries.cache_clear()
    try:
        assert catalog.find("theirs").make({"rounds": 2}) == Tunable(2)
        assert catalog.find("theirs").origin == "an unnamed distribution"
        assert catalog.find("exact").target == "solvers.cloud.exact:Exact"
    finally:
        catalog.entries.cache_clear()


def test_the_cheap_bound_of_the_cloud_is_a_bound() -> None:
    instance = cloud([bag("A", (1, 2))], [kind("t", 1, 10)])
    assert catalog.cheap_bound("cloud").lower(instance, Goal.MAKESPAN) == 10


def test_a_module_of_another_distribution_that_is_not_there_is_named() -> None:
    entry = catalog.Entry("theirs", "no_such_module:Thing", "cloud", "", "nothing", origin="theirpackage")
    with pytest.raises(SolverCrashed, match="'theirs', which theirpackage registers, cannot be imported"):
        entry.solver_class()
