"""Ladder: every result ever, in SQLite, and the ratings that follow from it."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.ratings.online import OnlineRatings, Rating
from agents.ratings.rows import rated

SCHEMA = 2
"""Kept in the file as user_version; a lower one is upgraded in place, a reader refuses a higher one."""

_TABLE = """
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
"""  # as in version 1
_INDEX = "CREATE INDEX IF NOT EXISTS results_by_game ON results (game, id)"
_KEY = "ALTER TABLE results ADD COLUMN key TEXT"  # what its writer calls it, NULL where nothing; since version 2
_KEY_INDEX = "CREATE UNIQUE INDEX results_by_key ON results (key)"  # any number of NULLs are unique
_COLUMNS = ("game", "time", "seed", "source", "ended", "ticks", "lineup", "teams", "placements", "returns", "settings")
_JSON = ("lineup", "teams", "placements", "returns", "settings")
_BUSY_SECONDS = 30.0  # how long a writer waits for another one


class LadderError(UserError):
    """A file that is no ladder, or a result that cannot be kept."""


class Ladder:
    """Results are only ever added, by any number of processes at once; ratings are derived when asked for.

    Only matches that came to an end (finished, or out of ticks) between at least two labels count for ratings, and
    those in which no seat changed hands.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()  # of the connection
        self._rating = threading.Lock()  # of the standings: two threads must not count a match twice
        self._standings: dict[str, tuple[int, OnlineRatings]] = {}  # game -> last row counted, and what follows from it
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._prepare()
        except (sqlite3.Error, OSError) as error:
            raise LadderError(f"expected a ladder at {self.path}, got: {error}; move the file away") from error

    def __enter__(self) -> Ladder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _prepare(self) -> None:
        run = self._connection.execute
        run("PRAGMA journal_mode = WAL")
        run("BEGIN IMMEDIATE")
        version = int(run("PRAGMA user_version").fetchone()[0])
        if version > SCHEMA:
            run("ROLLBACK")
            raise LadderError(
                f"expected a ladder of version {SCHEMA} at {self.path}, got: {version}; update the arcade"
            )
        if version < SCHEMA:
            for statement in (_TABLE, _INDEX, _KEY, _KEY_INDEX):
                run(statement)
        run(f"PRAGMA user_version = {SCHEMA}")
        run("COMMIT")

    def add(
        self,
        result: Mapping[str, Any],
        *,
        source: str = "arcade",
        settings: Mapping[str, Any] | None = None,
        key: str = "",
    ) -> int:
        """Keep the result of one match and return its number.

        `result` holds game, lineup, teams and placements, and may hold seed, ended, ticks, returns and more, as
        MatchResult.as_json gives them.  `key`, where there is one, is the writer's own name of the match: a result
        with a key that the file has is not kept again, and the number of the one that it has is returned.
        Raises LadderError, naming what is missing.
        """
        row = (*_row(result, source, settings or {}), key or None)
        columns, marks = ", ".join((*_COLUMNS, "key")), ", ".join("?" * (len(_COLUMNS) + 1))
        insert = f"INSERT INTO results ({columns}) VALUES ({marks}) ON CONFLICT (key) DO NOTHING RETURNING id"
        try:
            with self._lock:  # without BEGIN the row is a transaction of its own: there, or not and nothing left open
                found = (
                    self._connection.execute(insert, row).fetchall()
                    or self._connection.execute("SELECT id FROM results WHERE key = ?", (key,)).fetchall()
                )
        except sqlite3.Error as error:
            raise LadderError(f"expected to write a result to {self.path}, got: {error}") from error
        return int(found[0][0])

    def keys(self, prefix: str) -> set[str]:
        """Every key that begins with `prefix`; raises LadderError where the file cannot be read."""
        rows = self._read("SELECT key FROM results WHERE substr(key, 1, ?) = ?", (len(prefix), prefix))
        return {row[0] for row in rows}

    def last(self, game: str) -> int:
        """The number of the game's newest result, 0 without one."""
        return int(self._read("SELECT COALESCE(MAX(id), 0) FROM results WHERE game = ?", (game,))[0][0])

    def results(self, game: str, *, after: int = 0) -> list[dict[str, Any]]:
        """The results of `game` with a number above `after`, oldest first, each with its number as "id".

        Raises LadderError where the file cannot be read.
        """
        query = f"SELECT id, {', '.join(_COLUMNS)} FROM results WHERE game = ? AND id > ? ORDER BY id"
        found = [dict(zip(("id", *_COLUMNS), row, strict=True)) for row in self._read(query, (game, after))]
        try:
            for row in found:
                row |= {name: json.loads(row[name]) for name in _JSON}
        except ValueError as error:
            raise self._unreadable(error) from error
        return found

    def games(self) -> list[str]:
        """Every game with a result, by name."""
        return [row[0] for row in self._read("SELECT DISTINCT game FROM results ORDER BY game", ())]

    def ratings(self, game: str) -> list[Rating]:
        """Everyone who has played `game` against another, strongest first."""
        with self._rating:
            return self._up_to_date(game).table()

    def rating(self, game: str, name: str) -> float | None:
        """The ordinal of one label, None where it is unrated; fits SnapshotStore's `rating`."""
        with self._rating:
            return self._up_to_date(game).ordinal(name)

    def _up_to_date(self, game: str) -> OnlineRatings:
        last, standings = self._standings.get(game, (0, OnlineRatings()))
        for row in self.results(game, after=last):
            last = row["id"]
            match = rated(row, {})
            if match is not None:
                standings.add(match)
        self._standings[game] = last, standings
        return standings

    def _read(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            with self._lock:
                return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> LadderError:
        return LadderError(f"expected to read results from {self.path}, got: {error}; move the file away")

    def close(self) -> None:
        self._connection.close()


def _row(result: Mapping[str, Any], source: str, settings: Mapping[str, Any]) -> tuple[Any, ...]:
    missing = [name for name in ("game", "lineup", "teams", "placements") if name not in result]
    if missing:
        raise LadderError(f"expected a result with {', '.join(missing)}, got: {', '.join(result)}")
    agents = [agent for team in result["teams"] for agent in team]
    strangers = [agent for agent in agents if str(agent) not in result["lineup"]]
    if strangers:
        raise LadderError(f"expected a label in the lineup for each agent of the teams, got none for {strangers[0]!r}")
    more = {name: value for name, value in result.items() if name not in _COLUMNS}
    values = {
        "time": time.time(),
        "ended": "finished",
        "ticks": 0,
        "returns": {},
        **result,
        "seed": str(result.get("seed", "")),
        "source": source,
        "settings": more | dict(settings),
    }
    try:
        return tuple(json.dumps(values[name]) if name in _JSON else values[name] for name in _COLUMNS)
    except (TypeError, ValueError) as error:
        raise LadderError(f"expected a result that JSON can hold, got: {error}") from error
