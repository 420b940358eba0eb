"""SpectatedGame: the moves of one training game; with its seed, spectators replay it tick by tick."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.match.batch.vector_env import VectorEnv

MAX_TICKS = 2_000
"""The most ticks between two calls of `pop_pieces`; beyond, the episode is dropped."""


class SpectatedGame:
    """Follows one game at a time while `on`, the first that begins.

    `pop_pieces` returns pieces of episodes in order: {episode, seed, first, at, ticks: [{agent: action}], over, lineup}
    with the number `at` of ticks before the piece.
    """

    def __init__(self, batch: VectorEnv) -> None:
        self._batch = batch
        self.on = False
        self._game = -1  # its env index, -1 for none
        self._episode = 0
        self._piece: dict[str, Any] = {}
        self._pieces: list[dict[str, Any]] = []

    def begin(
        self, envs: NDArray[np.intp], seeds: NDArray[Any], lineup: Callable[[int], Mapping[str, str]],
        hidden: NDArray[np.bool_] | None = None,
    ) -> None:  # fmt: skip
        """End the last episodes of `envs` and begin new ones; `lineup` has the names of an env's policies by agent.

        Those `hidden`, (M,), do not start from their seed, and are not followed.
        """
        if not self.on or (self._game >= 0 and self._game not in envs):
            return
        if self._game >= 0:
            self._close(over=True)
        shown = np.flatnonzero(~hidden) if hidden is not None else np.arange(len(envs))
        if not len(shown):
            self._game = -1
            return
        self._episode += 1
        self._game = int(envs[shown[0]])
        self._piece = {
            "episode": self._episode, "seed": int(seeds[shown[0]]), "first": True, "at": 0, "ticks": [],
            "lineup": dict(lineup(self._game)),
        }  # fmt: skip

    def step(self, actions: Sequence[NDArray[Any]]) -> None:
        """Step all envs, and note the moves of the game."""
        acting = self._batch.acting[self._game].copy()
        self._batch.step(actions)
        if self._game < 0:
            return
        self._piece["ticks"] += [self._moves_of(given, acting) for given in self._batch.moves(actions)]
        if len(self._piece["ticks"]) >= MAX_TICKS:
            self._game, self._pieces = -1, []

    def pop_pieces(self) -> list[dict[str, Any]]:
        """The pieces since the last call."""
        if self._game >= 0 and self._piece["ticks"]:
            self._close(over=False)
        pieces, self._pieces = self._pieces, []
        return pieces

    def turn(self, on: bool) -> None:
        """Turn it on or off; it follows the next episode that begins."""
        if not on:
            self._game, self._pieces = -1, []
        self.on = on

    def _moves_of(self, actions: Sequence[NDArray[Any]], acting: NDArray[np.bool_]) -> dict[str, Any]:
        return {
            str(agent): actions[number][self._game, place].tolist()
            for number, group in enumerate(self._batch.groups)
            for place, agent in enumerate(group.agents)
            if acting[group.columns[place]]
        }

    def _close(self, *, over: bool) -> None:
        self._pieces.append(self._piece | {"over": over})
        self._piece = {**self._piece, "first": False, "at": self._piece["at"] + len(self._piece["ticks"]), "ticks": []}
