"""Rotation: the few members of a large pool that are in play at a time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from trainer.league.odds import Odds, Places
from trainer.league.pool import Floats


@dataclass(slots=True)
class Rotation:
    """The few members that a policy's new episodes draw from, so that cost does not grow with the pool.

    Members of running episodes count too, so half of the few make room before the next ones come.  In the long run each
    member gets about its share; large shares a little less, since such members are drawn again while they still play.
    """

    few: int
    swap_steps: int
    last_swap: int = 0
    drawn: dict[int, float] = field(default_factory=dict)  # place to share of those that are drawn

    def choose(self, odds: Odds, alive: Collection[int], *, step: int, rng: np.random.Generator) -> dict[int, float]:
        """Place to share, summing to the shares of `odds`; `alive` are the places in running episodes."""
        steady = np.isin(odds.places, list(odds.steady))
        rest, shares = odds.places[~steady], odds.shares[~steady]
        chosen = dict(zip(odds.places[steady].tolist(), odds.shares[steady].tolist(), strict=True))
        total = float(shares.sum())
        if total <= 0:
            return chosen
        few = max(1, self.few - bool(odds.steady))  # the newest is one of them
        known = set(rest.tolist())
        self.drawn = {place: share for place, share in self.drawn.items() if place in known}
        if len(rest) <= few:
            self.drawn = dict(zip(rest.tolist(), (shares / total).tolist(), strict=True))
        elif not self.drawn or step - self.last_swap >= self.swap_steps:
            room = few - len(set(alive) - odds.steady)
            self._swap(rest, shares / total, few=few, room=room, step=step, rng=rng)
        return chosen | {place: share * total for place, share in self.drawn.items()}

    def _swap(
        self, places: Places, shares: Floats, *, few: int, room: int, step: int, rng: np.random.Generator
    ) -> None:  # fmt: skip
        """Draw new members where there is `room` for half of the few, else make room."""
        half = max(1, few // 2)
        if not self.drawn or room >= half:
            self.drawn = resample(places, shares, max(room, half), rng)
            self.last_swap = step
        elif len(self.drawn) > half:
            kept = rng.choice(list(self.drawn), half, replace=False).tolist()
            total = sum(self.drawn[place] for place in kept)
            self.drawn = {place: self.drawn[place] / total for place in kept}


def resample(places: Places, shares: Floats, count: int, rng: np.random.Generator) -> dict[int, float]:
    """Place to its part of `count` draws by share (systematic resampling, Kitagawa 1996, J. Comp. Graph. Stat. 5)."""
    points = (rng.random() + np.arange(count)) / count
    drawn = np.minimum(np.searchsorted(shares.cumsum(), points, side="right"), len(places) - 1)
    found, times = np.unique(places[drawn], return_counts=True)
    return dict(zip(found.tolist(), (times / count).tolist(), strict=True))
