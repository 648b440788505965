"""Benchmark tables in Markdown: `python -m tests.bench cloud|grid|studies [--limit S] [--largest N]`."""

from __future__ import annotations

import argparse
import os
import platform
from importlib import metadata

from tests.bench import cloud, grid, simulations, studies


def main() -> None:
    """Print the machine, the versions, and one table a question."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("which", choices=["cloud", "grid", "studies"])
    parser.add_argument("--limit", type=float, default=60, help="seconds for each call (default 60)")
    parser.add_argument("--largest", type=int, default=1_000_000, help="most tasks of a generated instance")
    wanted = parser.parse_args()
    versions = ", ".join(
        f"{name} {metadata.version(name)}"
        for name in ("gridcloud-planner", "ortools", "pulp", "numba", "scipy", "simpy")
    )
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {versions}\n")
    if wanted.which == "cloud":
        tables = [cloud.peers(wanted.limit), cloud.growth(wanted.limit, wanted.largest)]
    elif wanted.which == "studies":
        tables = [studies.rates()]
    else:
        tables = [grid.steps(), grid.goals(wanted.limit), simulations.peers(), simulations.policies()]
    for table in tables:
        for row in table:
            print(row, flush=True)
        print()


if __name__ == "__main__":
    main()
