"""What becomes of volley's ball when players touch it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arcade.games.house import volley_rules as rules

Floats = NDArray[np.float64]

REACH = rules.BALL_RADIUS + rules.PLAYER_RADIUS
"""Distance of the middles at which a player touches the ball."""


def struck_balls(bodies: Floats, touches: NDArray[np.bool_]) -> tuple[Floats, ...]:
    """The balls' x, y, vx, vy after being hit by the players that `touches`, (players, games), names.

    A ball is moved out to the player's rim and leaves it, seen from the player, with HIT_RESTITUTION of the speed
    it came with but at least HIT_SPEED.  Where several touch it, it gets the mean of what each would do.
    """
    x, y, vx, vy = bodies[:, -1]
    dx, dy, dvx, dvy = bodies[:, -1:] - bodies[:, :-1]
    distance = np.maximum(np.sqrt(dx * dx + dy * dy), 1e-9)
    nx, ny = dx / distance, dy / distance
    closing = dvx * nx + dvy * ny
    leaving = np.maximum(closing * -rules.HIT_RESTITUTION, rules.HIT_SPEED)
    share = touches / _over_teams(touches.astype(np.float64))
    change = np.where(closing < 0, leaving - closing, 0.0) * share
    depth = (REACH - distance) * share
    x, y = x + _over_teams(depth * nx), y + _over_teams(depth * ny)
    vx, vy = vx + _over_teams(change * nx), vy + _over_teams(change * ny)
    speed = np.sqrt(vx * vx + vy * vy)
    slowed = np.minimum(rules.BALL_SPEED_LIMIT / np.maximum(speed, 1e-9), 1.0)
    return x, y, vx * slowed, vy * slowed


def _over_teams(parts: Floats) -> Floats:
    """Sum over the players, (players, games) to (games,), each team first: so mirrored games stay mirrored exactly."""
    half = len(parts) // 2
    if half == 1:
        return np.asarray(parts[0] + parts[1])
    return np.asarray(np.add.reduce(parts[:half]) + np.add.reduce(parts[half:]))
