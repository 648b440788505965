"""Importing costs nothing until a file is read."""

from __future__ import annotations

import subprocess
import sys

import pytest

from planner import files


def test_importing_the_package_imports_no_pydantic() -> None:
    code = "import sys, planner, planner.files; print('pydantic' in sys.modules, 'simplejson' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("name", files.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert name in dir(files)
    assert callable(getattr(files, name))


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'raed'"):
        _ = files.raed
