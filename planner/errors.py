"""Every error this project raises on purpose, and the exit code each one means.

A message says what is wrong, where, and what to do; the command line prints it and never a traceback.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# A message with more lines than this is not read; `InputError.faults` has them all.
SHOWN_FAULTS = 100


class PlannerError(Exception):
    """Root of all errors raised on purpose; `exit_code` is what the command line ends with."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with an input: `path` inside the file (`applications[0].name`), and what is wrong."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message

    def of(self, source: str) -> Fault:
        """The same fault with its file in the path."""
        return Fault(": ".join(filter(None, (source, self.path))), self.message)


class InputError(PlannerError):
    """A file or value that does not say a valid instance or plan; carries all its faults at once.

    `source` is the file; it is empty where faults of several files are told together, with their files in
    the faults' paths.
    """

    exit_code = 3

    def __init__(self, source: str, faults: Iterable[Fault]) -> None:
        self.source = source
        self.faults = tuple(faults)
        lines = [f"{source}: {fault}" if source else str(fault) for fault in self.faults[:SHOWN_FAULTS]]
        if len(self.faults) > SHOWN_FAULTS:
            lines.append(f"and {len(self.faults) - SHOWN_FAULTS} more")
        super().__init__("\n".join(lines))

    @classmethod
    def joined(cls, errors: Sequence[InputError]) -> InputError:
        """All faults of several files as one error; the error itself where there is only one."""
        if len(errors) == 1:
            return errors[0]
        return cls("", [fault.of(error.source) for error in errors for fault in error.faults])


class SimulationNeeded(InputError):
    """A grid system where an instance to solve is needed: there is nothing wrong with it but its kind."""

    exit_code = 2

    def __init__(self, source: str) -> None:
        """`source` is the file of the system, or its name."""
        super().__init__(source, [Fault("", "is a grid system, which is not solved; use planner simulate")])


class UsageError(PlannerError):
    """A call that cannot be carried out as asked: an unknown solver, option or goal."""

    exit_code = 2


class Unsupported(PlannerError):
    """A solver met a feature of the instance, or a goal, that it does not handle; the message names it."""

    exit_code = 2


class BackendMissing(PlannerError):
    """A solver needs a package or program that is not installed; the message names the fix."""

    exit_code = 2


class CheckFailed(PlannerError):
    """A solver's answer contradicts the checker: a broken rule, or a bound above a checked objective."""

    exit_code = 6

    def __init__(self, violations: Iterable[str]) -> None:
        self.violations = tuple(violations)
        super().__init__("\n".join(self.violations))


class SolverCrashed(PlannerError):
    """A solver raised an error of its own; the cause is attached."""
