"""The moves of one training game, for who wants to watch: with its seed they show the game again, tick by tick."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainer.games.batch import GameBatch

MAX_TICKS = 2_000
"""Held at most between two calls of `take`; what is older is dropped, and the rest of that episode with it."""


class Watched:
    """Follows game 0 while `on`; costs nothing else.

    `take` returns pieces of episodes in order: {episode, seed, first, ticks: [{agent: action}], over, lineup}.
    """

    def __init__(self, batch: GameBatch) -> None:
        self._batch = batch
        self.on = False
        self._episode = 0
        self._following = False
        self._piece: dict[str, Any] = {}
        self._pieces: list[dict[str, Any]] = []

    def begin(self, games: NDArray[np.intp], seeds: NDArray[Any], lineup: Callable[[], Mapping[str, str]]) -> None:
        """Episodes begin in `games`."""
        if not self.on or not len(games) or games[0] != 0:  # numbers come in order
            return
        if self._following:
            self._close(over=True)
        self._episode += 1
        self._following = True
        self._piece = {
            "episode": self._episode, "seed": int(seeds[0]), "first": True, "ticks": [], "lineup": dict(lineup()),
        }  # fmt: skip

    def tick(self, actions: Sequence[NDArray[Any]]) -> None:
        """The games are about to be stepped with these actions."""
        if not self._following:
            return
        acting = self._batch.acting[0]
        if not acting.any():
            return
        moves = {
            str(agent): actions[number][0, place].tolist()
            for number, group in enumerate(self._batch.groups)
            for place, agent in enumerate(group.agents)
            if acting[group.columns[place]]
        }
        self._piece["ticks"].append(moves)
        if len(self._piece["ticks"]) >= MAX_TICKS:
            self._following, self._pieces = False, []

    def take(self) -> list[dict[str, Any]]:
        """What came since the last call."""
        if self._following and self._piece["ticks"]:
            self._close(over=False)
        pieces, self._pieces = self._pieces, []
        return pieces

    def turn(self, on: bool) -> None:
        """Begin or end to watch; the first episode that begins from now on is followed."""
        if not on:
            self._following, self._pieces = False, []
        self.on = on

    def _close(self, *, over: bool) -> None:
        self._pieces.append(self._piece | {"over": over})
        self._piece = {**self._piece, "first": False, "ticks": []}
