"""Odds: the shares of a policy's episodes that go to each member of its pool.

Prioritised fictitious self-play draws an opponent with a chance in proportion to f(x), x the policy's win rate
against it: f(x) = x (1 - x) prefers even matches, f(x) = (1 - x)^2 hard ones (Vinyals et al. 2019, Grandmaster level in
StarCraft II using multi-agent reinforcement learning, Nature 575, 350-354, methods).  Win rates are estimated from few
games: f is averaged over the distribution of x, so that new members and those not met for long are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from trainer.config.sections import OpponentSettings, Weighting
from trainer.league.pool import Floats, Pool

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Odds:
    """The opponents of a policy in the seats of one other policy, as shares of its episodes."""

    live: float  # against the present learning policies
    live_policy: str = ""  # the one that takes all other seats then; "": the seats' own
    places: Places = field(default_factory=lambda: np.zeros(0, np.intp))  # of pool members
    shares: Floats = field(default_factory=lambda: np.zeros(0))  # of the members; the rest to 1 is live too
    steady: frozenset[int] = frozenset()  # places that are always in play: the newest and the fixed


def make_odds(pool: Pool, settings: OpponentSettings, *, live: float, seats_of: str, fixed: Sequence[str]) -> Odds:
    """The odds over the snapshots of policy `seats_of` and the `fixed` that can take its seats."""
    snapshots = pool.places(kind="snapshot", policies=(seats_of,))
    fixed_places = fixed_in(pool, fixed)
    fixed_share = settings.fixed_ratio if len(fixed_places) else 0.0
    left = max(0.0, 1.0 - live - fixed_share) if len(snapshots) else 0.0
    shares = left * snapshot_shares(pool, snapshots, settings)
    odds = Odds(live, places=snapshots, shares=shares, steady=frozenset(snapshots[-1:].tolist()))
    return join_fixed(odds, fixed_places, fixed_share)


def with_fixed(odds: Odds, pool: Pool, share: float, fixed: Sequence[str]) -> Odds:
    """Odds of which `share` goes to the `fixed` members instead."""
    places = fixed_in(pool, fixed)
    if not len(places):
        return odds
    rest = replace(odds, live=odds.live * (1 - share), shares=odds.shares * (1 - share))
    return join_fixed(rest, places, share)


def join_fixed(odds: Odds, places: Places, share: float) -> Odds:
    """Add fixed members, which are always in play and have equal parts of `share`."""
    return replace(
        odds,
        places=np.concatenate([odds.places, places]),
        shares=np.concatenate([odds.shares, np.full(len(places), share / max(1, len(places)))]),
        steady=odds.steady | set(places.tolist()),
    )


def fixed_in(pool: Pool, words: Sequence[str]) -> Places:
    """Places of the fixed members with these words."""
    return np.array([i for i in pool.places(kind="fixed").tolist() if pool.members[i].name in words], np.intp)


def snapshot_shares(pool: Pool, snapshots: Places, settings: OpponentSettings) -> Floats:
    """Shares of snapshots, oldest first, summing to 1: the newest has its own, the rest of the window by weight."""
    shares = np.zeros(len(snapshots))
    if not len(snapshots):
        return shares
    first = max(0, len(snapshots) - settings.window) if settings.window else 0
    others = pfsp(pool, snapshots[first:-1], settings.weighting)
    newest = settings.newest_ratio if len(others) else 1.0
    shares[first:-1] = (1.0 - newest) * others
    shares[-1] = newest
    return shares


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
