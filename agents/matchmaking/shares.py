"""Shares of opponents by prioritised fictitious self-play (PFSP).

It draws an opponent with a chance in proportion to f(x), x the policy's win rate
against it: f(x) = x (1 - x) prefers even matches, f(x) = (1 - x)^2 hard ones (Vinyals et al. 2019, Grandmaster level in
StarCraft II using multi-agent reinforcement learning, Nature 575, 350-354, methods).  Win rates are estimated from few
games: f is averaged over the distribution of x, so that new members and those not met for long are tried.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from agents.matchmaking.pool import Pool
from agents.statistics import Floats

Weighting = Literal["uniform", "variance", "hard"]
Places = NDArray[np.intp]


def pfsp(pool: Pool, places: Places, weighting: Weighting) -> Floats:
    """Chances, summing to 1, of these members of the pool."""
    weights = expected_weight(weighting, *pool.beliefs(places))
    return weights / max(float(weights.sum()), 1e-12)


def expected_weight(weighting: Weighting, a: Floats, b: Floats) -> Floats:
    """The mean of f(x) for win rates x with the distribution Beta(a, b)."""
    total = a + b
    if weighting == "variance":
        return a * b / (total * (total + 1))
    if weighting == "hard":
        return b * (b + 1) / (total * (total + 1))
    return np.ones_like(a)
