"""Write a reproduction report to docs/: `python -m tests.reproduction cloud|grid|dealt [--seeds 1-10]`."""

from __future__ import annotations

import argparse
from pathlib import Path

from planner.seeds import seeds_of
from tests.reproduction import cloud, dealt, grid

DOCS = Path(__file__).parents[2] / "docs"


def main() -> None:
    """Run what is asked for, and write it whole."""
    parser = argparse.ArgumentParser(prog="python -m tests.reproduction", description=__doc__)
    parser.add_argument("which", choices=["cloud", "grid", "dealt"])
    parser.add_argument("--seeds", help="seeds of the runs (default: 1-10; dealt: 101-110)")
    parser.add_argument("--steps", type=int, default=4000, help="steps of each run (default 4000)")
    parser.add_argument("--docs", type=Path, default=DOCS, help="where the report goes (default docs/)")
    wanted = parser.parse_args()
    if wanted.which == "cloud":
        cloud.write(wanted.docs)
        return
    write = grid.write if wanted.which == "grid" else dealt.write
    seeds = seeds_of(wanted.seeds or ("1-10" if wanted.which == "grid" else "101-110"))
    write(wanted.docs, seeds, wanted.steps)


if __name__ == "__main__":
    main()
