"""Predictions from running ratings: the probability to win a match, and the information gained by it.

The probability is the one of the ratings' own updates, for two players: logistic in the difference of strengths over
c = sqrt(2) beta (Weng and Lin, JMLR 12 (2011), algorithm 4).  A strength is normal with mu and sigma.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.ladder.ratings.online import Rating
from agents.statistics import Z

Floats = NDArray[np.float64]

BETA = 25 / 6
"""OpenSkill's standard deviation of one performance around a player's strength."""

SCALE = math.sqrt(2) * BETA
UNKNOWN = Rating("")
"""The rating of a player without matches."""

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(15)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


class Chances(NamedTuple):
    """Win probabilities against some players, a draw as half a win; float64 (players,)."""

    mean: Floats  # over the distribution of strengths
    variance: Floats  # of that
    low: Floats  # of the 95 % interval
    high: Floats

    @property
    def unevenness(self) -> Floats:
        """The mean squared distance from one half: small for a match that is even and known to be."""
        return (self.mean - 0.5) ** 2 + self.variance


def chances(own: Rating, others: Sequence[Rating]) -> Chances:
    """Return the win probabilities of `own` against each of the others."""
    difference, spread, samples = _differences(own, others)
    mean = samples @ _WEIGHTS
    variance = np.maximum((samples - mean[:, None]) ** 2 @ _WEIGHTS, 0.0)
    return Chances(mean, variance, _logistic(difference - Z * spread), _logistic(difference + Z * spread))


def expected_reduction(own: Rating, others: Sequence[Rating]) -> Floats:
    """Return the expected reduction of the variance of `own` by one match with each of the others.

    The Fisher information i of a match about the difference of strengths is p (1 - p) / c²; it reduces the variance v
    to v - v² i / (1 + i (v + w)), w the other's variance (a Kalman filter's step).  i is a mean over the distribution
    of the difference: an opponent with an uncertain rating is preferred to one that is certainly far away.
    """
    _, spread, samples = _differences(own, others)
    information = (samples * (1 - samples)) @ _WEIGHTS / SCALE**2
    reduction: Floats = own.sigma**4 * information / (1 + information * spread**2)
    return reduction


def _differences(own: Rating, others: Sequence[Rating]) -> tuple[Floats, Floats, Floats]:
    """Return the means and deviations of the differences of strength, and the win probabilities at the nodes."""
    difference = own.mu - np.array([one.mu for one in others])
    spread = np.hypot(own.sigma, [one.sigma for one in others])
    return difference, spread, _logistic(difference[:, None] + spread[:, None] * _NODES)


def _logistic(difference: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-difference / SCALE))
    return chance
