"""Collisions of volley's ball with players."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arcade.games.house import volley_rules as rules

Floats = NDArray[np.float64]

REACH = rules.BALL_RADIUS + rules.PLAYER_RADIUS
"""The distance of the centres at which a player touches the ball."""


def struck_balls(bodies: Floats, touches: NDArray[np.bool_]) -> tuple[Floats, ...]:
    """Return the balls' x, y, vx, vy after hits by the players in `touches`, (players, games).

    A ball is moved out to the player's rim and leaves it, relative to the player, with HIT_RESTITUTION of its speed but
    at least HIT_SPEED.  Hits of several players are averaged.
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
