"""The record of each player against each other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agents.ladder.ratings.standings import GameStandings
from agents.ladder.ratings.views.view import Column, Kind, Line, PairGrid, View, field


def _lines(standings: GameStandings) -> Iterator[Line]:
    matrix = standings.matrix
    assert matrix is not None  # a versus game
    names = [standing.name for standing in standings.table]
    place = {label: number for number, label in enumerate(matrix.labels)}
    at = [place[name] for name in names]
    for row, column in np.argwhere(matrix.games[np.ix_(at, at)]).tolist():  # of hundreds of players few pairs have met
        record = matrix.pair(names[row], names[column])
        yield {"name": names[row], "other": names[column], **record._asdict()}


MATRIX = View(
    name="matrix",
    title="All pairs",
    caption="Share of the matches that the player won of the other, draws as half",
    empty="no two players have met yet",
    fields=("name", "other", "games", "wins", "draws", "losses", "rate", "low", "high"),
    columns=(
        Column("Player", field("name"), Kind.NAME),
        Column("Against", field("other"), Kind.NAME),
        Column("Matches", field("games", ",")),
        Column("Won", field("wins", ",")),
        Column("Drawn", field("draws", ",")),
        Column("Lost", field("losses", ",")),
        Column("Rate", field("rate", ".0%")),
        Column("95 %", lambda line: f"{line['low']:.0%} to {line['high']:.0%}"),
    ),
    lines=_lines,
    players=("name",),
    grid=PairGrid("name", "other", lambda line: f"{line['rate']:.0%}", "won by"),
    most=0,
)
