"""The views of players: ratings of a versus game, scores of a cooperative one, and ratings over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime

from agents.ladder.ratings.standings import GameStandings, Standing
from agents.ladder.ratings.views.view import Column, Kind, Line, View, field, interval
from agents.statistics import Mean

ROOM = 150.0
"""Points of Elo on the window's axis beyond the strongest and the weakest; intervals may be cut off there."""

_PLAYER = ("place", "name", "label", "role", "kind")
_PLAYER_COLUMNS = (
    Column("", field("place"), width=0.35),
    Column("Player", field("name"), Kind.NAME, width=2.4),
    Column("Kind", field("kind"), Kind.WORD, width=1.05),
)
_RATING = ("mu", "sigma", "low", "high", "ordinal", "elo")
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


RATINGS = View(
    name="ratings",
    title="Table",
    caption="Ranked by conservative rating (mu - 3 sigma); with 95 % intervals",
    empty="nothing to rate yet",
    fields=(*_PLAYER, *_RATING, *_BATCH, *_RECORD),
    columns=(
        *_PLAYER_COLUMNS,
        Column("OpenSkill", interval("mu", "low", "high", ".1f"), width=1.3),
        Column("Elo over all matches", interval(*_BATCH, ".0f"), width=4.2, scale="elo", margin=ROOM),
        Column("Elo", field("elo", ".0f"), width=0.6),
        Column("Matches", field("games", ","), width=0.9),
        Column("Won", field("wins", ","), width=0.6),
        Column("Drawn", field("draws", ","), width=0.75),
        Column("Lost", field("losses", ","), width=0.6),
    ),
    lines=lambda standings: _placed(standings, _rating),
)


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
    caption="Mean score of a match with its 95 % interval, the best alone first",
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


_MOMENT = ("name", "mu", "sigma", "low", "high", "elo")


def _moments(standings: GameStandings) -> Iterator[Line]:
    moments = [moment for course in standings.history.values() for moment in course]
    for result, time, rating in sorted(moments, key=lambda moment: (moment.result, moment.rating.name)):
        yield {"result": result, "time": time, **{name: getattr(rating, name) for name in _MOMENT}}


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
        Column("OpenSkill", interval("mu", "low", "high", ".1f")),
        Column("Elo", field("elo", ".0f")),
    ),
    lines=_moments,
    most=0,
)
