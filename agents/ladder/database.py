"""The ladder's SQLite file: tables, schema versions, for several processes at once."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agents.ladder import errors
from agents.ladder.errors import LadderError
from agents.platform import NotRegularError

SCHEMA = 3
"""The file's user_version; a lower one is upgraded in place, a higher one is refused."""

_RESULTS = """
CREATE TABLE IF NOT EXISTS results (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL,
    time REAL NOT NULL,        -- seconds since 1970, UTC, when the match ended
    seed TEXT NOT NULL,        -- text: a seed may be longer than SQLite's integers
    source TEXT NOT NULL,      -- "arcade", "trainer", "tournament", ...
    ended TEXT NOT NULL,       -- "finished", "max_ticks", "resigned", "out_of_time", "agreed", "forfeit", "quit", ...
    ticks INTEGER NOT NULL,
    lineup TEXT NOT NULL,      -- JSON, agent to label
    teams TEXT NOT NULL,       -- JSON, list of lists of agents
    placements TEXT NOT NULL,  -- JSON, agent to place, 1 the best, ties share one
    returns TEXT NOT NULL,     -- JSON, agent to the sum of its rewards
    settings TEXT NOT NULL     -- JSON, other facts of the match
)
"""  # version 1; never updated
_KEY = "ALTER TABLE results ADD COLUMN key TEXT"  # the writer's own id of the match, or NULL
_BOOKS = """
CREATE TABLE IF NOT EXISTS books (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    roles TEXT NOT NULL,       -- JSON, agent to role
    model TEXT NOT NULL,       -- which calculation
    last INTEGER NOT NULL,     -- the newest result that was counted
    UNIQUE (game, roles, model)
)
"""  # this and the next are derived from results
_MOMENTS = """
CREATE TABLE IF NOT EXISTS moments (
    book INTEGER NOT NULL,
    name TEXT NOT NULL,
    result INTEGER NOT NULL,   -- the match before
    mu REAL NOT NULL, sigma REAL NOT NULL, elo REAL NOT NULL,
    games INTEGER NOT NULL, wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL,
    PRIMARY KEY (book, name, result)
) WITHOUT ROWID
"""
_ACTIONS = "ALTER TABLE results ADD COLUMN actions TEXT"  # the digest of its actions, or NULL where it is unknown
_UPGRADES = (
    (_RESULTS, "CREATE INDEX IF NOT EXISTS results_by_game ON results (game, id)"),
    (_KEY, "CREATE UNIQUE INDEX results_by_key ON results (key)", _BOOKS, _MOMENTS),  # NULLs are all unique
    (_ACTIONS, "CREATE INDEX results_by_meeting ON results (game, lineup) WHERE actions IS NOT NULL"),
)
"""The statements from each version, 0 being an empty file, to the next."""

assert len(_UPGRADES) == SCHEMA
_TABLES = ("results", "books", "moments")
MAX_ROW_BYTES = 2**26
"""Of one row or value; a larger one cannot be read or stored."""

_BUSY_SECONDS = 30.0  # a writer waits for another


class LadderFile:
    """One connection, for any thread; errors of SQLite and the disk are raised as LadderError.

    With `reading`, a file without write permission is copied into memory, where the derived tables are written.
    """

    def __init__(self, path: Path, *, reading: bool = False) -> None:
        self.path = path
        self.read_only = reading and path.is_file() and not all(os.access(p, os.W_OK) for p in (path, path.parent))
        self._lock = threading.Lock()  # of the connection
        try:
            if os.path.lexists(path) and not path.is_file():
                raise NotRegularError("another kind of entry than a file")
            path.parent.mkdir(parents=True, exist_ok=True)
            where = ":memory:" if self.read_only else path
            self._connection = sqlite3.connect(where, _BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA trusted_schema = OFF")
            self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES)
            if self.read_only:
                _copy(path, self._connection)
        except (sqlite3.Error, OSError) as error:
            raise self._error("a ladder at", error) from error
        try:
            self._prepare()
        except (sqlite3.Error, LadderError) as error:
            self.close()
            raise error if isinstance(error, LadderError) else self._error("a ladder at", error) from error

    def read(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return all rows of a query; raises LadderError if the file cannot be read."""
        return self._execute("to read results from", query, values)

    def write(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run one statement as a transaction and return its rows; raises LadderError if the file cannot be written."""
        return self._execute("to write to", statement, values)

    def _execute(self, purpose: str, statement: str, values: Sequence[Any]) -> list[Any]:
        try:
            with self._lock:
                try:
                    return self._connection.execute(statement, values).fetchall()
                except sqlite3.OperationalError as error:
                    if "decode" not in str(error):  # a text that is not UTF-8 hides no other
                        raise
                    self._connection.text_factory = lambda text: text.decode("utf-8", "replace")
                    return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._error(purpose, error) from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Commit everything done inside, or nothing if it raises."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                except BaseException:
                    self._connection.execute("ROLLBACK")
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise self._error("to write to", error) from error

    def close(self) -> None:
        """Close the connection; may be called twice."""
        self._connection.close()

    def check_writable(self) -> None:
        """Raise LadderError if results cannot be added."""
        if self.read_only:
            raise LadderError(f"expected to write to {self.path}, got a read-only file", remedy=errors.PERMISSIONS)

    def _error(self, expected: str, error: Exception) -> LadderError:
        return LadderError(f"expected {expected} {self.path}, got: {error}", remedy=_remedy(error))

    def _prepare(self) -> None:
        self._check_schema()
        self._use_wal()
        if self._version() < SCHEMA:
            with self.transaction() as connection:
                for steps in _UPGRADES[self._version() :]:  # read again: another process may have been faster
                    for statement in steps:
                        connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {SCHEMA}")
        if (version := self._version()) > SCHEMA:
            raise LadderError(
                f"expected a ladder of version {SCHEMA} or less at {self.path}, got: {version}", remedy=errors.UPDATE
            )

    def _check_schema(self) -> None:
        """Refuse a file that would compute or change something while it is read."""
        entries = self._connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
        for kind, name, sql in entries:
            is_ours = kind == "table" and (name in _TABLES or str(name).startswith("sqlite_"))
            if (not is_ours and kind != "index") or "GENERATED" in str(sql).upper() or "VIRTUAL" in str(sql).upper():
                raise LadderError(
                    f"expected a ladder of {', '.join(_TABLES)} at {self.path}, got the {kind} {str(name)[:60]!r}",
                    remedy=errors.MOVE_FILE,
                )

    def _use_wal(self) -> None:
        """Switch to WAL; SQLite itself does not wait for the lock that this needs."""
        deadline = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
            time.sleep(0.01)

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])


def _copy(path: Path, into: sqlite3.Connection) -> None:
    """Copy the file into `into`.  In a folder without write permission SQLite cannot lock the journal, and needs
    "immutable": https://www.sqlite.org/wal.html#read_only_databases"""
    for how in ("mode=ro", "mode=ro&immutable=1"):
        source = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)
        try:
            source.backup(into)
            return
        except sqlite3.OperationalError:
            if "immutable" in how:
                raise
        finally:
            source.close()


def _remedy(error: Exception) -> str:
    if isinstance(error, NotRegularError):
        return errors.MOVE
    default = sqlite3.SQLITE_PERM if isinstance(error, OSError) else sqlite3.SQLITE_CORRUPT
    match getattr(error, "sqlite_errorcode", default) & 0xFF:  # the primary code
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return errors.WAIT
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return errors.SPACE
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return errors.FOLDER_PERMISSIONS
    return errors.MOVE_FILE
