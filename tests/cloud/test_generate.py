"""Generated instances: the same for the same seed, of the size asked for, and kept by a file."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from planner import files
from planner.cloud.generate import Machine, generate, machines
from planner.cloud.instance import HOUR, Billing, CloudInstance, classes

OFFERS = machines(6, seed=3)


def _small(**changes: object) -> CloudInstance:
    settings: dict[str, object] = {"applications": 2, "sizes": 3, "tasks_per_class": 5, "seed": 4}
    return generate(OFFERS, **{**settings, **changes})  # type: ignore[arg-type]


def test_the_seed_decides_everything() -> None:
    assert _small() == _small()
    assert _small(seed=5) != _small()
    assert machines(6, seed=3) == OFFERS
    assert machines(6, seed=4) != OFFERS


def test_numbers_are_those_of_this_seed_on_every_machine() -> None:
    first = _small().instance_types[0]
    assert [str(first.price), *map(str, first.seconds_per_unit)] == ["6723/10000", "317/500", "361/125"]


def test_it_has_the_size_asked_for() -> None:
    instance = _small()
    assert instance.task_count == 2 * 3 * 5
    assert [(a, size, n) for a, size, n in classes(instance)] == [
        (a, Fraction(size), 5) for a in range(2) for size in (1, 2, 3)
    ]
    assert len(instance.instance_types) == 6


def test_the_budget_is_a_multiple_of_the_least_money() -> None:
    instance = _small(budget_factor=3)
    units = 5 * (1 + 2 + 3)
    least = sum(
        units * min(item.price * (item.seconds_per_unit[a] or 0) for item in instance.instance_types) / HOUR
        for a in range(2)
    )
    assert instance.budget is not None
    assert 3 * least <= instance.budget < 3 * least + Fraction(1, 100)
    assert _small(budget_factor=None).budget is None


def test_settings_are_taken_over() -> None:
    instance = _small(startup=7, billing=Billing(Fraction(1), Fraction(60)), name="mine")
    assert (instance.name, instance.startup, instance.billing.minimum) == ("mine", 7, 60)


def test_longer_units_make_longer_tasks() -> None:
    short, long = _small(), _small(unit_seconds=(200, 2000))
    for a, b in zip(short.instance_types, long.instance_types, strict=True):
        for x, y in zip(a.seconds_per_unit, b.seconds_per_unit, strict=True):
            assert x is not None
            assert y is not None
            assert y == pytest.approx(100 * x, rel=0.02)


def test_dearer_machines_are_faster_on_the_whole() -> None:
    offers = sorted(machines(200), key=lambda machine: machine.price)
    cheap, dear = offers[:50], offers[-50:]
    assert max(machine.speed for machine in cheap) < min(machine.speed for machine in dear)


def test_real_offers_can_be_handed_in() -> None:
    instance = generate(
        [Machine("a", Fraction("0.1"), 4.0), Machine("b", Fraction("0.2"), 9.0)],
        applications=1,
        sizes=1,
        tasks_per_class=1,
    )
    assert [item.name for item in instance.instance_types] == ["a", "b"]


def test_a_file_keeps_it(tmp_path: Path) -> None:
    instance = _small()
    files.write(instance, tmp_path / "made.json")
    assert files.read(tmp_path / "made.json") == instance
