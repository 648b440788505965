"""Statistics of reports against values worked out by hand and against scipy."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from planner.report.cells import cell_frame, contradictions
from planner.report.families import families, family
from planner.report.pairs import holm, paired
from planner.report.profiles import by_problem, duels, profiles
from planner.report.standings import shifted_geometric_mean, standings
from planner.report.statistics import half_interval
from tests.report.reports import cloud_record, failed_record, policy_record


def test_a_profile_worked_out_by_hand() -> None:
    values = pd.DataFrame({"a": [1.0, 4.0, 2.0, np.nan], "b": [2.0, 2.0, 2.0, 5.0]})
    a, b = profiles(values)
    assert a.ratio.tolist() == [1.0, 2.0]
    assert a.share.tolist() == [0.5, 0.75], "the fourth problem is never solved"
    assert b.ratio.tolist() == [1.0, 2.0]
    assert b.share.tolist() == [0.75, 1.0]


def test_only_zero_is_within_a_factor_of_zero() -> None:
    a, b = profiles(pd.DataFrame({"a": [0.0, 1.0], "b": [1.0, 1.0]}))
    assert a.share.tolist() == [1.0]
    assert b.share.tolist() == [0.5]


def test_a_solver_that_solves_nothing_stays_at_zero() -> None:
    a, b = profiles(pd.DataFrame({"a": [np.nan, np.nan], "b": [1.0, 3.0]}))
    assert a.ratio.tolist() == [1.0]
    assert a.share.tolist() == [0.0]
    assert b.share.tolist() == [1.0]


def test_a_long_profile_is_thinned_and_still_ends_where_it_ends() -> None:
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"a": np.ones(5000), "b": 1 + rng.random(5000) * 99})
    _, b = profiles(table)
    assert b.ratio.size <= 201
    assert b.share[-1] == 1.0
    for ratio, share in zip(b.ratio[::37], b.share[::37], strict=True):
        assert share == np.mean(table["b"] <= ratio * (1 + 1e-12))


def test_duels_count_wins_ties_and_what_both_have() -> None:
    values = pd.DataFrame({"a": [1.0, 2.0, 3.0, 1.0], "b": [2.0, 2.0, 2.0, np.nan]})
    first, second = duels(values)
    assert (first.winner, first.wins, first.ties, first.both) == ("a", 1, 1, 3)
    assert (second.winner, second.wins, second.ties, second.both) == ("b", 1, 1, 3)


def test_holm_as_in_the_textbook() -> None:
    # Holm (1979): the smallest of three counts threefold, then twofold, and none may fall below the last.
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]) == []


def test_the_shifted_geometric_mean() -> None:
    assert shifted_geometric_mean(np.array([1.0, 7.0]), 1.0) == pytest.approx(math.sqrt(2 * 8) - 1)
    values = np.array([0.5, 3.0, 20.0])
    assert shifted_geometric_mean(values, 10.0) == pytest.approx(stats.gmean(values + 10) - 10)


def test_the_interval_is_that_of_scipy() -> None:
    values = [3.0, 4.5, 4.0, 7.0]
    interval = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert half_interval(values) == pytest.approx((interval.high - interval.low) / 2)


def test_pairs_are_instances_and_the_test_is_that_of_scipy() -> None:
    rng = np.random.default_rng(3)
    records = [
        cloud_record(f"i{n}", solver, value)
        for n in range(12)
        for solver, value in (("a", 100.0 + n), ("b", (100.0 + n) * (1 + float(rng.normal(0.02, 0.02)))))
    ]
    frame = cell_frame(records)
    found = paired(frame, ["a", "b"])
    assert found is not None
    (pair,) = found.pairs
    values = by_problem(frame, "objective")
    shares = (values["b"] / values["a"] - 1).to_numpy()
    assert (pair.first, pair.second, pair.pairs, pair.differing) == ("b", "a", 12, 12)
    assert pair.mean == pytest.approx(shares.mean())
    assert pair.p == pytest.approx(stats.wilcoxon(shares).pvalue)
    assert pair.adjusted == pair.p
    assert found.what == "the two values on one instance"


def test_seeds_of_many_instances_are_not_taken_for_independent_pairs() -> None:
    records = [
        cloud_record(f"i{n}", solver, 100.0 + n + seed + extra, seed=seed)
        for n in range(8)
        for seed in (1, 2, 3)
        for solver, extra in (("a", 0), ("b", 5 + n))
    ]
    found = paired(cell_frame(records), ["a", "b"])
    assert found is not None
    assert found.pairs[0].pairs == 8
    assert "means over seeds" in found.what


def test_seeds_are_the_pairs_where_there_is_one_instance_only() -> None:
    records = [
        policy_record("s", policy, seed, None, factor * (1 + seed / 100))
        for seed in range(1, 8)
        for policy, factor in (("a", 1.0), ("b", 2.0 + seed / 1000))
    ]
    found = paired(cell_frame(records), ["a", "b"])
    assert found is not None
    assert found.pairs[0].pairs == 7
    assert found.pairs[0].p == pytest.approx(2 / 2**7), "all seven differ in one direction"


def test_too_few_pairs_are_not_tested() -> None:
    records = [cloud_record(f"i{n}", s, 100.0 + n + x) for n in range(5) for s, x in (("a", 0), ("b", 1))]
    found = paired(cell_frame(records), ["a", "b"])
    assert found is not None
    assert found.pairs[0].p is None
    assert found.pairs[0].differing == 5


def test_what_never_differs_is_not_tested() -> None:
    records = [cloud_record(f"i{n}", s, 100.0) for n in range(9) for s in "ab"]
    found = paired(cell_frame(records), ["a", "b"])
    assert found is not None
    assert (found.pairs[0].p, found.pairs[0].differing, found.pairs[0].mean) == (None, 0, 0.0)


def test_many_solvers_are_paired_with_the_best_only() -> None:
    names = [f"s{n}" for n in range(9)]
    records = [cloud_record(f"i{i}", s, 100.0 + i + n) for i in range(3) for n, s in enumerate(names)]
    found = paired(cell_frame(records), names)
    assert found is not None
    assert [pair.second for pair in found.pairs] == ["s0"] * 8


def test_a_bound_that_one_proves_holds_for_all() -> None:
    frame = cell_frame(
        [
            cloud_record("i", "exact", 100.0, bound=100.0),
            cloud_record("i", "mp", 125.0, bound=50.0),
            cloud_record("i", "lucky", 100.0, bound=50.0),
            cloud_record("other", "mp", 80.0, bound=40.0),
        ]
    )
    assert frame["gap"].tolist() == pytest.approx([0.0, 0.2, 0.0, 0.5])
    assert frame["status"].tolist() == ["optimal", "feasible", "optimal", "feasible"]
    assert frame["excess"].tolist() == pytest.approx([0.0, 0.25, 0.0, 0.0])
    by_name = {one.solver: one for one in standings(frame)}
    assert by_name["lucky"].proven == 1.0
    assert by_name["mp"].mean_gap == pytest.approx(0.35)
    assert by_name["mp"].worst_gap == pytest.approx(0.5)


def test_what_is_proven_infeasible_is_nobodys_fault() -> None:
    frame = cell_frame(
        [
            cloud_record("i", "exact", None, status="infeasible"),
            cloud_record("i", "mp", None),
            cloud_record("j", "exact", 5.0, bound=5.0),
            cloud_record("j", "mp", None),
        ]
    )
    by_name = {one.solver: one for one in standings(frame)}
    assert by_name["exact"].proven == 1.0
    assert by_name["mp"].proven == 0.0
    assert frame["status"].tolist() == ["infeasible", "infeasible", "optimal", "unknown"]
    assert (by_name["mp"].planned, by_name["mp"].cells) == (0, 2)


def test_failed_cells_prove_nothing_and_count_as_cells() -> None:
    frame = cell_frame([cloud_record("i", "a", 10.0, bound=5.0), failed_record("i", "b", "boom")])
    by_name = {one.solver: one for one in standings(frame)}
    assert by_name["b"].time is None
    assert by_name["b"].proven == 0.0
    assert by_name["a"].mean_gap == pytest.approx(0.5)


def test_a_plan_below_a_bound_is_told() -> None:
    frame = cell_frame(
        [cloud_record("i", "liar", 110.0, bound=105.0), cloud_record("i", "honest", 100.0, bound=1.0)]
    )
    assert contradictions(frame)["solver"].tolist() == ["honest"]
    assert contradictions(cell_frame([cloud_record("i", "a", 1.0, bound=1.0)])).empty


def test_a_cell_that_failed_before_it_knew_its_goal_counts_with_the_others() -> None:
    lost = replace(failed_record("i", "b", "boom"), goal=None)
    frame = cell_frame([lost, cloud_record("i", "a", 1.0)])
    assert frame["goal"].tolist() == ["makespan", "makespan"]
    assert cell_frame([lost])["goal"].tolist() == ["objective"]


def test_a_plan_where_another_says_infeasible_is_told() -> None:
    frame = cell_frame([cloud_record("i", "a", None, status="infeasible"), cloud_record("i", "b", 1.0)])
    assert contradictions(frame)["solver"].tolist() == ["b"]


def test_policies_of_one_seed_share_a_bound_and_seeds_do_not() -> None:
    records = [policy_record("s", p, seed, None, 2.0) for seed in (1, 2) for p in ("a", "b")]
    frame = cell_frame(records)
    assert frame["problem"].tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("name", "budget", "expected"),
    [
        ("thai2015-b60", 60.0, "thai2015"),
        ("thai2015-160-b60", 60.0, "thai2015-160"),
        ("x budget=7.5", 7.5, "x"),
        ("x-60", 60.0, "x"),
        ("x-60", 61.0, "x-60"),
        ("b60", 60.0, "instances"),
        ("plain", 60.0, "plain"),
        ("", 60.0, ""),
    ],
)
def test_the_family_of_a_name(name: str, budget: float, expected: str) -> None:
    assert family(name, budget) == expected


def test_families_need_several_budgets() -> None:
    records = [cloud_record(f"f-b{b}", "a", 1.0, budget=float(b)) for b in (40, 45, 50)]
    records += [cloud_record("lone-b40", "a", 1.0, budget=40.0), cloud_record("none", "a", 1.0)]
    assert list(families(cell_frame(records))) == ["f"]
