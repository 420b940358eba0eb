"""The built-in views: ratings, scores, ratings over time, records and mean scores of pairs, and cycles of three."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

import numpy as np

from agents.ladder.ratings.equilibrium import MOST_PLAYERS, equilibrium
from agents.ladder.ratings.pairs import HeadToHead
from agents.ladder.ratings.standings import GameStandings, Standing
from agents.ladder.ratings.views.rating_text import rating_interval
from agents.ladder.ratings.views.view import Cell, Column, Kind, Line, PairGrid, View, field, interval
from agents.statistics import Mean

ROOM = 150.0
"""Points of Elo on the window's axis beyond the strongest and the weakest; intervals may be cut off there."""

_PLAYER = ("place", "name", "label", "role", "kind")
_PLAYER_COLUMNS = (
    Column("", field("place"), width=0.35),
    Column("Player", field("name"), Kind.NAME, width=2.4),
    Column("Kind", field("kind"), Kind.WORD, width=1.05),
)
_RATING = ("points", "margin", "is_provisional", "mu", "sigma", "low", "high", "ordinal", "elo")
_BATCH = ("batch_elo", "batch_low", "batch_high")
_RECORD = ("games", "wins", "draws", "losses")


def _placed(standings: GameStandings, more: Callable[[Standing], Line]) -> Iterator[Line]:
    """Yield a line a player, with the place in its role and `more`."""
    places: Counter[str] = Counter()
    for one in standings.table:
        places[one.role] += 1
        yield dict(zip(_PLAYER, (places[one.role], one.name, one.label, one.role, one.kind), strict=True)) | more(one)


def _rating(one: Standing) -> Line:
    batch = dict(zip(_BATCH, one.batch or (None, None, None), strict=True))
    return batch | {name: getattr(one.rating, name) for name in (*_RATING, *_RECORD)}


def _shown_rating(line: Line) -> Cell:
    return rating_interval(line["points"], line["margin"])


RATINGS = View(
    name="ratings",
    title="Table",
    caption="Ratings with 95% intervals, ranked by conservative rating",
    empty="nothing to rate yet",
    fields=(*_PLAYER, *_RATING, *_BATCH, *_RECORD),
    columns=(
        *_PLAYER_COLUMNS,
        Column("Rating", _shown_rating, width=2.0),
        Column("Matches", field("games", ","), width=0.9),
        Column("Won", field("wins", ","), width=0.6),
        Column("Drawn", field("draws", ","), width=0.75),
        Column("Lost", field("losses", ","), width=0.6),
    ),
    lines=lambda standings: _placed(standings, _rating),
)


_CYCLIC = ("nash_share", "nash_elo", "alpha_rank", "cyclic_elo")


def _statistics(standings: GameStandings) -> Iterator[Line]:
    """Yield the lines of the ratings with the figures for players that beat each other in cycles."""
    figures = _equilibrium(standings)
    for line in _placed(standings, _rating):
        yield line | dict(zip(_CYCLIC, figures.get(line["name"], (None,) * len(_CYCLIC)), strict=True))


def _equilibrium(standings: GameStandings) -> dict[str, tuple[float | None, ...]]:
    """Return the figures of each rated player; none where seats need different skills, whose players never all meet."""
    matrix, batch = standings.matrix, standings.batch
    if matrix is None or batch is None or standings.facts.roles:
        return {}
    rated = matrix.ordered(name for name in matrix.names if name in batch.players)
    if not 2 <= len(rated.names) <= MOST_PLAYERS:
        return {}
    found = equilibrium(rated, np.array([batch.players[name].elo for name in rated.names]))
    cyclic = [None] * len(rated.names) if found.cyclic is None else found.cyclic.tolist()
    figures = zip(found.shares.tolist(), found.skills.tolist(), found.visits.tolist(), cyclic, strict=True)
    return dict(zip(rated.names, figures, strict=True))


STATISTICS = View(
    name="statistics",
    title="Statistics",
    caption="Ranked by conservative rating (mu - 3 sigma); with 95% intervals",
    empty="nothing to rate yet",
    fields=(*_PLAYER, *_RATING, *_BATCH, *_RECORD, *_CYCLIC),
    columns=(
        Column("", field("place"), width=0.35),
        Column("Player", field("name"), Kind.NAME, width=2.4),
        Column("Conservative", field("ordinal", ".1f"), width=1.1),
        Column("OpenSkill", interval("mu", "low", "high", ".1f"), width=1.3),
        Column("Elo over all matches", interval(*_BATCH, ".0f"), width=4.2, scale="elo", margin=ROOM),
        Column("Elo", field("elo", ".0f"), width=0.6),
        Column("Nash share", field("nash_share", ".0%"), width=0.9),
        Column("Against Nash", field("nash_elo", ".0f"), width=1.0),
        Column("α-rank", field("alpha_rank", ".0%"), width=0.7),
        Column("Cyclic", field("cyclic_elo", ".0f"), width=0.7),
    ),
    lines=_statistics,
)
"""With Nash averaging and alpha-rank: in a cycle the Nash mixture has several players, and no player is below it.
Cyclic is the size of a player's own advantages and disadvantages, unknown where a test sees chance alone."""


_ALONE = ("alone", "alone_low", "alone_high", "alone_games")
_MIXED = ("mixed", "mixed_low", "mixed_high", "mixed_games")


def _score(one: Standing) -> Line:
    assert one.score is not None  # a cooperative game
    return _mean(_ALONE, one.score.alone) | _mean(_MIXED, one.score.mixed)


def _mean(names: tuple[str, ...], mean: Mean | None) -> Line:
    parts = (mean.mean, mean.low, mean.high, mean.count) if mean else (None, None, None, 0)
    return dict(zip(names, parts, strict=True))


SCORES = View(
    name="ratings",
    title="Table",
    caption="Mean score of a match with its 95% interval, the best alone first",
    empty="nothing to rate yet",
    fields=(*_PLAYER, *_ALONE, *_MIXED),
    columns=(
        *_PLAYER_COLUMNS,
        Column("Score alone", interval("alone", "alone_low", "alone_high", ".4g"), width=3.4, scale="score"),
        Column("Matches", field("alone_games", ","), width=0.85),
        Column("Score with others", interval("mixed", "mixed_low", "mixed_high", ".4g"), width=3.4, scale="score"),
        Column("Matches", field("mixed_games", ","), width=0.85),
    ),
    lines=lambda standings: _placed(standings, _score),
    cooperative=True,
)


_MOMENT = ("name", "points", "margin", "is_provisional", "mu", "sigma", "low", "high", "elo")


def _moments(standings: GameStandings) -> Iterator[Line]:
    moments = [moment for course in standings.history.values() for moment in course]
    for result, time, rating in sorted(moments, key=lambda moment: (moment.result, moment.rating.name)):
        known = replace(rating, half=standings.margin(rating))
        yield {"result": result, "time": time, **{name: getattr(known, name) for name in _MOMENT}}


def when(seconds: float) -> str:
    """Return seconds since 1970 as a local date and time."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


HISTORY = View(
    name="history",
    title="Over time",
    caption="Ratings after each match",
    empty="nothing to rate yet",
    fields=("result", "time", *_MOMENT),
    columns=(
        Column("When", lambda line: when(line["time"]), Kind.WORD),
        Column("Match", field("result")),
        Column("Player", field("name"), Kind.NAME),
        Column("Rating", _shown_rating),
    ),
    lines=_moments,
    most=0,
)


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
        Column("95%", lambda line: f"{line['low']:.0%} to {line['high']:.0%}"),
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
    title="Cycles",
    caption="Cycles: each beats the next, and the last the first",
    empty="no cycles: no three players are known to beat each other in turn",
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
