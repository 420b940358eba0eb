"""Predictions from running ratings: the chance to win a match, and the information that it would bring.

The chance is the one that the ratings' own updates weigh a result against, for two: logistic in the difference of
strengths over c = sqrt(2) beta (Weng and Lin, JMLR 12 (2011), algorithm 4).  A strength is normal with mu and sigma.
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
"""OpenSkill's spread of one performance around a player's strength."""

SCALE = math.sqrt(2) * BETA
UNKNOWN = Rating("")
"""The rating of a player without matches."""

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(15)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


class Strengths(NamedTuple):
    """The strengths of some players, one by one; float64 (players,)."""

    mu: Floats
    sigma: Floats


class Chances(NamedTuple):
    """The chances to win against some players, a draw as half a win; float64 (players,)."""

    mean: Floats  # over all that the strengths may be
    variance: Floats  # of that
    low: Floats  # of the 95 % interval
    high: Floats

    @property
    def unevenness(self) -> Floats:
        """The mean squared distance from one half: small for an even match that is known to be one."""
        return (self.mean - 0.5) ** 2 + self.variance


def strengths_of(ratings: Sequence[Rating]) -> Strengths:
    """Return ratings as arrays."""
    return Strengths(np.array([one.mu for one in ratings]), np.array([one.sigma for one in ratings]))


def chances(own: Rating, others: Strengths) -> Chances:
    """Return the chances of `own` against each of the others."""
    difference, spread = own.mu - others.mu, np.hypot(own.sigma, others.sigma)
    may_be = _logistic(difference[:, None] + spread[:, None] * _NODES)
    mean = may_be @ _WEIGHTS
    variance = np.maximum((may_be - mean[:, None]) ** 2 @ _WEIGHTS, 0.0)
    return Chances(mean, variance, _logistic(difference - Z * spread), _logistic(difference + Z * spread))


def told(own: Rating, others: Strengths) -> Floats:
    """Return by how much one match with each of them is expected to reduce the variance of `own`.

    Fisher's information of a match on the difference of strengths is p (1 - p) / c²; an observation with that much
    narrows v to v - v² i / (1 + i (v + w)), w the other's variance (a Kalman filter's step).  The mean over all that
    the difference may be: an opponent with an uncertain rating is preferred to one that is certainly far away.
    """
    difference, spread = own.mu - others.mu, np.hypot(own.sigma, others.sigma)
    may_be = _logistic(difference[:, None] + spread[:, None] * _NODES)
    information = (may_be * (1 - may_be)) @ _WEIGHTS / SCALE**2
    narrowed: Floats = own.sigma**4 * information / (1 + information * spread**2)
    return narrowed


def _logistic(difference: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-difference / SCALE))
    return chance
