"""Standings as figures to draw: courses over the matches, a grid of all pairs, pairings; for windows and files."""

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

MOST_POINTS = 300
"""Of one course: more than a picture has room for."""


@dataclass(frozen=True, slots=True)
class Course:
    """How one rating went; all arrays are (points,), by rising number."""

    name: str
    numbers: Floats  # of the match after which the rest holds, the game's first one that changed a rating being 1
    times: Floats  # seconds since 1970, UTC
    mu: Floats  # OpenSkill
    half: Floats  # of the 95 % interval of mu
    elo: Floats


@dataclass(frozen=True, slots=True)
class Grid:
    """Everyone with everyone: all arrays are (names, names), the row's player against or with the column's."""

    names: tuple[str, ...]  # as in the table, the strongest first; of a cooperative game labels
    values: Floats  # nan for pairs without a match
    low: Floats  # of the 95 % interval; nan where it is not known
    high: Floats
    games: Ints
    versus: bool  # True: shares of wins, draws as half; False: mean scores of matches together


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players against each other."""

    name: str
    other: str
    record: HeadToHead  # of `name`
    expected: float | None  # the share that the ratings over all matches expect; None where they know one of them not


def courses(standings: GameStandings, names: Sequence[str], *, most: int = MOST_POINTS) -> list[Course]:
    """The courses of those of `names` that have one, thinned to about `most` points; the first and last point stay."""
    results = sorted({moment.result for course in standings.history.values() for moment in course})
    number = {result: place for place, result in enumerate(results, 1)}
    return [
        _course(name, number, _thinned(standings.history[name], most)) for name in names if name in standings.history
    ]


def _thinned(course: Sequence[Moment], most: int) -> list[Moment]:
    step = max(1, math.ceil(len(course) / most))
    return [*course[:-1:step], course[-1]]


def _course(name: str, number: dict[int, int], moments: Sequence[Moment]) -> Course:
    columns = [(number[m.result], m.time, m.mu, Z * m.sigma, m.elo) for m in moments]
    return Course(name, *np.array(columns, np.float64).T)


def grid(standings: GameStandings) -> Grid | None:
    """Win rates or, of a cooperative game, mean scores; None before the first match that counts."""
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
    """The record of two players of a versus game and what was to be expected.

    Raises ValueError for a name that the standings do not have.
    """
    if standings.matrix is None:
        raise ValueError(f"expected a game of players against each other, got: {standings.facts.id!r}")
    record = standings.matrix.pair(name, other)
    can_meet = record.games or not standings.facts.roles  # those of one role never do
    return Pairing(name, other, record, expected_share(standings, name, other) if can_meet else None)


def expected_share(standings: GameStandings, name: str, other: str) -> float | None:
    """The share of a match between just these two that the ratings over all matches give to `name`.

    Davidson's model of draws (Journal of the American Statistical Association 65, 1970), the first seat left out.
    """
    batch = standings.batch
    if batch is None or name not in batch.players or other not in batch.players:
        return None
    half = (batch.players[name].elo - batch.players[other].elo) / ELO / 2
    tie = 2 * batch.draw / (1 - batch.draw)
    weights = math.exp(half), math.exp(-half)
    return (weights[0] + tie / 2) / (sum(weights) + tie)


def most_played(standings: GameStandings, most: int) -> list[Pairing]:
    """At most so many pairings of a versus game that have met, those with most matches first; the stronger is named
    first."""
    matrix = standings.matrix
    if matrix is None:
        return []
    names = [standing.name for standing in standings.table]
    place = {label: number for number, label in enumerate(matrix.labels)}
    pairs = [
        (int(matrix.games[place[name], place[other]]), name, other)
        for at, name in enumerate(names) for other in names[at + 1 :]
    ]  # fmt: skip
    met = sorted((pair for pair in pairs if pair[0]), key=lambda pair: -pair[0])
    return [pairing(standings, name, other) for _, name, other in met[:most]]
