"""Ladder: every result ever, in SQLite, and the ratings that follow from them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from agents.ladder.database import LadderError, LadderFile
from agents.ladder.ratings.books import Moment, RatingBook
from agents.ladder.ratings.online import Rating

__all__ = ["GameTotal", "Ladder", "LadderError"]

_COLUMNS = ("game", "time", "seed", "source", "ended", "ticks", "lineup", "teams", "placements", "returns", "settings")
_JSON = ("lineup", "teams", "placements", "returns", "settings")
_ALIKE: Mapping[str, str] = {}
"""All seats ask for the same."""


class GameTotal(NamedTuple):
    """How much there is of one game."""

    game: str
    results: int
    players: int  # labels
    last: float  # seconds since 1970, UTC, when the newest match ended


class Ladder:
    """Results are only ever added, by any number of processes at once; ratings are derived when asked for.

    Only matches that came to an end (finished, or out of ticks) between at least two labels count for ratings, and
    those in which no seat changed hands.  `roles` are a game's as in `GameFacts`: with them each label is rated in
    each of its roles, as "label [role]", without them by its label alone.
    """

    def __init__(self, path: Path | str, *, reading: bool = False) -> None:
        """`reading`: nothing will be added, so that a file that may only be read will do.  Raises LadderError."""
        self.path = Path(path)
        self._file = LadderFile(self.path, reading=reading)
        self._rating = threading.Lock()  # of the books: two threads must not count a match twice
        self._books: dict[tuple[str, frozenset[tuple[str, str]]], RatingBook] = {}

    def __enter__(self) -> Ladder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(
        self,
        result: Mapping[str, Any],
        *,
        source: str = "arcade",
        settings: Mapping[str, Any] | None = None,
        key: str = "",
    ) -> int:
        """Keep the result of one match and return its number.

        `result` holds game, lineup, teams and placements, and may hold seed, ended, ticks, returns, settings and more,
        as MatchResult.as_json gives them; what has no column is kept among the settings.  `key`, where there is one, is
        the writer's own name of the match: a result with a key that the file has is not kept again, and the number of
        the one that it has is returned.  Raises LadderError, naming what is missing.
        """
        self._file.check_writable()
        row = (*_row(result, source, settings or {}), key or None)
        columns, marks = ", ".join((*_COLUMNS, "key")), ", ".join("?" * (len(_COLUMNS) + 1))
        insert = f"INSERT INTO results ({columns}) VALUES ({marks}) ON CONFLICT (key) DO NOTHING RETURNING id"
        found = self._file.write(insert, row) or self._file.read("SELECT id FROM results WHERE key = ?", (key,))
        return int(found[0][0])

    def keys(self, prefix: str) -> set[str]:
        """Every key that begins with `prefix`; raises LadderError where the file cannot be read."""
        rows = self._file.read("SELECT key FROM results WHERE substr(key, 1, ?) = ?", (len(prefix), prefix))
        return {row[0] for row in rows}

    def last(self, game: str) -> int:
        """The number of the game's newest result, 0 without one."""
        return int(self._file.read("SELECT COALESCE(MAX(id), 0) FROM results WHERE game = ?", (game,))[0][0])

    def results(self, game: str, *, after: int = 0) -> list[dict[str, Any]]:
        """The results of `game` with a number above `after`, oldest first.

        Each has its number as "id" and its "key", "" for none.  Raises LadderError where the file cannot be read.
        """
        query = (
            f"SELECT id, COALESCE(key, ''), {', '.join(_COLUMNS)} FROM results WHERE game = ? AND id > ? ORDER BY id"
        )
        found = [dict(zip(("id", "key", *_COLUMNS), row, strict=True)) for row in self._file.read(query, (game, after))]
        try:
            for row in found:
                columns = ",".join([row[name] for name in _JSON])
                row |= zip(_JSON, json.loads(f"[{columns}]"), strict=True)  # at one go: three times as fast
        except ValueError as error:
            raise self._file.unreadable(error) from error
        return found

    def games(self) -> list[str]:
        """Every game with a result, by name."""
        return [row[0] for row in self._file.read("SELECT DISTINCT game FROM results ORDER BY game")]

    def totals(self) -> list[GameTotal]:
        """How much there is of each game, by name; raises LadderError where the file cannot be read."""
        query = """SELECT game, COUNT(DISTINCT results.id), COUNT(DISTINCT value), MAX(time)
            FROM results, json_each(lineup) GROUP BY game ORDER BY game"""
        return [GameTotal(*row) for row in self._file.read(query)]

    def ratings(self, game: str, *, roles: Mapping[str, str] = _ALIKE) -> list[Rating]:
        """Everyone who has played `game` against another, strongest first."""
        with self._up_to_date(game, roles) as book:
            return book.ratings.table()

    def rating(self, game: str, name: str) -> float | None:
        """The ordinal of one label, None where it is unrated; fits SnapshotStore's `rating`."""
        with self._up_to_date(game, _ALIKE) as book:
            return book.ratings.ordinal(name)

    def history(self, game: str, *, roles: Mapping[str, str] = _ALIKE) -> dict[str, list[Moment]]:
        """The course of everyone's rating, oldest moment first."""
        with self._up_to_date(game, roles) as book:
            return book.history()

    def recompute(self, game: str, *, roles: Mapping[str, str] = _ALIKE) -> int:
        """Rate every match of `game` again, and return how many ratings after a match had been others: 0 is right."""
        with self._up_to_date(game, roles) as book:
            return book.recount(self.results(game))

    @contextmanager
    def _up_to_date(self, game: str, roles: Mapping[str, str]) -> Iterator[RatingBook]:
        """The game's book; one with which something went wrong is read anew the next time, lest matches count twice."""
        key = game, frozenset(roles.items())
        with self._rating:
            book = self._books.pop(key, None) or RatingBook(self._file, game, roles)
            book.count(self.results(game, after=book.last))
            yield book
            self._books[key] = book

    def close(self) -> None:
        """Twice does no harm."""
        self._file.close()


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
        "settings": more | dict(result.get("settings", {})) | dict(settings),
    }
    try:
        return tuple(json.dumps(values[name]) if name in _JSON else values[name] for name in _COLUMNS)
    except (TypeError, ValueError) as error:
        raise LadderError(f"expected a result that JSON can hold, got: {error}") from error
