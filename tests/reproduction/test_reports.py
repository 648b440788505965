"""The reports are written whole, and their judgements can fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.reproduction import cloud, dealt, grid
from tests.reproduction.scenarios import SCENARIOS, crossing, over_seeds, simulated, smoothed


def test_a_crossing_is_the_step_from_which_a_series_stays_below() -> None:
    found = simulated("small-60", ["lls", "rs"], [1], 400)
    lls, rs = found.runs
    step = crossing(lls, rs)
    assert step is not None
    below = smoothed(lls.metrics.series) < smoothed(rs.metrics.series)
    assert below[step:].all()
    assert not below[:step].any() or not below[step - 1]
    assert crossing(rs, lls) is None


def test_smoothing_is_the_mean_of_the_last_steps() -> None:
    series = np.arange(250.0)
    assert smoothed(series)[249] == pytest.approx(series[150:].mean())
    assert smoothed(series)[9] == pytest.approx(series[:10].mean())


def test_means_have_intervals() -> None:
    assert str(over_seeds([1.0, 2.0, 3.0])) == "2 ± 2.48"


@pytest.mark.slow
def test_both_reports_are_written(tmp_path: Path) -> None:
    grid.write(tmp_path, [1, 2], 200)
    dealt.write(tmp_path, [101, 102], 200)
    report = (tmp_path / "reproduction-grid.md").read_text(encoding="utf-8")
    assert report.count("| RS diverges |") == 1
    for name in SCENARIOS:
        assert report.count(f"| {name} |") >= 9
        assert (tmp_path / "figures" / f"grid-{name}.svg").stat().st_size > 10_000
    assert "| the full rule |" in (tmp_path / "dealt.md").read_text(encoding="utf-8")


def test_the_cloud_report_has_a_verdict_for_every_claim_on_both_families(tmp_path: Path) -> None:
    cloud.write(tmp_path)
    report = (tmp_path / "reproduction-cloud.md").read_text(encoding="utf-8")
    verdicts = [line for line in report.splitlines() if "**holds**" in line or "**fails**" in line]
    assert len(verdicts) == 12
    assert "| 60 | 3,500 | 3,500 (+0.00 %) |" in report  # the optimum of the published instance
    shipped = (Path(__file__).parents[2] / "docs" / "reproduction-cloud.md").read_text(encoding="utf-8")
    assert [line for line in shipped.splitlines() if "**" in line] == verdicts
