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
_ADD = "INSERT OR IGNORE INTO notes (path, notes) VALUES (?, ?)"
_PUT = "INSERT INTO notes (path, notes) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET notes = excluded.notes"

_log = logging.getLogger(__name__)


class NotesBook:
    """Opens the file for each call, so that threads and processes may share it; a broken one costs the copy alone."""

    def write(self, path: Path, notes: Mapping[str, Any]) -> None:
        """Note what people wrote on a recording."""
        _run(lambda connection: connection.execute(_PUT, (_key(path), json.dumps(notes))))

    def add(self, several: Iterable[tuple[Path, Mapping[str, Any]]]) -> None:
        """Note those of recordings that are not here yet, as of an earlier version."""
        rows = [(_key(path), json.dumps(notes)) for path, notes in several]
        if rows:
            _run(lambda connection: connection.executemany(_ADD, rows))

    def read(self, path: Path) -> dict[str, Any]:
        """The notes of a recording, {} for none."""
        query = "SELECT notes FROM notes WHERE path = ?"
        found = _run(lambda connection: connection.execute(query, (_key(path),)).fetchone())
        try:
            notes = parse_json(found[0]) if found else {}
        except (FileError, TypeError, AttributeError):
            return {}
        return notes if isinstance(notes, dict) else {}

    def forget(self, path: Path) -> None:
        """Remove the notes of a recording that was deleted."""
        _run(lambda connection: connection.execute("DELETE FROM notes WHERE path = ?", (_key(path),)))


def _run(work: Callable[[sqlite3.Connection], Any]) -> Any:
    """What `work` returns, in one transaction; None where it fails, which is logged: the card has the notes too."""
    path = home() / FILE
    try:
        with closing(sqlite3.connect(path, timeout=10)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(_TABLE)
            with connection:
                return work(connection)
    except (sqlite3.Error, OSError) as error:
        _log.warning("the copy of the notes on recordings in %s cannot be used: %s", path, error)
        return None


def _key(path: Path) -> str:
    return str(path.resolve())
