"""The cells of a study: what is crossed with what, and the key that says when two cells are the same."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from planner.errors import Fault, InputError, UsageError
from planner.goal import Goal
from planner.kinds import KINDS
from planner.run import packages
from planner.studies.problems import GRID, Problem
from planner.studies.spec import Choice, Study, seed_of
from planner.studies.task import Task
from solvers import catalog

MOST_CELLS = 2_000_000
"""More would fill the memory; a store takes the cells of any number of studies."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One solver or policy on one problem with one goal and seed. `key` is a hash of all that matters."""

    key: str
    problem: Problem
    choice: Choice
    goal: str | None
    seed: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The cells of a study, each once, in the order in which they run; `notes` are worth telling."""

    study: Study
    problems: tuple[Problem, ...]
    cells: tuple[Cell, ...]
    notes: tuple[str, ...]

    @property
    def entries(self) -> tuple[catalog.Entry, ...]:
        """The solvers and policies of the study, as the catalog has them."""
        solvers = (catalog.find(choice.name) for choice in self.study.solvers)
        return (*solvers, *(catalog.find_policy(choice.name) for choice in self.study.policies))

    def task(self, cell: Cell) -> Task:
        """The cell as a worker gets it."""
        study, problem = self.study, cell.problem
        entry = _entry(cell.choice.name, problem.kind)
        return Task(
            key=cell.key,
            path=str(problem.path.absolute()),
            sha256=problem.sha256,
            trace=problem.trace,
            trace_sha256=problem.trace_sha256,
            instance=problem.name,
            kind=problem.kind,
            solver=cell.choice.name,
            options=dict(cell.choice.options),
            goal=cell.goal,
            seed=cell.seed,
            time_limit=study.time_limit,
            memory_limit=study.memory_limit,
            threads=study.threads,
            reference=study.reference,
            series=study.series,
            bound=study.bound,
            versions=packages(entry),
        )


def plan_of(study: Study, problems: Sequence[Problem]) -> Plan:
    """The cells that the study makes of these problems.

    Solvers run on instances of their kind, policies on systems; a goal that a solver's kind does not have is
    passed over, one that only the solver lacks makes a cell, whose result will be `unsupported`. Problems of
    the same content are one, under the first one's name. Raises `InputError` where a solver, policy or
    objective fits nothing in the study.
    """
    notes: list[str] = []
    distinct = list(_distinct(problems, notes))
    _refuse_misfits(study, distinct)
    kinds = {_entry_kind(choice) for choice in study.solvers} | ({GRID} if study.policies else set())
    for problem in distinct:
        if problem.kind not in kinds:
            notes.append(f"nothing in this study runs on {problem.name} ({problem.kind}, {problem.path})")
    rounds = max(1, len(study.seeds or ())) * study.repetitions
    count = rounds * sum(1 for problem in distinct for _ in _runs(study, problem))
    if count > MOST_CELLS:
        text = f"makes {count:,} cells, and a study can have {MOST_CELLS:,}; make several of it"
        raise InputError(study.source, [Fault("", text)])
    cells: dict[str, Cell] = {}
    # Seeds outermost: after the first, the time that every solver takes on every instance is known.
    for order in range(rounds):
        for problem in distinct:
            seed = _seed(study, problem, order)
            for choice, goal in _runs(study, problem):
                cell = Cell(_key(study, problem, choice, goal, seed), problem, choice, goal, seed)
                cells.setdefault(cell.key, cell)
    return Plan(study, tuple(distinct), tuple(cells.values()), tuple(notes))


def shard_of(cells: Iterable[Cell], index: int, count: int) -> tuple[Cell, ...]:
    """The cells of shard `index`, from 1, of `count`; each is in one, whatever the order of files is.

    Raises `UsageError` where there is no such shard.
    """
    if not 1 <= index <= count:
        raise UsageError(f"there is no shard {index} of {count}; shards are counted from 1")
    return tuple(cell for cell in cells if int(cell.key[:15], 16) % count == index - 1)


def _distinct(problems: Sequence[Problem], notes: list[str]) -> Iterator[Problem]:
    """Yield the problems, each content once; notes tell of the others and of names that stand twice."""
    first: dict[str, Problem] = {}
    for problem in problems:
        same = first.setdefault(problem.content, problem)
        if same is problem:
            yield problem
        else:
            notes.append(f"{problem.path} has the content of {same.path}: its cells are run and shown once")
    for name, count in Counter(problem.name for problem in first.values()).items():
        if count > 1:
            notes.append(f"{count} different files hold an instance called {name}; reports tell them by hash")


def _refuse_misfits(study: Study, problems: Sequence[Problem]) -> None:
    kinds = {problem.kind for problem in problems}
    faults = []
    for choice in study.solvers:
        if _entry_kind(choice) not in kinds:
            text = f"solver {choice.label!r} is for {_entry_kind(choice)} problems; this study has none"
            faults.append(Fault(choice.place, text))
    if GRID not in kinds:
        faults += [
            Fault(choice.place, f"policy {choice.label!r} is for grid systems; this study has none")
            for choice in study.policies
        ]
    goals = {goal for choice in study.solvers for goal in KINDS[_entry_kind(choice)].goals}
    for goal in study.goals:
        if goal not in goals:
            faults.append(Fault("objective", f"no solver of this study is for problems with a {goal}"))
    if faults:
        raise InputError(study.source, faults)


def _runs(study: Study, problem: Problem) -> Iterator[tuple[Choice, str | None]]:
    """Yield all that runs on the problem with each seed: solver or policy, and goal."""
    if problem.kind == GRID:
        for policy in study.policies:
            yield policy, None
        return
    possible = KINDS[problem.kind].goals
    for solver in study.solvers:
        entry = catalog.find(solver.name)
        if entry.kind != problem.kind:
            continue
        for goal in study.goals or (Goal(entry.goals[0]),):
            if goal in possible:
                yield solver, goal.value


def _seed(study: Study, problem: Problem, order: int) -> int:
    """The seed of that problem in that place of the order of seeds and repetitions."""
    seeds = study.seeds or (1 if problem.seed is None else problem.seed,)
    repetition, index = divmod(order, len(seeds))
    return seed_of(seeds[index], repetition + 1)


def _key(study: Study, problem: Problem, choice: Choice, goal: str | None, seed: int) -> str:
    """SHA-256 over canonical JSON of all that decides on a result, and of nothing else."""
    what: dict[str, object] = {
        "instance": problem.content,
        "solver": choice.name,
        "options": _canonical(choice.options),
        "seed": seed,
        "time_limit": study.time_limit,
        "memory_limit": study.memory_limit,
        "versions": packages(_entry(choice.name, problem.kind)),
    }
    if problem.kind == GRID:
        what |= {"reference": study.reference, "series": study.series, "bound": study.bound}
    else:
        what |= {"goal": goal, "threads": study.threads}
    text = json.dumps(what, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _canonical(options: Mapping[str, object]) -> dict[str, object]:
    """The options with one spelling for each number: 1 and 1.0 are the same."""
    return {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in options.items()
    }


def _entry_kind(choice: Choice) -> str:
    return catalog.find(choice.name).kind


def _entry(name: str, kind: str) -> catalog.Entry:
    return catalog.find_policy(name) if kind == GRID else catalog.find(name)
