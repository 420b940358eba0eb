"""Sequential tests of two players: the generalised sequential probability ratio test over pairs of games.

A pair is two games with the same seed and changed sides, which makes its score one of five values: the pentanomial
model.  The test stops as soon as the log likelihood ratio of two hypotheses about the mean score leaves Wald's bounds
(Van den Bergh, "A practical introduction to the GSPRT", https://www.cantate.be/Fishtest/GSPRT_approximation.pdf, and
the implementation in fishtest, https://github.com/official-stockfish/fishtest, `stat_util` and `LLRcalc`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from agents.errors import UserError
from agents.statistics import Floats, Z

SCORES: Floats = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""Mean scores of a pair: 0, 1/2, 1, 3/2 and 2 points of two games."""

MOST_ELO = 1000.0
_UNSEEN = 1e-3
"""The count of an outcome that did not occur, as in fishtest: without it a hypothesis may be impossible."""

_STEPS, _CLOSE = 60, 1e-12  # of Newton's method

_DEVIATION = 0.35
"""The standard deviation of a pair's score where the seed decides nothing and no game is drawn."""

_CHECKS, MOST_PAIRS = 16, 24
"""Checks in the time of a test of fixed size, and the most pairs between two checks."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference in points of Elo with its 95% interval, which early stopping makes a little too favourable."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class SequentialTest:
    """H0: the first player is `elo0` points stronger; H1: it is `elo1` points stronger.  Raises UserError.

    >>> SequentialTest(elo0=0, elo1=50).verdict([2, 20, 60, 55, 13])
    'H1'
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05  # probability of accepting H1 where H0 holds
    beta: float = 0.05  # probability of accepting H0 where H1 holds

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise UserError(f"expected -1000 <= elo0 < elo1 <= 1000, got: {self.elo0:g} and {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 1e-6 <= getattr(self, name) <= 0.4:
                raise UserError(f"expected 0.000001 <= {name} <= 0.4, got: {getattr(self, name)}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which H0 and H1 are accepted (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    @property
    def round_pairs(self) -> int:
        """The pairs to play at once: the test is checked after them, not in between.

        Few where the hypotheses are far apart, for which some pairs suffice.
        """
        widths = [NormalDist().inv_cdf(1 - one) for one in (self.alpha, self.beta)]
        distance = expected_score(self.elo1) - expected_score(self.elo0)
        fixed = (sum(widths) * _DEVIATION / distance) ** 2
        return int(min(MOST_PAIRS, max(1, fixed // _CHECKS)))

    def verdict(self, pairs: Sequence[int]) -> str:
        """Return "H0" or "H1" where it is accepted, or "" where more games are needed."""
        low, high = self.bounds
        ratio = float(self.ratios(np.array(pairs, np.float64)))
        return "H0" if ratio <= low else "H1" if ratio >= high else ""

    def ratios(self, pairs: Floats) -> Floats:
        """Return the log likelihood ratio of each row of counts, (…, 5) to (…,); positive favours H1."""
        counts = np.where(pairs > 0, pairs, _UNSEEN)
        tilts = [_tilt(counts, expected_score(elo)) for elo in (self.elo0, self.elo1)]
        ratio: Floats = (counts * (np.log(tilts[0]) - np.log(tilts[1]))).sum(axis=-1)
        return np.where(pairs.sum(axis=-1) > 0, ratio, 0.0)


def expected_score(elo: float) -> float:
    """Return the mean score of a player who is `elo` points stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def difference(pairs: Sequence[int]) -> Difference | None:
    """Return the difference in strength that these counts of pairs show; None without a pair."""
    counts = np.array(pairs, np.float64)
    count = counts.sum()
    if not count:
        return None
    prior = np.array([0.25, 0.0, 0.5, 0.0, 0.25])  # of one pair: an interval for players who never lose
    shares = (counts + prior) / (count + 1)
    mean = float(shares @ SCORES)
    half = Z * math.sqrt(float(shares @ (SCORES - mean) ** 2) / count)
    return Difference(*(_elo(score) for score in (float(counts @ SCORES) / count, mean - half, mean + half)))


def _elo(score: float) -> float:
    limited = min(max(score, expected_score(-MOST_ELO)), expected_score(MOST_ELO))
    return -400 * math.log10(1 / limited - 1)


def _tilt(counts: Floats, score: float) -> Floats:
    """Return the factors (…, 5) by which the likeliest shares with that mean score are below the observed ones.

    These are p / (1 + x d), with d the distance of each outcome to `score` (Owen, "Empirical Likelihood Ratio
    Confidence Intervals for a Single Functional", Biometrika 75, 1988); x is the root of a falling function.
    """
    away = SCORES - score
    shares = counts / counts.sum(axis=-1, keepdims=True)
    low = np.full(shares.shape[:-1], -1 / away[-1])
    high = np.full(shares.shape[:-1], -1 / away[0])
    x = np.zeros(shares.shape[:-1])
    for _ in range(_STEPS):
        ratio = away / (1 + x[..., None] * away)
        value, slope = (shares * ratio).sum(axis=-1), -(shares * ratio**2).sum(axis=-1)
        low, high = np.where(value > 0, x, low), np.where(value > 0, high, x)
        newton = x - value / slope
        ahead = np.where((newton > low) & (newton < high), newton, (low + high) / 2)
        is_close = np.abs(ahead - x).max(initial=0.0) < _CLOSE * (1 + np.abs(x).max(initial=0.0))
        x = ahead
        if is_close:
            break
    tilt: Floats = 1 + x[..., None] * away
    return tilt
