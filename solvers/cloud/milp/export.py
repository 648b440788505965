"""The program of an instance as a file for anyone's own solver (`planner export`)."""

from __future__ import annotations

from planner.cloud.instance import CloudInstance
from planner.errors import UsageError
from planner.goal import Goal
from solvers.cloud.milp import text
from solvers.cloud.milp.model import Model, build
from solvers.cloud.ticks import Ticks

_WRITERS = {"mps": text.mps, "lp": text.lp}


class Export:
    """Writes the paper's program of cloud instances (planner.solver.Exporter)."""

    formats = tuple(_WRITERS)

    def write(self, instance: CloudInstance, goal: Goal, form: str) -> str:
        """The program as text, the same for the same instance, goal and form.

        Raises `UsageError` for an unknown form and `Unsupported` where the program is too large.
        """
        if form not in _WRITERS:
            raise UsageError(f"unknown format {form!r}; choose from: {', '.join(_WRITERS)}")
        model = build(Ticks.of(instance, "up"))
        return _WRITERS[form](model.program, model.objective(goal), _header(model, goal))


def _header(model: Model, goal: Goal) -> list[str]:
    ticks = model.ticks
    unit = (
        f"T, in ticks of {ticks.seconds_per_tick} s"
        if goal is Goal.MAKESPAN
        else f"the bill, in coins of {ticks.money_per_coin}"
    )
    lines = [
        f"Cloud instance {ticks.instance.name!a} as an integer program, by gridcloud-planner.",
        f"Minimise {unit}. Times are in ticks, money is in coins.",
        "x(type,VM,application,size): tasks on a VM.  u(type,VM): 1 if rented.  h(type,VM): quanta billed.",
        f"A quantum is {ticks.quantum} ticks. A tick is {ticks.seconds_per_tick} s, "
        f"a coin {ticks.money_per_coin} of the instance's money.",
    ]
    if ticks.rounded:
        lines.append("Times and prices are rounded up: its plans hold for the instance, its bounds do not.")
    return lines
