"""The rating of each player after each match."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from agents.ladder.ratings.standings import GameStandings
from agents.ladder.ratings.views.view import Column, Kind, Line, View, field, interval


def _lines(standings: GameStandings) -> Iterator[Line]:
    moments = [moment for course in standings.history.values() for moment in course]
    for result, time, rating in sorted(moments, key=lambda moment: (moment.result, moment.rating.name)):
        values = {name: getattr(rating, name) for name in ("name", "mu", "sigma", "low", "high", "elo")}
        yield {"result": result, "time": time, **values}


def when(seconds: float) -> str:
    """Return seconds since 1970 as a local date and time."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


HISTORY = View(
    name="history",
    title="Over time",
    caption="Ratings after each match",
    empty="nothing to rate yet",
    fields=("result", "time", "name", "mu", "sigma", "low", "high", "elo"),
    columns=(
        Column("When", lambda line: when(line["time"]), Kind.WORD),
        Column("Match", field("result")),
        Column("Player", field("name"), Kind.NAME),
        Column("OpenSkill", interval("mu", "low", "high", ".1f")),
        Column("Elo", field("elo", ".0f")),
    ),
    lines=_lines,
    most=0,
)
