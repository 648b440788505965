"""`planner.simulate`: seeds, bounds, frames, policies of other people, and failures that stop nobody else."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import planner
from planner.errors import InputError, SolverCrashed, Unsupported, UsageError
from planner.grid.distribution import Constant
from planner.grid.policy import Knowledge, Moment, Placement, Session, Setting
from planner.grid.simulation import PolicyFault
from planner.grid.system import Arrivals, Crash
from planner.report.conversion import of_simulation
from planner.report.simulation import COLUMNS
from planner.seeds import MOST_SEEDS, seeds_of
from planner.simulating import Simulation, policy_names
from solvers import catalog
from tests.grid.scripted import Scripted, to
from tests.grid.systems import drawn, traced
from tests.instances import SHIPPED

SYSTEM = drawn(steps=50)
TINY = SHIPPED / "grid" / "tiny"


class Wrong(Scripted):
    def __init__(self) -> None:
        super().__init__(to(99))


class Crashing(Scripted):
    def __init__(self) -> None:
        super().__init__(lambda _: 1 / 0)  # type: ignore[arg-type, return-value]


class Huge(Scripted):
    def __init__(self) -> None:
        super().__init__(to(0))

    def open(self, setting: Setting) -> Session:
        raise Unsupported(f"{setting.resources} resources are too many")


@dataclass(frozen=True)
class Interrupted:
    """Ctrl-C comes in that step."""

    step: int = 10
    sees: Knowledge = Knowledge.NOTHING

    def open(self, setting: Setting) -> Session:
        return Scripted(self._rule).open(setting)

    def _rule(self, moment: Moment) -> Placement:
        if moment.step >= self.step:
            raise KeyboardInterrupt
        return to(0)(moment)

    def messages(self, traffic: object) -> int:  # noqa: ARG002 - the protocol's
        return 0


THEIRS = {
    "theirs": "tests.grid.scripted:TheirLLS",
    "wrong": f"{__name__}:Wrong",
    "crashing": f"{__name__}:Crashing",
    "huge": f"{__name__}:Huge",
    "ctrl-c": f"{__name__}:Interrupted",
}


@pytest.fixture(autouse=True)
def _entry_points(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Policies of another distribution; one of them takes a name that is ours."""
    group = catalog.POLICY_ENTRY_POINTS
    points = [importlib.metadata.EntryPoint(name, target, group) for name, target in THEIRS.items()]
    points.append(importlib.metadata.EntryPoint("lls", f"{__name__}:Wrong", group))
    real = importlib.metadata.entry_points
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda **by: points if by == {"group": group} else real(**by)
    )
    catalog.policies.cache_clear()
    yield
    catalog.policies.cache_clear()


def test_a_policy_of_others_in_plain_python_is_as_good_as_ours() -> None:
    system = drawn(steps=150, load=0.9)
    ours, theirs = planner.simulate(system, "lls,theirs").runs
    assert ours.metrics.series.tolist() == theirs.metrics.series.tolist()
    assert (ours.metrics.messages, ours.bound) == (theirs.metrics.messages, theirs.bound)
    assert theirs.label == "theirs"


def test_options_of_a_policy_of_others_are_its_fields() -> None:
    (run,) = planner.simulate(SYSTEM, "theirs:first=true").runs
    assert (run.options, run.label) == ({"first": True}, "theirs:first=true")
    with pytest.raises(UsageError, match=r"policy 'theirs' has no option 'frist' \(did you mean 'first'\?\)"):
        planner.simulate(SYSTEM, "theirs:frist=true")


def test_how_ties_between_twins_are_broken_does_not_matter() -> None:
    system = traced([2, 2, 2], [(0, 9), (0, 8), (0, 7), (2, 3)], 6)
    lls, first = planner.simulate(system, "lls,theirs:first=true").runs
    assert lls.metrics.series.tolist() == first.metrics.series.tolist()
    assert lls.metrics.response == first.metrics.response


def test_what_a_policy_does_wrong_is_its_error_and_the_others_go_on() -> None:
    simulation = planner.simulate(SYSTEM, "wrong,crashing,huge,rs", seeds="1-2")
    assert [(run.policy, run.seed) for run in simulation.runs] == [("rs", 1), ("rs", 2)]
    assert [type(error) for error in simulation.errors] == [PolicyFault, SolverCrashed, Unsupported] * 2
    assert simulation.failed == tuple((p, seed) for seed in (1, 2) for p in ("wrong", "crashing", "huge"))
    assert "chose resource 99, and there are 0 to 5" in str(simulation.errors[0])
    assert "policy 'crashing' failed, seed 2: ZeroDivisionError" in str(simulation.errors[4])
    assert isinstance(simulation.errors[4].__cause__, ZeroDivisionError)
    records = of_simulation(simulation, "planner simulate").records
    assert [(record.solver, record.seed) for record in records[2:]] == list(simulation.failed)
    assert [record.status for record in records[2:]] == ["failed", "failed", "unsupported"] * 2
    assert "ZeroDivisionError" in (records[-2].traceback or "")
    assert simulation.unfinished == ()


def test_an_interrupt_keeps_what_there_is_and_names_what_is_missing() -> None:
    simulation = planner.simulate(SYSTEM, "rs,ctrl-c,lls", seeds=[3, 4])
    assert [(run.policy, run.seed) for run in simulation.runs] == [("rs", 3)]
    assert simulation.unfinished == (("ctrl-c", 3), ("lls", 3), ("rs", 4), ("ctrl-c", 4), ("lls", 4))


def test_an_interrupt_before_any_run_is_raised() -> None:
    with pytest.raises(KeyboardInterrupt):
        planner.simulate(SYSTEM, "ctrl-c,rs")


def test_runs_stand_by_seed_then_in_the_order_of_policies() -> None:
    told: list[tuple[str, int]] = []
    steps: list[int] = []
    simulation = planner.simulate(
        drawn(steps=200),
        ["rs", "lls, rs"],
        seeds="5,2-3",
        on_start=lambda policy, seed: told.append((policy, seed)),
        on_step=steps.append,
        on_run=lambda run: told.append((run.label, -run.seed)),
    )
    order = [(policy, seed) for seed in (5, 2, 3) for policy in ("rs", "lls")]
    assert [(run.policy, run.seed) for run in simulation.runs] == order
    assert told == [(policy, seed * sign) for policy, seed in order for sign in (1, -1)]
    assert steps == [100, 200] * 6
    assert list(simulation.policies) == ["rs", "lls"]


def test_a_policy_named_twice_in_other_words_runs_once() -> None:
    simulation = planner.simulate(
        SYSTEM, "clds:alpha=0.20, clds: alpha=0.2 ;,clds:update=ema;alpha=0.2", seeds=[1, 1]
    )
    assert [run.label for run in simulation.runs] == ["clds:alpha=0.2", "clds:alpha=0.2;update=ema"]


def test_without_seeds_it_is_the_systems_own() -> None:
    assert planner.simulate(SYSTEM, "rs").runs[0].seed == 1
    assert planner.simulate(TINY / "system-one.json", "rs").runs[0].seed == 1


def test_the_bound_belongs_to_a_seed_and_that_of_all_is_the_least() -> None:
    simulation = planner.simulate(SYSTEM, "rs,mct", seeds="1-3")
    bounds = [run.bound.mean_alor for run in simulation.runs]
    assert bounds[0::2] == bounds[1::2]
    assert len(set(bounds)) == 3
    assert simulation.bound.mean_alor == min(bounds)  # type: ignore[type-var]
    for run in simulation.runs:
        assert run.gap is not None
        assert 0 <= run.gap < 1
        assert run.gap == pytest.approx(1 - run.bound.mean_alor / run.metrics.mean)


def test_where_a_seed_has_no_bound_there_is_none_for_all_and_the_reason_is_told() -> None:
    none = planner.simulate(drawn(events=[Crash(3, one) for one in range(4)]), "rs", seeds="1-2")
    assert none.bound.mean_alor is None
    assert "no scheduler is left" in (none.bound.reason or "")
    assert none.runs[0].gap is None
    unasked = planner.simulate(SYSTEM, "rs", bound=False)
    assert (unasked.bound.mean_alor, unasked.bound.reason) == (None, "not asked for")


def test_regret_is_there_where_it_is_asked_for_and_0_for_the_reference() -> None:
    assert planner.simulate(SYSTEM, "rs").runs[0].metrics.regret is None
    rs, reference = planner.simulate(SYSTEM, "rs,reference", reference=True).runs
    assert rs.metrics.regret is not None
    assert 0 < rs.metrics.regret.mean < rs.metrics.regret.p95
    assert reference.metrics.regret is not None
    assert (reference.metrics.regret.mean, reference.metrics.regret.p95) == (0, 0)


def test_a_system_in_which_nothing_ever_arrives() -> None:
    rare = replace(traced([2, 1], [(0, 1.0)], 5), jobs=Arrivals(1e-9, Constant(1.0)))
    simulation = planner.simulate(rare, "rs,dealt,reference", reference=True)
    for run in simulation.runs:
        assert (run.metrics.mean, run.bound.mean_alor, run.gap) == (0, 0, 0)
        assert (run.metrics.regret, run.metrics.response, run.metrics.makespan) == (None, None, None)
    assert str(simulation).splitlines()[3].split()[:6] == ["rs", "0", "0", "0.00", "%", "-"]


def test_the_frame_has_a_row_a_run() -> None:
    simulation = planner.simulate(TINY / "system-one.json", "rs,lls", seeds="1-2", reference=True)
    frame = simulation.frame
    assert list(frame.columns) == list(COLUMNS)
    assert frame[["policy", "seed"]].to_numpy().tolist() == [["rs", 1], ["lls", 1], ["rs", 2], ["lls", 2]]
    row = frame.iloc[0]
    assert row.alor_mean == pytest.approx(8 / 6)
    assert (row.arrived, row.finished, row.running, row.queued, row.rejected) == (3, 3, 0, 0, 0)
    assert (row.makespan, row.utilisation, row.fairness, row.regret_mean) == (4.5, 0.75, 1, 0)
    assert row.alor_last_quarter == 0  # the last of six steps
    assert len(row.system_sha256) == 64


def test_the_series_has_a_row_a_step_and_a_column_a_run() -> None:
    series = planner.simulate(TINY / "system-one.json", "rs,clds:alpha=0.2", seeds="1-2").series
    assert isinstance(series, pd.DataFrame)
    assert series.index.name == "step"
    labels = [("rs", 1), ("clds:alpha=0.2", 1), ("rs", 2), ("clds:alpha=0.2", 2)]
    assert list(series.columns) == labels
    assert series.columns.names == ["policy", "seed"]
    assert series["rs", 2].tolist() == [1.5, 2, 2.5, 1.5, 0.5, 0]


def test_in_a_notebook_it_is_a_table_and_as_text_what_the_command_prints() -> None:
    simulation = planner.simulate(SYSTEM, "rs,lls")
    html = simulation._repr_html_()
    assert html.startswith("<table")
    assert "<td>lls</td>" in html
    assert "NaN" not in html
    assert str(simulation).startswith("drawn  4 schedulers, 6 resources, 50 steps, 1 seed\n")


def test_a_simulation_without_runs_has_empty_frames() -> None:
    simulation = planner.simulate(SYSTEM, "wrong")
    assert isinstance(simulation, Simulation)
    assert list(simulation.frame.columns) == list(COLUMNS)
    assert simulation.series.empty
    assert str(simulation) == ""


@pytest.mark.parametrize(
    ("seeds", "found"),
    [
        (3, [3]),
        ("3", [3]),
        ("1-4", [1, 2, 3, 4]),
        (" 2 , 5-6,2", [2, 5, 6]),
        ([7, 7, 0], [7, 0]),
        (range(2), [0, 1]),
        (np.arange(1, 4), [1, 2, 3]),
        (np.int64(5), [5]),
        ("2147483647", [2**31 - 1]),
    ],
)
def test_seeds(seeds: object, found: list[int]) -> None:
    assert seeds_of(seeds) == found  # type: ignore[arg-type]
    assert all(type(seed) is int for seed in seeds_of(seeds))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seeds", "text"),
    [
        ("", "'' are not of the form 1-10"),
        ("1-", "not of the form"),
        ("a", "not of the form"),
        ("1 2", "not of the form"),
        ("-1", "not of the form"),
        ("1.5", "not of the form"),
        ("3-1", "from 3 to 1 is empty"),
        ("1-999999999", "more than 10,000"),
        ("2147483648", "from 0 to 2147483647"),
        (-1, "from 0 to 2147483647, not -1"),
        ([1.5], "a whole number"),
        (1.5, "a whole number"),
        ([True], "a whole number"),
        ([], "between 1 and 10,000 seeds"),
        (range(MOST_SEEDS + 1), "between 1 and 10,000 seeds"),
    ],
)
def test_seeds_that_are_none(seeds: object, text: str) -> None:
    with pytest.raises(UsageError, match=text):
        seeds_of(seeds)  # type: ignore[arg-type]


def test_names_of_policies() -> None:
    assert policy_names("rs, lls,rs") == ["rs", "lls"]
    assert policy_names(["rs", "clds:alpha=0.2;update=additive,lls"]) == [
        "rs",
        "clds:alpha=0.2;update=additive",
        "lls",
    ]
    for empty in ("", " , ", [], [""]):
        with pytest.raises(UsageError, match="no policy is named"):
            policy_names(empty)
    with pytest.raises(UsageError, match="an empty name in 'rs,,lls'"):
        policy_names("rs,,lls")


@pytest.mark.parametrize(
    ("policies", "text"),
    [
        ("dmns", r"unknown policy 'dmns' \(did you mean 'dmms'\?\)"),
        ("exact", "unknown policy 'exact'"),
        ("clds:alhpa=0.2", r"policy 'clds' has no option 'alhpa' \(did you mean 'alpha'\?\)"),
        ("clds:alpha", "policy option 'alpha' is not of the form option=value"),
        ("clds:alpha=much", "'much' is not of type float"),
        ("clds:alpha=2", "'alpha' must be a number from 0 to 1, not 2"),
        ("clds:alpha=nan", "'alpha' must be a number from 0 to 1"),
        ("clds:update=weekly", "'update' must be one of ema, additive"),
        ("dmms:knowledge=all", "'knowledge' must be one of own, global"),
        ("rs:alpha=1", "'rs' has no option 'alpha'; it has none"),
    ],
)
def test_policies_and_options_that_there_are_not(policies: str, text: str) -> None:
    with pytest.raises(UsageError, match=text):
        planner.simulate(SYSTEM, policies)


def test_a_file_that_is_no_system_and_one_that_is_not_there() -> None:
    with pytest.raises(InputError, match="planner/cloud/1"):
        planner.simulate(SHIPPED / "cloud" / "tiny" / "tiny.json", "rs")
    with pytest.raises(InputError, match=r"nothing\.json"):
        planner.simulate(Path("nothing.json"), "rs")


def test_too_many_jobs_are_refused() -> None:
    with pytest.raises(Unsupported, match="more than can be held in memory"):
        planner.simulate(drawn(length=Constant(1e-9)), "rs")


def test_tables_that_no_memory_holds_are_the_policys_error() -> None:
    system = traced([1.0] * 8000, [(0, 1)], 2, schedulers=8000)
    simulation = planner.simulate(system, "osl,dmms,clds", bound=False)
    assert [run.policy for run in simulation.runs] == ["clds"]
    assert ["8,000 schedulers x 8,000 resources is too large" in str(e) for e in simulation.errors] == [
        True
    ] * 2


@dataclass(frozen=True)
class _Leaves:
    """Ends the process it runs in, as it thinks."""

    sees: Knowledge = Knowledge.NOTHING

    def open(self, setting: Setting) -> Session:  # noqa: ARG002 - the protocol's
        raise SystemExit(0)


def test_a_policy_cannot_end_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    leaves = catalog.Entry("leaves", "tests.test_simulating:_Leaves", "grid", "", "nothing")
    known = (*catalog.policies(), leaves)
    with monkeypatch.context() as patched:
        patched.setattr(catalog, "policies", lambda: known)
        simulation = planner.simulate(TINY / "system-one.json", "rs,leaves")
    assert [run.policy for run in simulation.runs] == ["rs"]
    assert isinstance(simulation.errors[0], SolverCrashed)
