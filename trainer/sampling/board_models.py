"""Board models: many positions of a board game, from which moves are tried out together.

A game's own vectorised engine plays them where it can save and load games; elsewhere a stage does, one by one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.policies.search import Position
from arcade.games.spec import GameSpec, load_entry
from arcade.match.search import StageGame

States = NDArray[Any]


class Boards(NamedTuple):
    """M positions."""

    states: States  # (M, …), the model's own
    side: NDArray[np.int8]  # (M,): the index of the team to move
    observations: NDArray[Any]  # (M, *shape), of the seat to move; nothing in particular at an end
    masks: NDArray[np.int8]  # (M, actions)
    over: NDArray[np.bool_]  # (M,)
    results: NDArray[np.float64]  # (M,), at an end: 1 where side 0 has won, -1 where side 1 has, 0 for a draw

    def take(self, rows: NDArray[np.intp]) -> Boards:
        """A copy of the positions in these rows."""
        return Boards._make(column[rows] for column in self)

    def put(self, rows: NDArray[np.intp], new: Boards) -> None:
        """Replace the positions in these rows by as many new ones, or by the one that there is."""
        for name in self._fields:
            getattr(self, name)[rows] = getattr(new, name)


class BoardModel(ABC):
    """A game of two sides and no chance that is played on from any position."""

    actions: int

    @abstractmethod
    def start(self) -> Boards:
        """The position, M = 1, at the start of an episode."""

    @abstractmethod
    def play(self, states: States, actions: NDArray[np.intp]) -> Boards:
        """The positions after legal actions (M,) in positions that are not over."""


def make_model(spec: GameSpec) -> BoardModel:
    """The fastest model of a game."""
    if spec.batch and hasattr(load_entry(spec.batch), "load_games"):
        return EngineModel(spec)
    return StageModel(spec)


class EngineModel(BoardModel):
    """Plays on a vectorised engine with `save_games` and `load_games`, like `arcade.games.connect_four_batch`."""

    def __init__(self, spec: GameSpec) -> None:
        self._spec, self._make = spec, load_entry(spec.batch)
        self._sides = np.array([spec.team_of(agent) for agent in spec.agents], np.int8)
        self._grow(64)
        self.actions = int(self._engine.action_space.n)

    def _grow(self, games: int) -> None:
        self._engine = self._make(games, **self._spec.kwargs)
        self._games = games

    def start(self) -> Boards:
        seen = self._engine.reset_games(np.arange(1), np.zeros(1, np.int64))
        return self._boards(1, seen, np.zeros((1, self._spec.seats), np.float32), np.zeros(1, np.bool_))

    def play(self, states: States, actions: NDArray[np.intp]) -> Boards:
        count = len(states)
        if count > self._games:
            self._grow(2 * count)
        engine = self._engine
        engine.acting[count:] = False  # such an engine steps the games in which a seat acts
        engine.load_games(np.arange(count), states)
        every = np.zeros((self._games, self._spec.seats), np.intp)
        every[:count] = actions[:, None]
        seen, rewards, terminated, _ = engine.step(every)
        return self._boards(count, seen[:count], rewards[:count], terminated[:count])

    def _boards(self, count: int, seen: Any, rewards: NDArray[np.float32], over: NDArray[np.bool_]) -> Boards:
        rows = np.arange(count)
        seats = self._engine.acting[:count].argmax(axis=1)
        gains = rewards @ np.where(self._sides == 0, 1.0, -1.0)
        masks = self._engine.masks[rows, seats]
        states = self._engine.save_games(rows)
        return Boards(states, self._sides[seats], seen[rows, seats], masks, over.copy(), np.sign(gains))


class StageModel(BoardModel):
    """Plays on one stage by its saved states."""

    def __init__(self, spec: GameSpec) -> None:
        self._game = StageGame(spec)
        self._start = self._game.begin([])  # once: saved states belong to an episode
        self.actions = self._game.most_actions

    def start(self) -> Boards:
        return self._boards([self._start])

    def play(self, states: States, actions: NDArray[np.intp]) -> Boards:
        moves = zip(states, actions.tolist(), strict=True)
        return self._boards([self._game.play(position, action) for position, action in moves])

    def _boards(self, positions: list[Position]) -> Boards:
        states = np.empty(len(positions), object)
        states[:] = positions
        first = self._start.seen.observation
        masks = np.zeros((len(positions), self.actions), np.int8)
        for row, position in enumerate(positions):
            masks[row, position.actions] = 1
        return Boards(
            states, np.array([one.side for one in positions], np.int8),
            np.stack([first if one.over else one.seen.observation for one in positions]), masks,
            np.array([one.over for one in positions]), np.array([one.result for one in positions]),
        )  # fmt: skip


class RunningGames:
    """The positions of the N episodes of a runner, which follow their moves."""

    def __init__(self, spec: GameSpec, num_envs: int) -> None:
        self.model = make_model(spec)
        self._start = self.model.start()
        self.boards = self._start.take(np.zeros(num_envs, np.intp))
        self.turns = np.zeros(num_envs, np.intp)  # of the episode so far

    def begin(self, envs: NDArray[np.intp]) -> None:
        """Begin new episodes in `envs`."""
        self.boards.put(envs, self._start)
        self.turns[envs] = 0

    def follow(self, envs: NDArray[np.intp], actions: NDArray[np.intp]) -> None:
        """Play an action in each of `envs`."""
        if len(envs):
            self.boards.put(envs, self.model.play(self.boards.states[envs], actions))
            self.turns[envs] += 1
