"""Instances: defaults, classes of equal tasks, and what counts as the same."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import pytest

from planner.cloud.instance import (
    Application,
    Billing,
    CloudInstance,
    InstanceType,
    Notes,
    TaskGroup,
    classes,
)
from tests.instances import bag, cloud, kind


def test_an_instance_without_options_is_the_papers_model() -> None:
    bare = CloudInstance("x", (bag("A", (1, 1)),), (InstanceType("t", Fraction(1), (Fraction(1),)),))
    assert (bare.budget, bare.deadline, bare.max_vms, bare.startup) == (None, None, None, 0)
    assert bare.billing == Billing(Fraction(3600), Fraction(0))
    assert (bare.instance_types[0].fee, bare.instance_types[0].max_instances) == (0, None)


def test_classes_are_by_application_then_size_over_all_entries() -> None:
    named = Application("B", (TaskGroup(Fraction(2), 2, ("x", "y")), TaskGroup(Fraction(2), 1)))
    instance = replace(cloud([bag("A", (3, 1), (1, 2), (3, 4))], [kind("t", 1, 1)]))
    instance = replace(instance, applications=(*instance.applications, named))
    assert list(classes(instance)) == [(0, 1, 2), (0, 3, 5), (1, 2, 3)]
    assert instance.task_count == 10


@pytest.mark.parametrize(("own", "used"), [(None, 30), (0, 0), (5, 5)])
def test_a_types_own_start_up_replaces_the_instances(own: int | None, used: int) -> None:
    instance = cloud([bag("A", (1, 1))], [kind("t", 1, 1, startup=own)], startup=30)
    assert instance.startup_of(instance.instance_types[0]) == used


def test_notes_and_the_files_hash_do_not_make_another_instance() -> None:
    instance = cloud([bag("A", (1, 1))], [kind("t", 1, 1)])
    assert replace(instance, notes=Notes(description="other"), sha256="0" * 64) == instance
    assert replace(instance, budget=Fraction(1)) != instance


def test_instances_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        cloud([bag("A", (1, 1))], [kind("t", 1, 1)]).name = "other"  # type: ignore[misc]
