"""InformationSetSearch: tree search in games with hidden cards, over what each player knows.

Each simulation begins with cards that the searching seat takes for possible, and every player in it decides by the
statistics of its own information set (ISMCTS with many observers: Cowling, Powley, Whitehouse 2012, Information Set
Monte Carlo Tree Search).  Its visits come near an equilibrium of poker (Heinrich, Silver 2015, Smooth UCT Search in
Computer Poker).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

EXPLORATION = 1.0
"""Of the difference between the best and the worst return so far."""


class Deal(Protocol):
    """A game for two in which all cards are dealt."""

    @property
    def player(self) -> int:
        """The player to move, 0 or 1; -1 at the end."""

    @property
    def actions(self) -> Sequence[int]:
        """The legal actions worth looking at."""

    @property
    def gain(self) -> float:
        """What player 0 has won at the end."""

    def play(self, action: int) -> Deal:
        """The game after an action."""

    def known(self) -> Hashable:
        """All that the player to move knows."""


@dataclass(slots=True)
class Statistics:
    """Of the actions in one information set."""

    visits: dict[int, int] = field(default_factory=dict)
    totals: dict[int, float] = field(default_factory=dict)  # of the returns, for the player to move

    def choose(self, actions: Sequence[int], scale: float) -> int:
        """The action with the highest upper bound (UCB1); one without a visit first."""
        seen = math.log(1 + sum(self.visits.values()))

        def bound(action: int) -> float:
            visits = self.visits.get(action, 0)
            return self.totals[action] / visits + scale * math.sqrt(seen / visits) if visits else math.inf

        return max(actions, key=bound)

    def add(self, action: int, gain: float) -> None:
        self.visits[action] = self.visits.get(action, 0) + 1
        self.totals[action] = self.totals.get(action, 0.0) + gain


class InformationSetSearch:
    """Searches the decision of one player."""

    def __init__(self, deal: Callable[[], Deal], rng: np.random.Generator) -> None:
        """`deal` returns the present game, with the hidden cards drawn from what the player knows."""
        self._deal, self._rng = deal, rng
        self._sets: dict[Hashable, Statistics] = {}
        self._low = self._high = 0.0
        self.root = Statistics()

    def search(self, simulations: int, *, is_time_left: Callable[[], bool] = lambda: True) -> None:
        """Play so many games to their end."""
        for _ in range(simulations):
            self._simulate()
            if not is_time_left():
                return

    @property
    def value(self) -> float:
        """What the player expects to win."""
        return sum(self.root.totals.values()) / max(1, sum(self.root.visits.values()))

    def _simulate(self) -> None:
        game = self._deal()
        path: list[tuple[Statistics, int, int]] = []
        self.root = self._sets.setdefault(game.known(), Statistics())
        while game.player >= 0:
            found = self._sets.setdefault(game.known(), Statistics())
            is_new = not found.visits
            action = found.choose(self._shuffled(game.actions), EXPLORATION * (self._high - self._low))
            path.append((found, game.player, action))
            game = game.play(action)
            if is_new and len(path) > 1:
                break
        while game.player >= 0:
            game = game.play(int(self._rng.choice(game.actions)))
        gain = game.gain
        self._low, self._high = min(self._low, gain, -gain), max(self._high, gain, -gain)
        for found, player, action in path:
            found.add(action, gain if player == 0 else -gain)

    def _shuffled(self, actions: Sequence[int]) -> list[int]:
        return [actions[place] for place in self._rng.permutation(len(actions))]
