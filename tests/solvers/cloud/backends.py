"""Backends for solver milp that do one thing each, right or wrong; PuLP loads them in the child process.

They are for `TINY`: two it2 need 50 s, which is optimal, one it1 needs 80 s, each for 2 money.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pulp

from tests.instances import bag, cloud, kind

TINY = cloud([bag("A1", (1, 10))], [kind("it1", 2, 8), kind("it2", 1, 10)], budget=2)
HERE = __name__
OPTIMAL, FEASIBLE, NOTHING, INFEASIBLE = 1, 2, 0, -1
OLD_PULP_OPTIMAL = pulp.LpStatusOptimal


class Stub(pulp.LpSolver):
    """Sets values by hand; `status` is what LpStatus says, `sol_status` the other one."""

    name = "STUB"
    values: tuple[float | None, ...] = ()
    status = OLD_PULP_OPTIMAL
    sol_status = OPTIMAL

    def available(self) -> bool:
        return True

    def actualSolve(self, lp: Any) -> int:  # noqa: N802 - PuLP's name
        variables = sorted(lp.variables(), key=lambda variable: int(variable.name[1:]))
        for variable, value in zip(variables, self.values, strict=False):
            variable.varValue = value
        lp.assignStatus(self.status, self.sol_status)
        return self.status


# In the order of the program: T, then x, u, h of it1's VM, and of the two VMs of it2, in ticks of 2 s.
BEST = (25, 0, 0, 0, 5, 1, 1, 5, 1, 1)
WORSE = (40, 10, 1, 1, 0, 0, 0, 0, 0, 0)


class Right(Stub):
    values = BEST


class LyingAtTheLimit(Stub):
    """What PuLP 3.3 makes of CBC at its time limit: LpStatus "Optimal", and a plan that is not."""

    values = WORSE
    sol_status = FEASIBLE


class Bounding(Right):
    """Tells its dual bound where PuLP's HiGHS does, a little above the truth as floats are."""

    bound = 25 + 1e-7

    def actualSolve(self, lp: Any) -> int:  # noqa: N802
        lp.solverModel = SimpleNamespace(getInfo=lambda: SimpleNamespace(mip_dual_bound=self.bound))
        return super().actualSolve(lp)


class Overclaiming(Bounding):
    values = WORSE
    bound = 41.0


class Unbounded(Bounding):
    bound = float("inf")


class LyingOutright(Stub):
    values = WORSE


class OverBudget(Stub):
    values = (20, 5, 1, 1, 5, 1, 1, 0, 0, 0)


class TooFew(Stub):
    values = (25, 0, 0, 0, 5, 1, 1, 4, 1, 1)


class Fractional(Stub):
    values = (25, 0, 0, 0, 4.5, 1, 1, 5.5, 1, 1)


class OutOfBounds(Stub):
    values = (25, 0, 0, 0, 11, 1, 1, -1, 1, 1)


class NoValues(Stub):
    """An early PuLP fault: "Optimal" with no value at all."""


class NotANumber(Stub):
    values = (float("nan"),) * 10


class Infeasible(Stub):
    status = pulp.LpStatusInfeasible
    sol_status = INFEASIBLE
    values = (-3, 1e30, 0.5, 0, 0, 0, 0, 0, 0, 0)


class NothingFound(Stub):
    status = pulp.LpStatusNotSolved
    sol_status = NOTHING
    values = (15.4, 0.5, 0.1, 0.1, 4.7, 0.6, 0.6, 4.8, 0.4, 0.4)


class Modest(Stub):
    """Has a plan and does not say so."""

    status = pulp.LpStatusNotSolved
    sol_status = NOTHING
    values = WORSE


class Raising(Stub):
    def actualSolve(self, lp: Any) -> int:  # noqa: ARG002, N802
        raise pulp.PulpSolverError("the backend broke")


class Crashing(Stub):
    def actualSolve(self, lp: Any) -> int:  # noqa: ARG002, N802
        os.write(2, b"last words\n")
        os.kill(os.getpid(), signal.SIGABRT)
        return 0


class Exiting(Stub):
    def actualSolve(self, lp: Any) -> int:  # noqa: ARG002, N802
        os._exit(7)


class CrashingLater(Right):
    """Its second program, the tie-break, is too much."""

    def actualSolve(self, lp: Any) -> int:  # noqa: N802
        mark = Path("second")
        if mark.exists():
            os._exit(7)
        mark.touch()
        return super().actualSolve(lp)


def _mark() -> None:
    """Tell the test that the backend runs."""
    if mark := os.environ.get("PLANNER_TEST_MARK"):
        Path(mark).touch()


class Hanging(Stub):
    """Ignores its limit and every polite request, with a child that does so, too."""

    def actualSolve(self, lp: Any) -> int:  # noqa: ARG002, N802
        deaf = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(300)"
        _mark()
        subprocess.Popen([sys.executable, "-c", f"{deaf}  # a child of a hanging backend"]).wait()
        return 0


class StoppingLate(Stub):
    """Goes on until it is asked to stop, then has a plan: what CBC does on Ctrl-C."""

    values = WORSE
    sol_status = FEASIBLE

    def actualSolve(self, lp: Any) -> int:  # noqa: N802
        asked: list[int] = []
        signal.signal(signal.SIGINT, lambda *_: asked.append(1))
        _mark()
        while not asked:
            time.sleep(0.02)
        return super().actualSolve(lp)


class Chatty(Right):
    def actualSolve(self, lp: Any) -> int:  # noqa: N802
        print("chatter of Python", flush=True)
        os.write(1, b'{"sol_status": 1}\n')
        os.system("echo chatter of a child")
        return super().actualSolve(lp)


class EarlyCBC(pulp.PULP_CBC_CMD):  # type: ignore[misc]
    """The real CBC, stopped at its first node."""

    def __init__(
        self,
        msg: bool = False,
        timeLimit: float | None = None,  # noqa: N803 - PuLP's names
        logPath: str | None = None,  # noqa: N803
    ) -> None:
        super().__init__(msg=msg, timeLimit=timeLimit, logPath=logPath, maxNodes=0)
