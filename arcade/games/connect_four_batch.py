"""A vectorised env of classic/connect_four_v3 in numpy, equal to PettingZoo's env move for move.

A player's discs are bits of one number, column by column from the bottom, seven bits a column of six fields, so that
four in a row are found by shifting (Tromp, The Fhourstones Benchmark, https://tromp.github.io/c4/fhour.html).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

ROWS, COLUMNS, SEATS = 6, 7, 2
_STRIDE = ROWS + 1  # bits a column; the topmost stays empty, so that no row runs on into the next column
_DIRECTIONS = tuple(np.uint64(shift) for shift in (1, _STRIDE - 1, _STRIDE, _STRIDE + 1))
_FIELDS = np.array(
    [[1 << (column * _STRIDE + ROWS - 1 - row) for column in range(COLUMNS)] for row in range(ROWS)], np.uint64
)  # the bit of each field, rows from the top as the env has them
_COLUMN = np.bitwise_or.reduce(_FIELDS, axis=0)  # the bits of each column


class ConnectFourBatch:
    """N games; `acting`, bool (N, 2), and `masks`, int8 (N, 2, 7), are those after the newest call.

    Seeds and the env's `screen_scaling` have no effect.  Raises ValueError for illegal moves.
    """

    observation_space = spaces.Box(0, 1, (ROWS, COLUMNS, SEATS), np.int8)
    action_space: Any = spaces.Discrete(COLUMNS)

    def __init__(self, games: int, *, screen_scaling: int = 9) -> None:
        self.games = games
        self.acting = np.zeros((games, SEATS), np.bool_)
        self.masks = np.zeros((games, SEATS, COLUMNS), np.int8)
        self._discs = np.zeros((SEATS, games), np.uint64)
        self._heights = np.zeros((games, COLUMNS), np.int64)
        self._turn = np.zeros(games, np.intp)
        self._rows = np.arange(games)

    def reset_games(self, games: NDArray[np.intp], seeds: Sequence[int] | NDArray[Any]) -> NDArray[np.int8]:
        """Restart these games and return their observations (M, 2, 6, 7, 2)."""
        self._discs[:, games] = 0
        self._heights[games] = 0
        self._turn[games] = 0
        self.acting[games] = (True, False)
        self.masks[games] = ((1,), (0,))
        return np.zeros((len(games), SEATS, ROWS, COLUMNS, SEATS), np.int8)

    def put_games(self, games: NDArray[np.intp], other: ConnectFourBatch, others: NDArray[np.intp]) -> None:
        """Copy the games `others` of another engine to the places `games` of this one."""
        self._discs[:, games] = other._discs[:, others]
        for name in ("acting", "masks", "_heights", "_turn"):
            getattr(self, name)[games] = getattr(other, name)[others]

    def step(self, actions: NDArray[Any]) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[Any], NDArray[Any]]:
        """Play one move in every unfinished game; `actions` (N, 2) are read where acting.

        Returns observations (N, 2, 6, 7, 2), rewards (N, 2), terminated (N,) and truncated (N,), as of this step.
        """
        live = self.acting.any(axis=1)
        games = self._rows[live]
        player, column = self._turn[games], actions[games, self._turn[games]].astype(np.intp)
        height = self._heights[games, column]
        if (height >= ROWS).any() or (column < 0).any():
            raise ValueError(f"expected moves into columns with room, got: {column[height >= ROWS].tolist()}")
        own = self._discs[player, games] | np.left_shift(np.uint64(1), (column * _STRIDE + height).astype(np.uint64))
        self._discs[player, games] = own
        self._heights[games, column] += 1
        won = _has_four(own)
        over = won | (self._heights[games] == ROWS).all(axis=1)
        rewards, terminated = np.zeros((self.games, SEATS), np.float32), np.zeros(self.games, np.bool_)
        rewards[games[won], player[won]], rewards[games[won], 1 - player[won]] = 1.0, -1.0
        terminated[games] = over
        self._pass_turn(games, player, over)
        return self._observe(), rewards, terminated, np.zeros(self.games, np.bool_)

    def save_games(self, games: NDArray[np.intp]) -> NDArray[np.uint64]:
        """Return the states of these games, (M, 3): the discs of each player, and whose turn it is."""
        return np.stack([*self._discs[:, games], self._turn[games].astype(np.uint64)], axis=1)

    def load_games(self, games: NDArray[np.intp], states: NDArray[np.uint64]) -> None:
        """Set these games to saved states that are not over."""
        self._discs[:, games] = states[:, :SEATS].T
        self._heights[games] = np.bitwise_count((states[:, :1] | states[:, 1:2]) & _COLUMN)
        self._turn[games] = turn = states[:, SEATS].astype(np.intp)
        self._pass_turn(games, 1 - turn, np.zeros(len(games), np.bool_))

    def _pass_turn(self, games: NDArray[np.intp], player: NDArray[np.intp], over: NDArray[np.bool_]) -> None:
        following = 1 - player
        self._turn[games] = following
        self.acting[games, player] = False
        self.acting[games, following] = ~over
        self.masks[games, player] = 0
        self.masks[games, following] = self._heights[games] < ROWS

    def _observe(self) -> NDArray[np.int8]:
        """Return observations, each seat's own discs first."""
        discs = (self._discs[:, :, None, None] & _FIELDS) != 0  # (2, N, rows, columns)
        seen = np.empty((self.games, SEATS, ROWS, COLUMNS, SEATS), np.int8)
        for seat in range(SEATS):
            seen[:, seat, :, :, 0], seen[:, seat, :, :, 1] = discs[seat], discs[1 - seat]
        return seen


def _has_four(discs: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return whether each board has four in a row."""
    found = np.zeros(len(discs), np.bool_)
    for shift in _DIRECTIONS:
        pairs = discs & (discs >> shift)
        found |= (pairs & (pairs >> (shift + shift))) != 0
    return found
