"""NotesBook: a second copy of people's notes on recordings, in ``ARCADE_HOME/notes.sqlite``.

Names, tags and stars are in the card beside a recording, where they travel with it.  A card that is torn or deleted
gets them back from here::

    book = NotesBook()
    book.write(path, card.notes)
    book.read(path)                 # {"name": "the long rally", "tags": ["fun"], "rating": 5, "kept": True, …}
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from agents.files import FileError, home, parse_json

FILE = "notes.sqlite"
_TABLE = "CREATE TABLE IF NOT EXISTS notes (path TEXT PRIMARY KEY, notes TEXT NOT NULL) WITHOUT ROWID"
_PEOPLE = "CREATE TABLE IF NOT EXISTS people (path TEXT PRIMARY KEY, people TEXT NOT NULL) WITHOUT ROWID"
_PUT_PEOPLE = "INSERT OR REPLACE INTO people (path, people) VALUES (?, ?)"
_ADD = "INSERT OR IGNORE INTO notes (path, notes) VALUES (?, ?)"
_PUT = "INSERT INTO notes (path, notes) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET notes = excluded.notes"

_log = logging.getLogger(__name__)


class NotesBook:
    """Opens the file for each call, so that threads and processes may share it; a broken one costs the copy alone."""

    def write(self, path: Path, notes: Mapping[str, Any]) -> None:
        """Note what people wrote on a recording."""
        _run(lambda connection: connection.execute(_PUT, (key_of(path), json.dumps(notes))))

    def add(self, several: Iterable[tuple[Path, Mapping[str, Any]]]) -> None:
        """Note those of recordings that are not here yet, as of an earlier version."""
        rows = [(key_of(path), json.dumps(notes)) for path, notes in several]
        if rows:
            _run(lambda connection: connection.executemany(_ADD, rows))

    def read(self, path: Path) -> dict[str, Any]:
        """The notes of a recording, {} for none."""
        query = "SELECT notes FROM notes WHERE path = ?"
        found = _run(lambda connection: connection.execute(query, (key_of(path),)).fetchone())
        try:
            notes = parse_json(found[0]) if found else {}
        except (FileError, TypeError, AttributeError):
            return {}
        return notes if isinstance(notes, dict) else {}

    def write_people(self, path: Path, people: Mapping[str, str]) -> None:
        """Note who the unnamed people of a recording are, for the screens of this machine alone."""
        if people:
            _run(lambda connection: connection.execute(_PUT_PEOPLE, (key_of(path), json.dumps(people))))

    def people(self, path: Path | None = None) -> dict[str, dict[str, str]]:
        """The names of unnamed people by the file of their recording, of one recording or of all."""
        query = "SELECT path, people FROM people" + (" WHERE path = ?" if path is not None else "")
        keys = (key_of(path),) if path is not None else ()
        found = _run(lambda connection: connection.execute(query, keys).fetchall())
        return {file: names for file, text in found or () if (names := _names(text))}

    def forget(self, path: Path) -> None:
        """Remove the notes of a recording that was deleted."""
        _run(lambda connection: connection.execute("DELETE FROM notes WHERE path = ?", (key_of(path),)))
        _run(lambda connection: connection.execute("DELETE FROM people WHERE path = ?", (key_of(path),)))


def _names(text: Any) -> dict[str, str]:
    try:
        names = parse_json(text)
    except (FileError, TypeError, AttributeError):
        return {}
    is_plain = isinstance(names, dict) and all(isinstance(one, str) for one in names.values())
    return names if is_plain else {}


def _run(work: Callable[[sqlite3.Connection], Any]) -> Any:
    """What `work` returns, in one transaction; None where it fails, which is logged: the card has the notes too."""
    path = home() / FILE
    try:
        with closing(sqlite3.connect(path, timeout=10)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")  # the last connection flushes as it closes
            connection.execute(_TABLE)
            connection.execute(_PEOPLE)
            with connection:
                return work(connection)
    except (sqlite3.Error, OSError) as error:
        _log.warning("the copy of the notes on recordings in %s cannot be used: %s", path, error)
        return None


def key_of(path: Path) -> str:
    """The key of a recording's file in the book."""
    return str(path.resolve())
