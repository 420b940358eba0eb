"""The mean scores of a cooperative game, by pair of players."""

from __future__ import annotations

import math
from collections.abc import Iterator

from agents.ladder.ratings.standings import GameStandings
from agents.ladder.ratings.views.view import Column, Kind, Line, PairGrid, View, field


def _lines(standings: GameStandings) -> Iterator[Line]:
    table = standings.cross_play
    assert table is not None  # a cooperative game
    for own, label in enumerate(table.labels):
        for its, partner in enumerate(table.labels):
            if table.games[own, its]:
                half = float(table.half[own, its])
                yield {
                    "label": label, "partner": partner, "mean": float(table.mean[own, its]),
                    "half": None if math.isnan(half) else half, "games": int(table.games[own, its]),
                }  # fmt: skip


CROSS_PLAY = View(
    name="cross-play",
    title="All pairs",
    caption="Mean score of matches together",
    empty="no matches with scores yet",
    fields=("label", "partner", "mean", "half", "games"),
    columns=(
        Column("Player", field("label"), Kind.NAME),
        Column("With", field("partner"), Kind.NAME),
        Column("Matches", field("games", ",")),
        Column(
            "Mean score", lambda line: f"{line['mean']:.2f}" + (f" ± {line['half']:.2f}" if line["half"] else "")
        ),
    ),
    lines=_lines,
    cooperative=True,
    players=("label",),
    grid=PairGrid("label", "partner", lambda line: f"{line['mean']:.2f}", "mean score of"),
    most=0,
)  # fmt: skip
