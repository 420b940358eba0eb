"""RatingBook: running ratings, cached in the ladder's file; they can be recomputed from the results."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any, NamedTuple

from agents.ladder.database import LadderFile
from agents.ladder.ratings.online import OnlineRatings, Rating
from agents.ladder.ratings.rows import Row, rated

MODEL = "3"
"""The version of the rating model, to increase whenever the same results give other ratings."""

Line = tuple[Any, ...]
"""Values of `_COLUMNS`."""

_COLUMNS = "name, result, mu, sigma, elo, games, wins, draws, losses"


class Moment(NamedTuple):
    """One player's running rating after one match."""

    result: int  # the match's number on the ladder
    time: float  # seconds since 1970, UTC, when it ended
    rating: Rating


class RatingBook:
    """The running ratings of one game with its `roles` (as in `GameFacts`), for one thread at a time.

    Any number of processes may write the same book, since equal results give equal ratings.
    """

    def __init__(self, file: LadderFile, game: str, roles: Mapping[str, str]) -> None:
        self._file, self._roles = file, dict(roles)
        self._key = (game, json.dumps(self._roles, sort_keys=True), f"{MODEL}, openskill {version('openskill')}")
        found = file.read("SELECT id, last FROM books WHERE game = ? AND roles = ? AND model = ?", self._key)
        self._id: int = found[0][0] if found else 0
        self.last: int = found[0][1] if found else 0  # the newest result that is counted
        self.ratings = OnlineRatings()
        newest = f"SELECT {_COLUMNS.replace('result', 'MAX(result)')} FROM moments WHERE book = ? GROUP BY name"
        for name, _, *state in file.read(newest, (self._id,)):
            self.ratings[name] = Rating(name, *state)

    def count(self, rows: Iterable[Row]) -> None:
        """Rate results with numbers above `last`, oldest first, and store the ratings."""
        lines, last = self._rate(rows)
        if last > self.last:
            self._write(lines, last)

    def recount(self, rows: Iterable[Row]) -> int:
        """Rate all results again, store the ratings, and return how many differ from the stored ones: 0 is right."""
        before = self._file.read(f"SELECT {_COLUMNS} FROM moments WHERE book = ?", (self._id,))
        until = self.last
        self.ratings = OnlineRatings()
        lines, last = self._rate(rows)
        self._write(lines, last, replace=True)
        old, new = ({line[:2]: line for line in some if line[1] <= until} for some in (before, lines))
        return sum(old.get(key) != new.get(key) for key in old.keys() | new.keys())

    def history(self) -> dict[str, list[Moment]]:
        """Return each name's moments, oldest first."""
        moment = _COLUMNS.replace("result", "result, time")
        query = f"SELECT {moment} FROM moments JOIN results ON id = result WHERE book = ? ORDER BY result"
        found = defaultdict[str, list[Moment]](list)
        for name, result, time, *state in self._file.read(query, (self._id,)):
            found[name].append(Moment(result, time, Rating(name, *state)))
        return dict(found)

    def _rate(self, rows: Iterable[Row]) -> tuple[list[Line], int]:
        """Rate the rows; return the lines to store and the number of the last row."""
        lines, last = list[Line](), 0
        for row in rows:
            last = int(row["id"])
            match = rated(row, self._roles)
            for one in self.ratings.add(match) if match is not None else ():
                state = (one.mu, one.sigma, one.elo, one.games, one.wins, one.draws, one.losses)
                lines.append((one.name, last, *state))
        return lines, last

    def _write(self, lines: list[Line], last: int, *, replace: bool = False) -> None:
        book = """INSERT INTO books (game, roles, model, last) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET last = MAX(last, excluded.last) RETURNING id"""
        with self._file.transaction() as connection:
            self._id = connection.execute(book, (*self._key, last)).fetchall()[0][0]
            if replace:
                connection.execute("DELETE FROM moments WHERE book = ? AND result <= ?", (self._id, last))
            connection.executemany(f"REPLACE INTO moments (book, {_COLUMNS}) VALUES ({self._id}{', ?' * 9})", lines)
        self.last = last
