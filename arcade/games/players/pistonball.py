"""A player of pistonball: a piston behind the ball rises, so that it rolls to the left, and all others stay low."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import SeatSpec
from arcade.games.players.reactions import Reactions

_BLUE = (65, 159, 221)
_ABOVE = 380  # rows of the observation above the highest piston
_OWN = 60  # column of the own piston's middle
_BEHIND = 15  # pixels right of the ball's middle; nearer pistons would carry it up
_STEP = 2  # pixels from one that is looked at to the next


class Player:
    """Plays one piston; called with what it sees, uint8 (457, 120, 3): itself in the middle between its neighbours."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert") -> None:
        def slip() -> float:
            return float(rng.uniform(-1, 1))

        self._react = Reactions(seat, rng, level, idle=0.0, slip=slip)

    def __call__(self, observation: Any, action_mask: Any) -> NDArray[np.float32]:
        ball = find_ball(observation)
        is_behind = ball is not None and ball < _OWN - _BEHIND
        return np.array([self._react(1.0 if is_behind else -1.0)], np.float32)


def find_ball(observation: NDArray[np.uint8]) -> float | None:
    """Return the column of the ball's highest point as far as it is in sight, 0 to 119; None without a ball."""
    seen = observation[:_ABOVE:_STEP, ::_STEP]
    is_ball = (seen[..., 0] == _BLUE[0]) & (seen[..., 2] == _BLUE[2])
    rows = is_ball.any(axis=1)
    if not rows.any():
        return None
    return float(_STEP * np.flatnonzero(is_ball[rows.argmax()]).mean())
