"""Data for charts of standings: rating histories, a grid of all pairs, pairings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.ladder.ratings.batch import ELO
from agents.ladder.ratings.books import Moment
from agents.ladder.ratings.matrix import HeadToHead
from agents.ladder.ratings.standings import GameStandings
from agents.statistics import Z

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_POINTS = 300  # of one course


@dataclass(frozen=True, slots=True)
class Course:
    """The history of one rating; all arrays are (points,), oldest first."""

    name: str
    numbers: Floats  # of the match before, counting those that changed a rating
    times: Floats  # seconds since 1970, UTC
    mu: Floats  # OpenSkill
    half: Floats  # of the 95 % interval of mu
    elo: Floats


@dataclass(frozen=True, slots=True)
class Grid:
    """All pairs; arrays are (names, names), the row's player against or with the column's."""

    names: tuple[str, ...]  # in the order of the table; labels in a cooperative game
    values: Floats  # nan without a match
    low: Floats  # of the 95 % interval; nan if unknown
    high: Floats
    games: Ints
    versus: bool  # True: shares of wins, draws as half; False: mean scores of matches together


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players against each other."""

    name: str
    other: str
    record: HeadToHead  # of `name`
    expected: float | None  # the share predicted by the ratings over all matches; None for an unrated player


def courses(standings: GameStandings, names: Sequence[str], *, most: int = MOST_POINTS) -> list[Course]:
    """Return the courses of `names`, thinned to about `most` points without losing the first and last."""
    results = sorted({moment.result for course in standings.history.values() for moment in course})
    number = {result: place for place, result in enumerate(results, 1)}
    return [_course(name, number, standings.history[name], most) for name in names if name in standings.history]


def _course(name: str, number: dict[int, int], moments: Sequence[Moment], most: int) -> Course:
    step = max(1, math.ceil(len(moments) / most))
    thinned = [*moments[:-1:step], moments[-1]]
    points = [(number[m.result], m.time, m.rating.mu, Z * m.rating.sigma, m.rating.elo) for m in thinned]
    return Course(name, *np.array(points, np.float64).T)


def grid(standings: GameStandings) -> Grid | None:
    """Return win rates or, of a cooperative game, mean scores; None before the first match that counts."""
    if not standings.table:
        return None
    if standings.cross_play is not None:
        table = standings.cross_play
        names = tuple(dict.fromkeys(one.label for one in standings.table if one.label in table.labels))
        at = np.ix_(*2 * [[table.labels.index(name) for name in names]])
        mean, half = table.mean[at], table.half[at]
        return Grid(names, mean, mean - half, mean + half, table.games[at], versus=False)
    matrix = standings.matrix
    assert matrix is not None  # a versus game
    names = tuple(one.name for one in standings.table)
    at = np.ix_(*2 * [[matrix.labels.index(name) for name in names]])
    return Grid(names, matrix.rate[at], matrix.low[at], matrix.high[at], matrix.games[at], versus=True)


def pairing(standings: GameStandings, name: str, other: str) -> Pairing:
    """Return the record of two players of a versus game; raises ValueError for an unknown name."""
    if standings.matrix is None:
        raise ValueError(f"expected a game of players against each other, got: {standings.facts.id!r}")
    record = standings.matrix.pair(name, other)
    can_meet = record.games or not standings.facts.roles  # those of one role never do
    return Pairing(name, other, record, expected_share(standings, name, other) if can_meet else None)


def expected_share(standings: GameStandings, name: str, other: str) -> float | None:
    """Return the share of a match against `other` that the ratings over all matches predict for `name`.

    Davidson's model of draws (Journal of the American Statistical Association 65, 1970), without the first seat.
    """
    batch = standings.batch
    if batch is None or name not in batch.players or other not in batch.players:
        return None
    half = (batch.players[name].elo - batch.players[other].elo) / ELO / 2
    tie = 2 * batch.draw / (1 - batch.draw)
    weights = math.exp(half), math.exp(-half)
    return (weights[0] + tie / 2) / (sum(weights) + tie)


def most_played(standings: GameStandings, most: int) -> list[Pairing]:
    """Return up to `most` pairings of a versus game, by number of matches; each names the stronger player first."""
    if (found := grid(standings)) is None or not found.versus:
        return []
    met = np.argwhere(np.triu(found.games)).tolist()
    met.sort(key=lambda pair: -found.games[*pair])
    return [pairing(standings, found.names[row], found.names[column]) for row, column in met[:most]]
