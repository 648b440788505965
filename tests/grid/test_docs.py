"""The policy in docs/simulation.md is one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from planner.grid.distribution import Constant, Uniform
from planner.grid.simulation import run
from planner.grid.system import Arrivals, Drawn, GridSystem, counted_schedulers
from planner.grid.workload import draw

PAGE = Path(__file__).parents[2] / "docs" / "simulation.md"


def test_the_policy_of_the_page_uses_as_many_resources_as_its_option_says() -> None:
    source = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert source is not None
    names: dict[str, Any] = {}
    exec(source[1], names)
    system = GridSystem(
        "page", counted_schedulers(3), 50, Drawn(12, Uniform(1, 10)), Arrivals(0.5, Constant(20))
    )
    one, twelve = (run(draw(system, 1), names["Fastest"](best)).fairness for best in (1, 12))
    assert one < twelve
