"""The ladder's SQLite file: its tables, its versions, and reading and writing by any number of processes at once."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agents.errors import UserError

SCHEMA = 2
"""Kept in the file as user_version; a lower one is upgraded in place, a reader refuses a higher one."""

_RESULTS = """
CREATE TABLE IF NOT EXISTS results (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL,
    time REAL NOT NULL,        -- seconds since 1970, UTC, when the match ended
    seed TEXT NOT NULL,        -- text: a seed may be longer than SQLite's integers
    source TEXT NOT NULL,      -- "arcade", "trainer", "tournament", ...
    ended TEXT NOT NULL,       -- "finished", "max_ticks", "quit", "failed"
    ticks INTEGER NOT NULL,
    lineup TEXT NOT NULL,      -- JSON, agent to label
    teams TEXT NOT NULL,       -- JSON, list of lists of agents
    placements TEXT NOT NULL,  -- JSON, agent to place, 1 the best, ties share one
    returns TEXT NOT NULL,     -- JSON, agent to the sum of its rewards
    settings TEXT NOT NULL     -- JSON, whatever else is to be known of the match
)
"""  # as in version 1; only ever added to
_KEY = "ALTER TABLE results ADD COLUMN key TEXT"  # what its writer calls it, NULL where nothing
_BOOKS = """
CREATE TABLE IF NOT EXISTS books (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    roles TEXT NOT NULL,       -- JSON, agent to role
    model TEXT NOT NULL,       -- which calculation
    last INTEGER NOT NULL,     -- the newest result that was counted
    UNIQUE (game, roles, model)
)
"""  # derived from results, as is all below
_MOMENTS = """
CREATE TABLE IF NOT EXISTS moments (
    book INTEGER NOT NULL,
    name TEXT NOT NULL,
    result INTEGER NOT NULL,   -- after which the rest holds
    mu REAL NOT NULL, sigma REAL NOT NULL, elo REAL NOT NULL,
    games INTEGER NOT NULL, wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL,
    PRIMARY KEY (book, name, result)
) WITHOUT ROWID
"""
_UPGRADES = (
    (_RESULTS, "CREATE INDEX IF NOT EXISTS results_by_game ON results (game, id)"),
    (_KEY, "CREATE UNIQUE INDEX results_by_key ON results (key)", _BOOKS, _MOMENTS),  # NULLs are all unique
)
"""From each version, 0 being an empty file, to the next."""

assert len(_UPGRADES) == SCHEMA
_BUSY_SECONDS = 30.0  # how long a writer waits for another one


class LadderError(UserError):
    """A file that is no ladder, or a result that cannot be kept."""


class LadderFile:
    """One connection, for any thread; every error of SQLite or the disk comes as LadderError.

    For those who are `reading` alone a file that they may not write to is taken as it is now, into memory, where what
    is derived finds its place.
    """

    def __init__(self, path: Path, *, reading: bool = False) -> None:
        self.path = path
        self.read_only = reading and path.is_file() and not all(os.access(p, os.W_OK) for p in (path, path.parent))
        self._lock = threading.Lock()  # of the connection
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            place = ":memory:" if self.read_only else path
            self._connection = sqlite3.connect(
                place, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            if self.read_only:
                _copy(path, self._connection)
        except (sqlite3.Error, OSError) as error:
            raise self._no_ladder(error) from error
        try:
            self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise self._no_ladder(error) from error
        except LadderError:
            self.close()
            raise

    def read(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows of the answer; raises LadderError where the file cannot be read."""
        try:
            with self._lock:
                return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self.unreadable(error) from error

    def write(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """One statement as a transaction of its own: done, or not and nothing is left open."""
        try:
            with self._lock:
                return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._unwritten(error) from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All that is done inside, or, where it raises, nothing of it."""
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
                raise self._unwritten(error) from error

    def unreadable(self, error: Exception) -> LadderError:
        """What to raise for content that cannot be understood."""
        return LadderError(f"expected to read results from {self.path}, got: {error}; {_mend(error)}")

    def close(self) -> None:
        """Twice does no harm."""
        self._connection.close()

    def check_writable(self) -> None:
        """Raises LadderError where results cannot be added."""
        if self.read_only:
            raise LadderError(f"expected to write to {self.path}, got one to be read only; see who may write to it")

    def _unwritten(self, error: Exception) -> LadderError:
        return LadderError(f"expected to write to {self.path}, got: {error}; {_mend(error)}")

    def _no_ladder(self, error: Exception) -> LadderError:
        return LadderError(f"expected a ladder at {self.path}, got: {error}; {_mend(error)}")

    def _prepare(self) -> None:
        self._use_wal()
        if self._version() < SCHEMA:
            with self.transaction() as connection:
                for steps in _UPGRADES[self._version() :]:  # anew: another process may have been quicker
                    for statement in steps:
                        connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {SCHEMA}")
        if (version := self._version()) > SCHEMA:
            raise LadderError(
                f"expected a ladder of version {SCHEMA} or less at {self.path}, got: {version}; update the arcade"
            )

    def _use_wal(self) -> None:
        """For the lock that a change of the journal takes SQLite does not wait by itself."""
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
    """All that is in the file.  Beside what nobody may write to SQLite finds no room for the lock of a journal, and has
    to be told that nobody does: https://www.sqlite.org/wal.html#read_only_databases"""
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


def _mend(error: Exception) -> str:
    """What a user can do about it."""
    unsaid = sqlite3.SQLITE_PERM if isinstance(error, OSError) else sqlite3.SQLITE_CORRUPT
    match getattr(error, "sqlite_errorcode", unsaid) & 0xFF:  # the rest tells of variants
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return "another program is writing to it, try again"
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return "see whether the disk is full"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return "see who may write to it and its folder"
    return "move the file away"
