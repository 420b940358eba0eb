"""Games of any PettingZoo env, AEC or Parallel: one stage in this process for each."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from arcade.games.spec import GameSpec
from arcade.match.local import LocalStage
from arcade.match.tick import Tick
from trainer.games.batch import GameBatch


class StageGames(GameBatch):
    """Keeps the newest observation of every seat; a seat may die, wait its turn or appear in mid-episode.

    Seats that are not learnable are played at random here, legally.
    """

    def __init__(self, spec: GameSpec, games: int) -> None:
        self.spec, self.games, self.agents = spec, games, spec.agents
        self._stages = [LocalStage(spec) for _ in range(games)]
        self.spaces = dict(self._stages[0].spaces)
        self._column = {agent: i for i, agent in enumerate(self.agents)}
        self._allocate()
        self.masks = None
        self._random = np.random.default_rng(0)
        self._other_masks: dict[tuple[int, int], NDArray[np.int8]] = {}
        self._stages[0].reset(0)
        self._see(0, self._stages[0].wait())  # says whether the game has masks

    def reset(self, games: NDArray[np.intp], seeds: NDArray[np.int64]) -> None:
        if len(seeds):
            self._random = np.random.default_rng(int(seeds[0]))
        for game, seed in zip(games, seeds, strict=True):
            self._stages[game].reset(int(seed))
            self._read(int(game), self._stages[game].wait())

    def step(self, actions: NDArray[Any]) -> None:
        for game in np.flatnonzero(~self.over):
            stage = self._stages[game]
            columns = np.flatnonzero(self.acting[game])
            stage.step({self.agents[c]: self._action(actions, int(game), int(c)) for c in columns})
            self._read(int(game), stage.wait())

    def close(self) -> None:
        for stage in self._stages:
            stage.close()

    def _action(self, actions: NDArray[Any], game: int, column: int) -> Any:
        space = self.spaces[self.agents[column]][1]
        if not self.learnable[column]:
            mask = self._other_masks.get((game, column))
            space.seed(int(self._random.integers(2**31)))
            return space.sample(mask) if mask is not None else space.sample()
        action = actions[game, column]
        if isinstance(space, spaces.Discrete):
            return int(action)
        return np.asarray(action, space.dtype).reshape(space.shape)

    def _read(self, game: int, tick: Tick) -> None:
        for array in (self.acting, self.rewards, self.terminated, self.truncated):
            array[game] = 0
        for agent in tick.acting:
            self.acting[game, self._column[agent]] = True
        for values, array in (
            (tick.rewards, self.rewards),
            (tick.terminations, self.terminated),
            (tick.truncations, self.truncated),
        ):
            for agent, value in values.items():
                array[game, self._column[agent]] = value
        self._see(game, tick)

    def _see(self, game: int, tick: Tick) -> None:
        for agent, seen in tick.observations.items():
            column = self._column[agent]
            if self.learnable[column] and seen is not None:
                self.observations[game, column] = seen
        for agent, mask in tick.action_masks.items():
            column = self._column[agent]
            if mask is not None and self.learnable[column]:
                self._masks_like(mask)[game, column] = mask
            elif mask is not None:
                self._other_masks[game, column] = np.asarray(mask, np.int8)

    def _masks_like(self, mask: NDArray[np.int8]) -> NDArray[np.int8]:
        if self.masks is None:
            self.masks = np.ones((self.games, len(self.agents), len(mask)), np.int8)
        return self.masks
