"""Data for charts of standings: rating histories, predicted shares, the most played pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.ladder.ratings.batch import ELO
from agents.ladder.ratings.books import Moment
from agents.ladder.ratings.pairs import HeadToHead
from agents.ladder.ratings.standings import GameStandings
from agents.statistics import Z

Floats = NDArray[np.float64]

MOST_POINTS = 300  # of one course


@dataclass(frozen=True, slots=True)
class Course:
    """The history of one rating; all arrays are (points,), oldest first."""

    name: str
    numbers: Floats  # of the match before, counting those that changed a rating
    mu: Floats  # OpenSkill
    half: Floats  # of the 95 % interval of mu
    elo: Floats


def courses(standings: GameStandings, names: Sequence[str], *, most: int = MOST_POINTS) -> list[Course]:
    """Return the courses of `names`, thinned to about `most` points without losing the first and last."""
    results = sorted({moment.result for course in standings.history.values() for moment in course})
    number = {result: place for place, result in enumerate(results, 1)}
    return [_course(name, number, standings.history[name], most) for name in names if name in standings.history]


def _course(name: str, number: dict[int, int], moments: Sequence[Moment], most: int) -> Course:
    step = max(1, math.ceil(len(moments) / most))
    thinned = [*moments[:-1:step], moments[-1]]
    points = [(number[m.result], m.rating.mu, Z * m.rating.sigma, m.rating.elo) for m in thinned]
    return Course(name, *np.array(points, np.float64).T)


def expected_share(standings: GameStandings, name: str, other: str) -> float | None:
    """Return the share of a match against `other` that the ratings over all matches predict for `name`.

    None for an unrated player, and for two players of one role, who never meet.  Davidson's model of draws (Journal of
    the American Statistical Association 65, 1970), without the first seat.
    """
    batch, matrix = standings.batch, standings.matrix
    if batch is None or matrix is None or not {name, other} <= batch.players.keys():
        return None
    if standings.facts.roles and not matrix.pair(name, other).games:
        return None
    half = (batch.players[name].elo - batch.players[other].elo) / ELO / 2
    tie = 2 * batch.draw / (1 - batch.draw)
    weights = math.exp(half), math.exp(-half)
    return (weights[0] + tie / 2) / (sum(weights) + tie)


def most_played(standings: GameStandings, most: int) -> list[HeadToHead]:
    """Return up to `most` pairs of a versus game, by number of matches; each names the stronger player first."""
    matrix = standings.matrix
    if matrix is None:
        return []
    met = np.argwhere(np.triu(matrix.games)).tolist()
    met.sort(key=lambda pair: -matrix.games[*pair])
    return [matrix.pair(matrix.names[row], matrix.names[column]) for row, column in met[:most]]
