"""Watching which way the exact solver took."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest


def spy(monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any]) -> list[Any]:
    """Record what `function` returns, wherever a module of solvers.cloud uses it by name."""
    returned: list[Any] = []

    def recorded(*arguments: object, **keywords: object) -> Any:
        result = function(*arguments, **keywords)
        returned.append(result)
        return result

    replace_everywhere(monkeypatch, function, recorded)
    return returned


def replace_everywhere(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], stand_in: Callable[..., Any]
) -> None:
    """Put `stand_in` in the place of `function` in every module of solvers.cloud that uses it."""
    users = [
        module
        for name, module in list(sys.modules.items())
        if name.startswith("solvers.cloud") and getattr(module, function.__name__, None) is function
    ]
    assert users
    for module in users:
        monkeypatch.setattr(module, function.__name__, stand_in)
