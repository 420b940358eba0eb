"""The cyclic term of mElo: advantages of pairs of players that no rating of one number can express.

The log odds of player i against j are r_i - r_j + u_i v_j - v_i u_j (mElo2: Balduzzi, Tuyls, Pérolat and Graepel,
"Re-evaluating Evaluation", NeurIPS 2018, section 3).  Chance looks cyclic too, so the term is kept only where a
likelihood-ratio test supports it.  Without a term the two vectors of that term are not identified, and Wilks' theorem
does not hold: the ratio is compared with those of leagues drawn from the ratings alone (the parametric bootstrap),
which allows for all pairs at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from agents.ladder.ratings.batch import ELO
from agents.statistics import Floats, Ints

LEAGUES = 99
"""Leagues that are drawn; the term is kept if none of them looks as cyclic: by chance in one game of a hundred."""

MOST_CYCLIC = 100
"""Players; for more the test takes too long."""

_PRECISION = 0.05
"""Of the normal prior of all values, whose mean is 0: players that met seldom show no cycles, and perfect records stay
finite."""


@dataclass(frozen=True, slots=True)
class CyclicTerm:
    """A term of n players."""

    odds: Floats  # (n, n), antisymmetric, rows sum to 0: added to the log odds of the row's player against the column's

    @property
    def points(self) -> Floats:
        """Each player's advantage or disadvantage, as a root mean square over opponents in points of Elo, (n,)."""
        return np.asarray(ELO * np.sqrt((self.odds**2).sum(axis=1) / max(1, len(self.odds) - 1)), np.float64)


def cyclic_term(points: Floats, games: Ints, strengths: Floats, *, seed: int = 0) -> CyclicTerm | None:
    """Return the term for `points` (n, n), wins and half the draws, in `games` (n, n); None if the test rejects it.

    `strengths` (n,) are log odds.  Fewer than three players have no cycles.

    >>> games = 60 * (1 - np.eye(3, dtype=np.int64))
    >>> ring = np.array([[0.0, 45, 15], [15, 0, 45], [45, 15, 0]])
    >>> term = cyclic_term(ring, games, np.zeros(3))
    >>> term.odds.round(1).tolist()
    [[0.0, 1.1, -1.1], [-1.1, 0.0, 1.1], [1.1, -1.1, 0.0]]
    >>> cyclic_term(games / 2, games, np.zeros(3)) is None
    True
    """
    if not 3 <= len(games) <= MOST_CYCLIC:
        return None
    league, rng = _League(games, strengths), np.random.default_rng(seed)
    ratio, odds = league.fit(points)
    is_chance = any(league.fit(league.draw(rng))[0] >= ratio for _ in range(LEAGUES))
    return None if is_chance else CyclicTerm(odds)


class _League:
    """Who met whom how often, and the log odds by strengths alone."""

    def __init__(self, games: Ints, strengths: Floats) -> None:
        self._games = games.astype(np.float64)
        self._base = strengths[:, None] - strengths[None, :]
        self._upper = np.triu(games, 1).astype(np.int64)

    def draw(self, rng: np.random.Generator) -> Floats:
        """Results (n, n) of the same pairings by strengths alone."""
        won = rng.binomial(self._upper, _rates(self._base)).astype(np.float64)
        return np.asarray(won + np.tril(self._games - won.T, -1), np.float64)

    def fit(self, points: Floats) -> tuple[float, Floats]:
        """Return how much more likely, in twice the log, the results are with the best term, and its log odds (n, n).

        The strengths are fitted to these results with it and without it.
        """
        from scipy.optimize import minimize  # on demand: its import takes most of a second

        count = len(points)
        without = np.zeros(3 * count)  # the vectors stay 0, where their slopes are 0
        around = np.append(np.zeros(count), self._strongest_cycle(points))
        plain, best = (
            minimize(self._height, begin, args=(points,), jac=True, method="L-BFGS-B", options={"maxiter": 100})
            for begin in (without, around)
        )
        return 2 * float(plain.fun - best.fun), without_ratings(_term(best.x[count:]))

    def _strongest_cycle(self, points: Floats) -> Floats:
        """Return u and v, (2 n,), near the most likely ones: of the results' leading singular pair."""
        rates = _rates(self._base)
        information = self._games * rates * (1 - rates)
        odds = (points - self._games * rates) / np.maximum(information, 1.0)
        left, sizes, right = np.linalg.svd((odds - odds.T) / 2)
        return np.append(left[:, 0], right[0]) * math.sqrt(sizes[0])

    def _height(self, values: Floats, points: Floats) -> tuple[float, Floats]:
        """Return the negative log posterior of the changes of strength, u and v, (3 n,), and its slopes."""
        changes, u, v = values.reshape(3, -1)
        odds = self._base + changes[:, None] - changes[None, :] + _term(values[len(u) :])
        losses = self._games * np.logaddexp(0, odds) - points * odds  # each pair is in it twice
        slope = self._games * _rates(odds) - points
        slopes = np.concatenate([slope.sum(axis=1), slope @ v, -slope @ u])
        return float(losses.sum() + _PRECISION * values @ values) / 2, slopes + _PRECISION * values


def without_ratings(odds: Floats) -> Floats:
    """Return antisymmetric log odds without what differences of strengths express: each row's mean is 0 then."""
    means = odds.mean(axis=1)
    return np.asarray(odds - means[:, None] + means[None, :], np.float64)


def _term(vectors: Floats) -> Floats:
    u, v = vectors.reshape(2, -1)
    return np.asarray(np.outer(u, v) - np.outer(v, u), np.float64)


def _rates(odds: Floats) -> Floats:
    return np.asarray((1 + np.tanh(odds / 2)) / 2, np.float64)
