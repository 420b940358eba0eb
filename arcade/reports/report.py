"""The contents of a report, and how it is written."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.errors import UserError
from agents.files import replace_file
from agents.ladder.ratings.standings import GameStandings
from agents.ladder.ratings.views import views_of
from arcade.reports.page import page_of
from arcade.reports.pictures import Picture, pictures_of

PAGE = "index.html"


@dataclass(frozen=True, slots=True)
class Chapter:
    """One game: its standings, its pictures, and its tables as CSV, by view."""

    standings: GameStandings
    folder: str  # of its files, inside the report's
    pictures: Sequence[Picture]
    tables: dict[str, str]


def check_libraries() -> None:
    """Raise UserError, with the command that installs it, where matplotlib is missing."""
    from arcade.recordings.export.libraries import library

    library("matplotlib")


def chapter_of(standings: GameStandings, *, taken: Sequence[str] = ()) -> Chapter:
    """Draw and tabulate one game; `taken` are the folders of other chapters."""
    tables = {}
    for view in views_of(standings):
        file = io.StringIO()
        view.write_csv(view.lines(standings), file)
        tables[view.name] = file.getvalue()
    return Chapter(standings, _folder(standings.facts.id, taken), pictures_of(standings), tables)


def write_report(chapters: Sequence[Chapter], out: Path) -> list[Path]:
    """Write page, pictures and tables into the folder `out` and return their paths, the page first.

    Each file is written atomically, the page last; other files of the folder stay.  Raises UserError where it cannot be
    written.
    """
    files = {
        out / chapter.folder / name: content
        for chapter in chapters
        for name, content in (
            *((f"{picture.name}.png", picture.png) for picture in chapter.pictures),
            *((f"{name}.csv", text.encode()) for name, text in chapter.tables.items()),
        )
    }
    page = page_of([(chapter.standings, chapter.folder, chapter.pictures) for chapter in chapters])
    try:
        for path, content in (*files.items(), (out / PAGE, page.encode())):
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, content)
    except OSError as error:
        raise UserError(f"expected to write a report into {out}, got: {error}; name another folder") from error
    return [out / PAGE, *files]


def _folder(game: str, taken: Sequence[str]) -> str:
    """A folder name that any system allows, and that is not taken."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", game).strip("-")[:80] or "game"
    names = (plain, *(f"{plain}-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name.lower() not in {one.lower() for one in taken})
