"""What the README shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from planner.cli.app import cli

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_plan_shown_is_the_plan_found() -> None:
    shown = re.search(r"\$ planner solve (\S+)\n(.*?)\n\$", README, re.DOTALL)
    assert shown is not None
    printed = CliRunner().invoke(cli, ["solve", str(ROOT / shown[1])], standalone_mode=False)
    lines = [line for line in shown[2].splitlines() if "stopped" not in line]
    assert lines == [line for line in printed.output.splitlines() if "stopped" not in line]


def test_the_reason_shown_is_the_reason_found() -> None:
    shown = re.search(r"\$ planner solve (\S+); echo \$\?\n…\n(.*?)\n4\n", README, re.DOTALL)
    assert shown is not None
    printed = CliRunner().invoke(cli, ["solve", str(ROOT / shown[1])], standalone_mode=False)
    assert shown[2] in printed.output.splitlines()
    assert printed.return_value == 4


def test_the_python_of_the_readme_runs(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert code is not None
    script = code[1].replace('"instances/', f'"{ROOT}/instances/')
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("optimal 3500 60 0\n")
    assert (tmp_path / "b60.result.json").exists()
