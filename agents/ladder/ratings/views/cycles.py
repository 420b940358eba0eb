"""Cycles of three players, each of whom beats the next, which no rating can express."""

from __future__ import annotations

from collections.abc import Iterator

from agents.ladder.ratings.standings import GameStandings
from agents.ladder.ratings.views.view import Column, Kind, Line, View, field

_NAMES, _RATES = ("first", "second", "third"), ("first_rate", "second_rate", "third_rate")


def _lines(standings: GameStandings) -> Iterator[Line]:
    assert standings.matrix is not None  # a versus game
    for cycle in standings.matrix.cycles():
        named = dict(zip(_NAMES, cycle.labels, strict=True))
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
    lines=_lines,
    players=_NAMES,
    most=200,
)
