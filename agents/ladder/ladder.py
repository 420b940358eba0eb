"""Ladder: adds and reads match results in SQLite, and rates players from them."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from agents.closing import Closing
from agents.files import home, read_file, replace_file
from agents.ladder.checked_rows import JSON_COLUMNS, LATEST, RowError, all_finite, as_notice, decode_row
from agents.ladder.database import LadderFile
from agents.ladder.errors import LadderError
from agents.ladder.ratings.online import OnlineRatings, Rating
from agents.ladder.ratings.repeats import Repeats, meeting_of
from agents.ladder.ratings.rows import Rated, Row, rated

__all__ = ["GameTotal", "Ladder", "LadderError", "Moment"]

MODEL = "7"
"""The version of the rating model, to increase whenever the same results give other ratings."""

Line = tuple[Any, ...]
"""Values of `_STATE`."""

_log = logging.getLogger(__name__)

_STATE = "name, result, mu, sigma, elo, games, wins, draws, losses"


class Moment(NamedTuple):
    """One player's running rating after one match."""

    result: int  # the match's number on the ladder
    time: float  # seconds since 1970, UTC, when it ended
    rating: Rating


class RatingBook:
    """The running ratings of one game with its `roles` (as in `GameFacts`), for one thread at a time.

    Any number of processes may write the same book, since equal results give equal ratings.
    """

    def __init__(
        self, file: LadderFile, game: str, roles: Mapping[str, str], *,
        of_lineup: Callable[[Mapping[str, str], int], Iterable[Row]] = lambda lineup, last: (),
    ) -> None:  # fmt: skip
        """`of_lineup` returns the game's results with a digest and a lineup, numbered up to the second argument."""
        self._file, self._roles, self._of_lineup = file, dict(roles), of_lineup
        self._repeats = Repeats[Rated](self._before)
        self._key = (game, json.dumps(self._roles, sort_keys=True), f"{MODEL}, openskill {version('openskill')}")
        found = file.read("SELECT id, last FROM books WHERE game = ? AND roles = ? AND model = ?", self._key)
        self._id: int = found[0][0] if found else 0
        self.last: int = found[0][1] if found else 0  # the newest result that is counted
        self.ratings = OnlineRatings()
        # another process may have counted more since
        newest = f"{_STATE.replace('result', 'MAX(result)')} FROM moments WHERE book = ? AND result <= ? GROUP BY name"
        for name, _, *state in file.read(f"SELECT {newest}", (self._id, self.last)):
            if not isinstance(name, str) or not all_finite(state):  # spoilt: all matches are counted again
                self.ratings, self.last = OnlineRatings(), 0
                break
            self.ratings[name] = Rating(name, *state)

    def count(self, rows: Iterable[Row]) -> None:
        """Rate results with numbers above `last`, oldest first, and store the ratings."""
        lines, last = self._rate(rows)
        if last > self.last:
            self._write(lines, last)

    def recount(self, rows: Iterable[Row]) -> int:
        """Rate all results again, store the ratings, and return how many differ from the stored ones: 0 is right."""
        before = self._file.read(f"SELECT {_STATE} FROM moments WHERE book = ?", (self._id,))
        until = self.last
        self.ratings, self._repeats = OnlineRatings(), Repeats[Rated]()
        lines, last = self._rate(rows)
        self._write(lines, last, replace=True)
        old, new = ({line[:2]: line for line in some if line[1] <= until} for some in (before, lines))
        return sum(old.get(key) != new.get(key) for key in old.keys() | new.keys())

    def history(self, names: Collection[str] = ()) -> dict[str, list[Moment]]:
        """Return the moments of each name, or of `names` alone, oldest first."""
        moment = _STATE.replace("result", "result, time")
        chosen = f" AND name IN ({', '.join('?' * len(names))})" if names else ""
        query = f"SELECT {moment} FROM moments JOIN results ON id = result WHERE book = ?{chosen} ORDER BY result"
        found = defaultdict[str, list[Moment]](list)
        for name, result, ended, *state in self._file.read(query, (self._id, *names)):
            if not all_finite((ended, *state)) or not 0 <= ended <= LATEST:
                continue  # of a match that is skipped
            found[name].append(Moment(result, ended, Rating(name, *state)))
        return dict(found)

    def _rate(self, rows: Iterable[Row]) -> tuple[list[Line], int]:
        """Rate the rows; return the lines to store and the number of the last row."""
        lines, last = list[Line](), 0
        for row in rows:
            last = int(row["id"])
            match = rated(row, self._roles)
            new = self._repeats.add(meeting_of(row), row["seed"], row["actions"], match) if match is not None else []
            changed = {one.name: one for match in new for one in self.ratings.add(match)}
            for one in changed.values():
                state = (one.mu, one.sigma, one.elo, one.games, one.wins, one.draws, one.losses)
                lines.append((one.name, last, *state))
        return lines, last

    def _before(self, meeting: Hashable) -> Iterator[tuple[str, str, Rated]]:
        """Yield seed, digest and match of the results of a meeting that are counted, oldest first."""
        assert isinstance(meeting, tuple)
        for row in self._of_lineup(dict(zip(meeting[1::2], meeting[2::2], strict=True)), self.last):
            match = rated(row, self._roles)
            if match is not None and meeting_of(row) == meeting:
                yield row["seed"], row["actions"], match

    def _write(self, lines: list[Line], last: int, *, replace: bool = False) -> None:
        book = """INSERT INTO books (game, roles, model, last) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET last = MAX(last, excluded.last) RETURNING id"""
        with self._file.transaction() as connection:
            self._id = connection.execute(book, (*self._key, last)).fetchall()[0][0]
            if replace:
                connection.execute("DELETE FROM moments WHERE book = ? AND result <= ?", (self._id, last))
            connection.executemany(f"REPLACE INTO moments (book, {_STATE}) VALUES ({self._id}{', ?' * 9})", lines)
        self.last = last


_COLUMNS = (
    "game", "time", "seed", "source", "ended", "ticks", "lineup", "teams", "placements", "returns", "settings",
    "actions",
)  # fmt: skip
_READ = ("id", "key", *_COLUMNS)
_ALIKE: Mapping[str, str] = {}  # roles of a game whose seats all need the same skill


class GameTotal(NamedTuple):
    """The size of the ladder of one game."""

    game: str
    results: int
    players: int  # labels
    last: float  # seconds since 1970, UTC, when the newest match ended


class Ladder(Closing):
    """A log of results that any number of processes extend at once, with ratings computed on demand.

    Ratings count matches that ended regularly, as `rows.why_unrated` decides, between at least two labels; matches that
    repeat each other count once.  With `roles` (as in `GameFacts`) each label is rated in
    each of its roles, as "label [role]".
    """

    def __init__(self, path: Path | str, *, reading: bool = False) -> None:
        """Open or create a ladder; with `reading`, read permission is enough.  Raises LadderError."""
        self.path = Path(path)
        self._file = LadderFile(self.path, reading=reading)
        self._counted = self.path.with_name(f"{self.path.name}.count")
        self.skipped: dict[int, str] = {}  # numbers of spoilt results that were met, and what is wrong with each
        self._rating = threading.Lock()  # of the books, lest two threads count a match twice
        self._books: dict[tuple[str, frozenset[tuple[str, str]]], RatingBook] = {}

    def add(
        self,
        result: Mapping[str, Any],
        *,
        source: str = "arcade",
        settings: Mapping[str, Any] | None = None,
        key: str = "",
    ) -> int:
        """Store the result of one match and return its number.

        `result` has game, lineup, teams and placements, and may have seed, ended, ticks, returns, actions, settings and
        more, as in MatchResult.as_json; values without a column are stored with the settings.  `key` is the writer's
        own id of the match: a second result with the same key is ignored, and the first one's number returned.  Raises
        LadderError naming missing values.
        """
        self._file.check_writable()
        row = (*_row(result, source, settings or {}), key or None)
        columns, marks = ", ".join((*_COLUMNS, "key")), ", ".join("?" * (len(_COLUMNS) + 1))
        insert = f"INSERT INTO results ({columns}) VALUES ({marks}) ON CONFLICT (key) DO NOTHING RETURNING id"
        found = self._file.write(insert, row) or self._file.read("SELECT id FROM results WHERE key = ?", (key,))
        number = int(found[0][0])
        if number >= 2 * self._least:
            with suppress(OSError):  # a full disk: a later result notes it
                replace_file(self._counted, str(number))
        return number

    @property
    def notice(self) -> str:
        """What people should know: matches that disappeared, and results that were skipped so far; "" for nothing."""
        lost, least, newest = "", self._least, self.newest()
        if newest < least:
            lost = (
                f"expected at least {least} matches in {self.path}, got {newest}: the file was emptied or replaced; "
                f"restore it from a backup, or delete {self._counted.name} beside it to begin anew"
            )
        return ". ".join(filter(None, (lost, as_notice(self.skipped))))

    @property
    def _least(self) -> int:
        """A number that results have reached before, noted beside the file at 1, 2, 4, 8 …"""
        try:
            return int(read_file(self._counted, most=32))
        except (OSError, ValueError):
            return 0

    def last(self, game: str) -> int:
        """Return the number of the game's newest result, 0 without one."""
        return int(self._file.read("SELECT COALESCE(MAX(id), 0) FROM results WHERE game = ?", (game,))[0][0])

    def newest(self) -> int:
        """Return the number of the newest result of all games, 0 without one."""
        return int(self._file.read("SELECT COALESCE(MAX(id), 0) FROM results")[0][0])

    def results(self, game: str, *, after: int = 0) -> list[dict[str, Any]]:
        """Return the results of `game` with a number above `after`, oldest first, each with its "id" and "key".

        Raises LadderError if the file cannot be read.
        """
        return self._results("game = ? AND id > ?", game, after)

    def results_of(self, label: str, after: int, last: int) -> list[dict[str, Any]]:
        """Return the results of all games with `label` in their lineup, numbered from `after` + 1 to `last`."""
        rows = self._results("id > ? AND id <= ? AND instr(lineup, ?) > 0", after, last, json.dumps(label))
        return [row for row in rows if label in row["lineup"].values()]

    def _results(self, condition: str, *values: Any) -> list[dict[str, Any]]:
        columns = ", ".join(f"COALESCE({name}, '')" if name in ("key", "actions") else name for name in _READ)
        query = f"SELECT {columns} FROM results WHERE {condition} ORDER BY id"
        found = (dict(zip(_READ, row, strict=True)) for row in self._file.read(query, values))
        return [row for row in found if self._is_sound(row)]

    def _is_sound(self, row: dict[str, Any]) -> bool:
        """Decode a row in place; one that is spoilt is noted."""
        try:
            decode_row(row)
        except RowError as error:
            number = int(row["id"])
            if number not in self.skipped:
                _log.info("result %d of %s is skipped: %s", number, self.path, error)
            self.skipped[number] = str(error)
            return False
        return True

    def games(self) -> list[str]:
        """Return every game with a result, by name."""
        query = "SELECT DISTINCT game FROM results WHERE typeof(game) = 'text' ORDER BY game"
        return [row[0] for row in self._file.read(query)]

    def totals(self) -> list[GameTotal]:
        """Return the totals of each game, by name; raises LadderError if the file cannot be read."""
        players = "CASE WHEN typeof(lineup) = 'text' AND json_valid(lineup) THEN lineup ELSE '{}' END"
        query = f"""SELECT game, COUNT(DISTINCT results.id), COUNT(DISTINCT value), MAX(time)
            FROM results, json_each({players})
            WHERE typeof(game) = 'text' AND time BETWEEN 0 AND {LATEST} GROUP BY game ORDER BY game"""
        return [GameTotal(*row) for row in self._file.read(query)]

    def ratings(self, game: str, *, roles: Mapping[str, str] = _ALIKE) -> list[Rating]:
        """Return the ratings of everyone with a match against another player, strongest first."""
        with self._up_to_date(game, roles) as book:
            return book.ratings.table()

    def rating(self, game: str, name: str) -> float | None:
        """Return the ordinal of one label, None if unrated; fits SnapshotStore's `rating`."""
        with self._up_to_date(game, _ALIKE) as book:
            found = book.ratings.get(name)
            return None if found is None else found.ordinal

    def history(
        self, game: str, *, roles: Mapping[str, str] = _ALIKE, names: Collection[str] = ()
    ) -> dict[str, list[Moment]]:
        """Return the history of each rating, or of those with these `names`, oldest moment first."""
        with self._up_to_date(game, roles) as book:
            return book.history(names)

    def recompute(
        self, game: str, *, roles: Mapping[str, str] = _ALIKE,
        watch: Callable[[Iterable[Row], int], Iterable[Row]] = lambda rows, total: rows,
    ) -> int:  # fmt: skip
        """Rate every match of `game` again and return how many stored ratings were different: 0 is right.

        `watch` wraps the iterator of the `total` results, for example in a progress bar.
        """
        with self._up_to_date(game, roles) as book:
            rows = self.results(game)
            return book.recount(watch(rows, len(rows)))

    @contextmanager
    def _up_to_date(self, game: str, roles: Mapping[str, str]) -> Iterator[RatingBook]:
        """Yield the game's book; after an error it is read again, lest matches count twice."""
        key = game, frozenset(roles.items())
        with self._rating:
            book = self._books.pop(key, None) or self._book(game, roles)
            book.count(self.results(game, after=book.last))
            yield book
            self._books[key] = book

    def _book(self, game: str, roles: Mapping[str, str]) -> RatingBook:
        def of_lineup(lineup: Mapping[str, str], last: int) -> list[dict[str, Any]]:
            same = "game = ? AND lineup = ? AND actions IS NOT NULL AND id <= ?"
            return self._results(same, game, json.dumps(lineup), last)

        return RatingBook(self._file, game, roles, of_lineup=of_lineup)

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._file.close()


def _row(result: Mapping[str, Any], source: str, settings: Mapping[str, Any]) -> tuple[Any, ...]:
    missing = [name for name in ("game", "lineup", "teams", "placements") if name not in result]
    if missing:
        raise LadderError(f"expected a result with {', '.join(missing)}, got: {', '.join(result)}")
    agents = [agent for team in result["teams"] for agent in team]
    unknown = [agent for agent in agents if str(agent) not in result["lineup"]]
    if unknown:
        raise LadderError(f"expected a label in the lineup for each agent of the teams, got none for {unknown[0]!r}")
    more = {name: value for name, value in result.items() if name not in _COLUMNS}
    values = {
        "time": time.time(),
        "ended": "finished",
        "ticks": 0,
        "returns": {},
        **result,
        "seed": "" if result.get("seed") is None else str(result["seed"]),
        "source": source,
        "settings": more | dict(result.get("settings", {})) | dict(settings),
        "actions": result.get("actions") or None,
    }
    try:
        return tuple(json.dumps(values[name]) if name in JSON_COLUMNS else values[name] for name in _COLUMNS)
    except (TypeError, ValueError) as error:
        raise LadderError(f"expected a result that fits into JSON, got: {error}") from error


def open_ladder(*, reading: bool = False) -> Ladder:
    """The ladder of ARCADE_HOME; with `reading`, read permission is enough.  Raises LadderError."""
    return Ladder(home() / "ladder.sqlite", reading=reading)
