"""A player of cooperative pong: the paddle is where the ball will be."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import SeatSpec
from arcade.games.players.reactions import Reactions

_STAY, _UP, _DOWN = range(3)
ERROR = {"easy": 22.0, "normal": 15.0, "hard": 9.0, "expert": 0.0}
"""Standard deviation of a level's error about where the ball comes, in pixels; a paddle has 40."""

_FIELD = slice(12, 418)  # columns without paddles
_CLOSE = 3  # pixels off the middle of the paddle where it meets the ball as well
_SPEED = 12  # of a paddle, in pixels a tick


class Player:
    """Plays one paddle; called with the picture, uint8 (280, 480, 3)."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert") -> None:
        def slip() -> int:
            return int(rng.integers(3))

        self._column = 2 if str(seat.agent).endswith("0") else 477  # of the picture, through the own paddle
        self._react = Reactions(seat, rng, level, idle=_STAY, slip=slip)
        self._rng, self._error, self._off = rng, ERROR[level], 0.0
        self._ball: tuple[float, float] | None = None  # column and row of its middle
        self._way = (0.0, 0.0)  # in a tick

    def __call__(self, observation: Any, action_mask: Any) -> int:
        picture = observation[..., 0] > 127
        self._follow(picture)
        rows = np.flatnonzero(picture[:, self._column])
        if self._ball is None or not len(rows):
            return self._react(_STAY)
        target = self._ball[1] + self._way[1]
        off = _bounced(target, len(picture)) + self._off - rows.mean()
        return self._react(_STAY if abs(off) <= _SPEED / 2 else _DOWN if off > 0 else _UP)

    def _follow(self, picture: NDArray[np.bool_]) -> None:
        """Find the ball; in the columns of the paddles it flies as before."""
        rows, columns = np.nonzero(picture[:, _FIELD])
        before = self._ball
        if len(rows):
            self._ball = float(columns.mean()) + _FIELD.start, float(rows.mean())
            if before is not None:
                way = self._ball[0] - before[0], self._ball[1] - before[1]
                if way[0] * self._way[0] <= 0:  # it turned
                    self._off = float(self._rng.normal(0, self._error) + self._rng.uniform(-_CLOSE, _CLOSE))
                self._way = way
        elif before is not None:
            self._ball = before[0] + self._way[0], _bounced(before[1] + self._way[1], len(picture))


def _bounced(row: float, rows: int) -> float:
    """A row that the ball reaches, off the walls."""
    row = abs(row)
    return 2 * rows - row if row > rows else row
