"""CardSearcher: a player that searches a poker hand from what its seat knows."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from agents.policies.functions import Answer
from agents.policies.information_sets import InformationSetSearch
from agents.seats.controller import ActionMask, Insight
from arcade.games.limit_poker import NAMES, read_known


class CardSearcher:
    """Called as (what the seat knows, action_mask, rng) -> Answer.

    It plays each action as often as the search looked at it: playing the best one every time would show its cards.
    """

    def __init__(self, *, game: str, simulations: int, seconds: float) -> None:
        self._game, self._simulations, self._seconds = game, simulations, seconds

    def __call__(self, observation: Any, mask: ActionMask | None, rng: np.random.Generator) -> Answer:
        known, end = read_known(self._game, observation), time.monotonic() + self._seconds
        search = InformationSetSearch(lambda: known.deal(rng), rng)
        search.search(self._simulations, is_time_left=lambda: time.monotonic() < end)
        visits = search.root.visits
        total = sum(visits.values())
        shares = [visits.get(action, 0) / total for action in range(len(NAMES))]
        insight = Insight(shares=shares, parts=(len(shares),), value=search.value, visits=total)
        return Answer(int(rng.choice(len(shares), p=shares)), insight)
