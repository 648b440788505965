"""The store of a study: one SQLite file with what came of each cell, and which cells somebody is at.

Its journal is a write-ahead log and every cell a transaction, so that a process killed at any moment loses
only what it had not put here. A claim is a row that names its claimer; whether that still lives is for
`planner.studies.claims` to say.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from planner.errors import Fault, InputError, PlannerError, UsageError
from planner.studies.claims import Claimer, is_alive
from planner.studies.task import Outcome, State, Task

APPLICATION = 0x50535431
"""What SQLite keeps in the file's head to tell whose it is: PST1."""

VERSION = 1

_SCHEMA = f"""
CREATE TABLE cells (
  key TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('done', 'failed')),
  status TEXT NOT NULL,
  instance TEXT NOT NULL,
  instance_sha256 TEXT NOT NULL,
  kind TEXT NOT NULL,
  solver TEXT NOT NULL,
  options TEXT NOT NULL,
  goal TEXT,
  seed INTEGER NOT NULL,
  seconds REAL,
  result TEXT,
  error TEXT,
  traceback TEXT,
  code INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL);
CREATE TABLE runs (id INTEGER PRIMARY KEY, command TEXT NOT NULL, environment TEXT NOT NULL);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""

_WAIT_SECONDS = 60.0
"""How long a transaction waits for those of others; each takes milliseconds."""

_AT_ONCE = 500
"""Keys in one query: SQLite limits the number of parameters."""


class StoreFullError(PlannerError):
    """The store could not be written for a reason outside of it, as a full disk; what is in it stays."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the store has of a cell: its state, and how often it has been run."""

    state: State
    attempts: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """What came of asking for cells: those now ours, those that need nobody, and those another is at."""

    taken: tuple[Task, ...] = ()
    settled: tuple[Task, ...] = ()
    busy: tuple[Task, ...] = ()


class Store:
    """An open store; a context manager that closes it."""

    def __init__(self, path: Path, *, write: bool) -> None:
        """Opens the file; with `write` it is made where it is missing.

        Raises `InputError` (no store, corrupted), `UsageError` (may not be written), `StoreFullError`.
        """
        self.path = path
        with _told(path):
            self._db = _connected(path, write)
        try:
            with _told(path):
                self._prepare(write)
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._db.close()

    def known(self, keys: Iterable[str]) -> dict[str, Known]:
        """What there is of these cells, by key."""
        found: dict[str, Known] = {}
        with _told(self.path):
            for some in _chunks(list(keys)):
                rows = self._db.execute(
                    f"SELECT key, state, attempts FROM cells WHERE key IN ({_marks(some)})", some
                )
                found.update((key, Known(State(state), attempts)) for key, state, attempts in rows)
        return found

    def outcomes(self, keys: Iterable[str], states: Sequence[State] = tuple(State)) -> Iterator[Outcome]:
        """Yield what came of those of these cells that ran and are in one of the states, in any order."""
        columns = "key, state, status, seconds, result, error, traceback, code"
        wanted = [state.value for state in states]
        query = f"SELECT {columns} FROM cells WHERE state IN ({_marks(wanted)}) AND key IN"
        with _told(self.path):
            for some in _chunks(list(keys)):
                for key, state, *rest in self._db.execute(f"{query} ({_marks(some)})", [*wanted, *some]):
                    yield Outcome(key, State(state), *rest)

    def claim(self, tasks: Iterable[Task], claimer: Claimer, seen: Mapping[str, Known]) -> Claimed:
        """Make cells ours that are still to be run, in one transaction; nobody else runs them from now on.

        `seen` has what is to be run although it is in the store, as it was: a cell that somebody has run
        again since then is settled.
        """
        taken, settled, busy = [], [], []
        wanted = list(tasks)
        with _told(self.path), self._transaction():
            known = self.known(task.key for task in wanted)
            owners = self._owners([task.key for task in wanted])
            alive = {owner: is_alive(self.path, owner) for owner in set(owners.values()) - {claimer.name}}
            for owner in [owner for owner, lives in alive.items() if not lives]:
                self._db.execute("DELETE FROM claims WHERE owner = ?", (owner,))
            for task in wanted:
                there = known.get(task.key)
                if there is not None and there != seen.get(task.key):
                    settled.append(task)
                elif alive.get(owners.get(task.key, ""), False):
                    busy.append(task)
                else:
                    taken.append(task)
            rows = [(task.key, claimer.name) for task in taken]
            self._db.executemany("INSERT OR REPLACE INTO claims VALUES (?, ?)", rows)
        return Claimed(tuple(taken), tuple(settled), tuple(busy))

    def put(self, task: Task, outcome: Outcome) -> None:
        """Store what came of a claimed cell, and give up the claim, in one transaction."""
        row = (
            *(outcome.key, outcome.state.value, outcome.status, task.instance, task.sha256, task.kind),
            *(task.solver, json.dumps(dict(task.options)), task.goal, task.seed),
            *(outcome.seconds, outcome.result, outcome.error, outcome.traceback, outcome.code),
        )
        with _told(self.path), self._transaction():
            self._db.execute(f"{_INSERT} ({', '.join('?' * len(row))}, 1) {_RUN_AGAIN}", row)
            self._db.execute("DELETE FROM claims WHERE key = ?", (outcome.key,))

    def release(self, claimer: Claimer) -> None:
        """Give up all claims of this claimer."""
        with _told(self.path), self._transaction():
            self._db.execute("DELETE FROM claims WHERE owner = ?", (claimer.name,))

    def note_run(self, command: str, environment: Mapping[str, str]) -> None:
        """Keep which command ran here, on what."""
        with _told(self.path), self._transaction():
            values = (command, json.dumps(environment))
            self._db.execute("INSERT INTO runs (command, environment) VALUES (?, ?)", values)

    def last_run(self) -> tuple[str, dict[str, str]] | None:
        """The command that ran here last, and on what."""
        with _told(self.path):
            row = self._db.execute(
                "SELECT command, environment FROM runs ORDER BY id DESC LIMIT 1"
            ).fetchone()
        return None if row is None else (row[0], json.loads(row[1]))

    def add_all(self, other: Path) -> int:
        """Take over another store's cells; how many were new or better. Results win over failures."""
        with Store(other, write=False):
            pass  # says what is wrong with it, under its own name
        before = self._db.total_changes
        with _told(self.path):
            self._db.execute("ATTACH DATABASE ? AS other", (_reading(other),))
            try:
                with self._transaction():
                    self._db.execute(f"INSERT INTO cells SELECT * FROM other.cells WHERE true {_BETTER}")
                    changed = self._db.total_changes - before
                    self._db.execute(
                        "INSERT INTO runs (command, environment) SELECT command, environment FROM other.runs"
                    )
            finally:
                self._db.execute("DETACH DATABASE other")
        return changed

    def _owners(self, keys: list[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for some in _chunks(keys):
            found.update(
                self._db.execute(f"SELECT key, owner FROM claims WHERE key IN ({_marks(some)})", some)
            )
        return found

    def _prepare(self, write: bool) -> None:
        application = self._db.execute("PRAGMA application_id").fetchone()[0]
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application != APPLICATION and (tables or not write):
            raise _no_store(self.path, "is an SQLite file, but no store of a study")
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if application == APPLICATION and version != VERSION:
            raise _no_store(self.path, f"is a store of version {version}; this program reads {VERSION}")
        if not write:
            return
        self._db.execute("PRAGMA journal_mode = WAL")
        # Every transaction is safe from a kill; only a power cut may take back the last ones.
        self._db.execute("PRAGMA synchronous = NORMAL")
        with self._transaction():  # two runs may be at this at once
            if not self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    self._db.execute(statement)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # SQLite may have rolled back by itself
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


_INSERT = """INSERT INTO cells
  (key, state, status, instance, instance_sha256, kind, solver, options, goal, seed,
   seconds, result, error, traceback, code, attempts) VALUES"""
_SET = ", ".join(
    f"{name} = excluded.{name}"
    for name in ("state", "status", "seconds", "result", "error", "traceback", "code")
)
_RUN_AGAIN = f"ON CONFLICT (key) DO UPDATE SET {_SET}, attempts = attempts + 1"
_BETTER = (
    f"ON CONFLICT (key) DO UPDATE SET {_SET}, attempts = attempts + excluded.attempts "
    "WHERE state = 'failed' AND excluded.state = 'done'"
)


def _connected(path: Path, write: bool) -> sqlite3.Connection:
    if write:
        _refuse_unwritable(path)
        return _connect(_uri(path, "mode=rwc"))
    if not path.exists():
        raise _no_store(path, "there is no such store; planner study run makes it")
    db = _connect(_reading(path))
    db.execute("PRAGMA query_only = ON")
    return db


def _reading(path: Path) -> str:
    """The URI by which SQLite can read the store."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return _uri(path, "mode=rw")  # so that it can tidy up behind itself
    if Path(f"{path}-wal").exists():
        return _uri(path, "mode=ro")
    # On a read-only disk it cannot make the files of a log; where none is left, none is needed.
    return _uri(path, "immutable=1")


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, timeout=_WAIT_SECONDS, isolation_level=None, uri=True)


def _uri(path: Path, how: str) -> str:
    return f"{path.absolute().as_uri()}?{how}"


def _refuse_unwritable(path: Path) -> None:
    folder = path.parent
    if path.is_dir():
        raise UsageError(f"the store {path} is a folder; a file's name is needed")
    if not folder.is_dir():
        raise UsageError(f"the store {path} cannot be made: there is no folder {folder}")
    for place in (path, folder) if path.exists() else (folder,):
        if not os.access(place, os.W_OK):
            what = (
                "may not be written"
                if place is path
                else f"needs files beside it, and {folder} may not be written"
            )
            raise UsageError(f"the store {path} {what}: permission denied or a read-only disk")


def _no_store(path: Path, message: str) -> InputError:
    return InputError(str(path), [Fault("", message)])


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """SQLite's errors as ours."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            text = f"is no store, or a damaged one (SQLite: {error}); move it away, or restore it from a copy"
            raise _no_store(path, text) from error
        if name.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")):
            raise UsageError(f"the store {path} may not be written: {error}") from error
        if name.startswith("SQLITE_CANTOPEN"):
            raise UsageError(f"the store {path} cannot be opened: {error}") from error
        if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
            text = f"the store {path} cannot be written: {error}"
            raise StoreFullError(f"{text}; all that was stored stays: make room, run again") from error
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise StoreFullError(f"the store {path} is kept locked by another program: {error}") from error
        raise StoreFullError(f"the store {path} cannot be used: {error}") from error


def _chunks(keys: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(keys), _AT_ONCE):
        yield keys[start : start + _AT_ONCE]


def _marks(keys: Sequence[str]) -> str:
    return ", ".join("?" * len(keys))
