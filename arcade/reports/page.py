"""The report's page: HTML that fetches nothing, with its pictures inside; Jinja2 escapes all names."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from agents.ladder.ratings.figures import Pairing, pairing
from agents.ladder.ratings.standings import GameStandings
from agents.ladder.ratings.views import Interval, Kind, View, facts_words, views_of
from agents.ladder.ratings.views.view import Column, Line
from arcade.reports.pictures import Picture

MOST_PLAYERS = 60
"""Players whose records the page lists one by one; the tables beside it have everyone's."""

RECORD_HEADS = [
    ("Against", Kind.NAME), *((title, Kind.FIGURE) for title in ("Won", "Drawn", "Lost", "Rate", "95 %", "Expected"))
]  # fmt: skip

Part = tuple[GameStandings, str, Sequence[Picture]]
"""One game's standings, the folder of its files, and its pictures."""


def page_of(parts: Sequence[Part]) -> str:
    """Render the whole page, a chapter a game."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # on demand: only reports need it

    loader = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    template = environment.get_template("report.html")
    return template.render(chapters=[_chapter(*part) for part in parts], record_heads=RECORD_HEADS)


def _chapter(standings: GameStandings, folder: str, pictures: Sequence[Picture]) -> dict[str, Any]:
    facts = [f"{standings.facts.id}, up to result {standings.last:,}", *facts_words(standings)]
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
    more = f"; the first {view.most}" if len(lines) == view.most else ""
    return {
        "title": view.title,
        "caption": view.caption + more,
        "empty": view.empty,
        "heads": [(column.title, column.kind) for column in view.columns],
        "rows": [[_text(column, line) for column in view.columns] for line in lines],
    }


def _text(column: Column, line: Line) -> str:
    cell = column.cell(line)
    return cell.as_range if isinstance(cell, Interval) and column.scale else str(cell)


def _records(standings: GameStandings) -> Iterator[tuple[str, list[list[str]]]]:
    """Each player, with a row for each opponent it has met."""
    if standings.matrix is None:
        return
    names = [one.name for one in standings.table]
    for name in names[:MOST_PLAYERS]:
        met = [found for other in names if other != name and (found := pairing(standings, name, other)).record.games]
        yield name, [_record(found) for found in met]


def _record(found: Pairing) -> list[str]:
    record = found.record
    expected = "" if found.expected is None else f"{found.expected:.0%}"
    counts = (f"{count:,}" for count in (record.wins, record.draws, record.losses))
    return [found.other, *counts, f"{record.rate:.0%}", f"{record.low:.0%} to {record.high:.0%}", expected]
