"""The report of a ladder: an HTML page with everything in it, and its pictures and tables as files beside it.

The page fetches nothing; Jinja2 escapes all names.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from agents.errors import UserError
from agents.files import replace_file
from agents.ladder.ratings.standings import GameStandings, expected_share
from agents.ladder.ratings.views import Interval, Line, View, facts_text, views_of, write_csv
from agents.ladder.ratings.views.built_in import MATRIX
from agents.ladder.ratings.views.view import Column
from arcade.reports.pictures import Picture, pictures_of

PAGE = "index.html"
MOST_PLAYERS = 60
"""The most players with a list of records on the page; the tables beside it are complete."""


def check_libraries() -> None:
    """Raise UserError, with the command that installs it, if matplotlib is missing."""
    from arcade.recordings.export.formats import library

    library("matplotlib")


def write_report(games: Sequence[GameStandings], out: Path) -> list[Path]:
    """Write page, pictures and tables into the folder `out` and return their paths, the page first.

    Each file is written atomically, the page last; other files of the folder stay.  Raises UserError if it cannot be
    written.
    """
    files: dict[Path, str | bytes] = {}
    chapters: dict[str, dict[str, Any]] = {}  # by folder
    for standings in games:
        folder, pictures = _folder(standings.facts.id, chapters), pictures_of(standings)
        chapters[folder] = _chapter(standings, folder, pictures)
        files |= {out / folder / f"{picture.name}.png": picture.png for picture in pictures}
        files |= {out / folder / f"{view.name}.csv": _csv(view, standings) for view in views_of(standings)}
    try:
        for path, content in (*files.items(), (out / PAGE, _page(list(chapters.values())))):
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, content)
    except OSError as error:
        raise UserError(f"expected to write a report into {out}, got: {error}; name another folder") from error
    return [out / PAGE, *files]


def _folder(game: str, taken: Iterable[str]) -> str:
    """Return a folder name that any system allows, and that is not taken."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", game).strip("-")[:80] or "game"
    used = {name.lower() for name in taken}
    names = (plain, *(f"{plain}-{number}" for number in range(2, len(used) + 3)))
    return next(name for name in names if name.lower() not in used)


def _csv(view: View, standings: GameStandings) -> str:
    file = io.StringIO()
    write_csv(view.fields, view.lines(standings), file)
    return file.getvalue()


def _page(chapters: Sequence[dict[str, Any]]) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only reports need it

    loader = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return environment.get_template("report.html").render(chapters=chapters)


def _chapter(standings: GameStandings, folder: str, pictures: Sequence[Picture]) -> dict[str, Any]:
    facts = [f"{standings.facts.id}, up to result {standings.last:,}", *facts_text(standings)]
    views = views_of(standings)
    return {
        "title": standings.facts.title or standings.facts.id,
        "folder": folder,
        "players": len(standings.table),
        "matches": f"{standings.matches:,}",
        "facts": "; ".join(facts),
        "views": [_view(view, standings) for view in views if view.most != 0] if standings.table else [],
        "pictures": [
            {"title": one.title, "note": one.note, "src": f"data:image/png;base64,{base64.b64encode(one.png).decode()}"}
            for one in pictures
        ],
        "records": [*_records(standings)],
        "files": [view.name for view in views],
    }


def _view(view: View, standings: GameStandings) -> dict[str, Any]:
    lines = [*islice(view.lines(standings), view.most)]
    return {
        "title": view.title,
        "caption": view.caption + (f"; the first {view.most}" if len(lines) == view.most else ""),
        "empty": view.empty,
        **_table(view.columns, lines),
    }


def _table(columns: Sequence[Column], lines: Iterable[Line]) -> dict[str, Any]:
    return {
        "heads": [(column.title, column.kind) for column in columns],
        "rows": [[_text(column, line) for column in columns] for line in lines],
    }


def _text(column: Column, line: Line) -> str:
    cell = column.cell(line)
    return cell.as_range if isinstance(cell, Interval) and column.scale else str(cell)


def _records(standings: GameStandings) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each player with a table of its opponents."""
    matrix = standings.matrix
    if matrix is None:
        return

    def expected(line: Line) -> str:
        share = expected_share(standings, line["name"], line["other"])
        return "" if share is None else f"{share:.0%}"

    columns, names = [*MATRIX.columns[1:], Column("Expected", expected)], [one.name for one in standings.table]
    for name in names[:MOST_PLAYERS]:
        pairs = (matrix.pair(name, other) for other in names if other != name)
        yield name, _table(columns, [pair._asdict() for pair in pairs if pair.games])
