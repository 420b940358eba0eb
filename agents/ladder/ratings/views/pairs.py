"""The views of pairs of players: records, mean scores, and cycles of three."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from agents.ladder.ratings.pairs import HeadToHead
from agents.ladder.ratings.standings import GameStandings
from agents.ladder.ratings.views.view import Column, Kind, Line, PairGrid, View, field


def _records(standings: GameStandings) -> Iterator[Line]:
    matrix = standings.matrix
    assert matrix is not None  # a versus game
    for row, column in np.argwhere(matrix.games).tolist():  # of hundreds of players few pairs have met
        yield matrix.pair(matrix.names[row], matrix.names[column])._asdict()


MATRIX = View(
    name="matrix",
    title="All pairs",
    caption="Share of the matches that the player won of the other, draws as half",
    empty="no two players have met yet",
    fields=HeadToHead._fields,
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
    lines=_records,
    players=("name",),
    grid=PairGrid("name", "other", lambda line: f"{line['rate']:.0%}", "won by"),
    most=0,
)


def _scores(standings: GameStandings) -> Iterator[Line]:
    table = standings.pairs
    for own, its in np.argwhere(table.games).tolist():
        mean, half = float(table.values[own, its]), float(table.high[own, its] - table.values[own, its])
        yield {
            "label": table.names[own], "partner": table.names[its], "mean": mean,
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
    lines=_scores,
    cooperative=True,
    players=("label",),
    grid=PairGrid("label", "partner", lambda line: f"{line['mean']:.2f}", "mean score of"),
    most=0,
)  # fmt: skip


_NAMES, _RATES = ("first", "second", "third"), ("first_rate", "second_rate", "third_rate")


def _cycles(standings: GameStandings) -> Iterator[Line]:
    assert standings.matrix is not None  # a versus game
    for cycle in standings.matrix.cycles():
        named = dict(zip(_NAMES, cycle.names, strict=True))
        yield {**named, **dict(zip(_RATES, cycle.rates, strict=True)), "low": cycle.low}


CYCLES = View(
    name="cycles",
    title="Rings",
    caption="Rings: each beats the next, and the last the first",
    empty="no rings: no three players are known to beat each other in turn",
    fields=(*_NAMES, *_RATES, "low"),
    columns=(
        Column("First", field("first"), Kind.NAME, width=2.0),
        Column("beats", field("second"), Kind.NAME, width=2.0),
        Column("beats", field("third"), Kind.NAME, width=2.0),
        Column("Rates", lambda line: "  ".join(f"{line[name]:.0%}" for name in _RATES), width=2.1),
        Column("Each above", field("low", ".0%")),
    ),
    lines=_cycles,
    players=_NAMES,
    most=200,
)
"""Cycles of three players, each of whom beats the next, which no rating can express."""
