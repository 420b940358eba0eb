"""A decent opponent for house/volley that sees nothing but its observation.

It works out where the ball will come down, goes there, a little behind so that the ball leaves forwards, and jumps
at balls that it can smash.  With a team mate, whoever is nearer plays the ball and the other covers the back or the
front.  It errs as people do: it misjudges each flight by a little, and now and then lets a moment pass.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.house import volley_rules as rules

Floats = NDArray[np.float64]

CONTACT_Y = rules.PLAYER_RADIUS + 1.3  # height of the ball's centre when it meets a standing player's head
BEHIND = 0.55  # how far behind the ball it stands to play it forwards
MISJUDGEMENT = 0.55  # the largest error about where a flight ends, metres
LAPSE = 0.12  # chance that it does nothing new in a tick
_WALL = rules.HALF_COURT - rules.BALL_RADIUS


def play(observation: NDArray[np.float32], action_mask: Any, rng: np.random.Generator) -> int:
    """The action for one observation, (size,); all actions are always legal, so the mask is not looked at."""
    return int(play_batch(observation[None], rng)[0])


def play_batch(observations: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.int64]:
    """The actions, int64 (M,), for observations float32 (M, size) of 1v1 or 2v2."""
    bodies = observations[:, :-1].astype(np.float64).reshape(len(observations), -1, 4).transpose(2, 1, 0)
    x, y, vx, vy = bodies / rules.POSITION_SCALE  # both scales are the same
    ball = (x[1], y[1], vx[1], vy[1])
    landing = _landing(*ball) + _misjudged(observations[:, 6])
    goal = _goal(landing, x, mates=(x.shape[0] - 2) // 2)
    off = goal - x[0]
    move = np.where(off > 0.25, 2, np.where(off < -0.25, 1, 0))
    jump = _is_smash(x[0], y[0], *ball)
    actions = move + 3 * jump
    return np.where(rng.random(len(actions)) < LAPSE, 0, actions).astype(np.int64)


def _landing(x: Floats, y: Floats, vx: Floats, vy: Floats) -> Floats:
    """Where the ball's centre will be when it comes down to CONTACT_Y, with the walls reflecting it."""
    gravity = rules.BALL_GRAVITY
    fall = np.maximum(vy * vy + 2 * gravity * (y - CONTACT_Y), 0.0)
    end = x + vx * (vy + np.sqrt(fall)) / gravity
    return np.where(np.abs(end) > _WALL, np.copysign(2 * _WALL, end) - end, end)


def _misjudged(ball_vx: NDArray[np.float32]) -> Floats:
    """An error in metres that stays the same for as long as a flight lasts: its dice are the ball's own bits."""
    bits = np.ascontiguousarray(ball_vx).view(np.uint32).astype(np.uint64) * np.uint64(2654435761)
    return (((bits >> np.uint64(8)) & np.uint64(0xFFFF)) / 32768.0 - 1.0) * MISJUDGEMENT


def _goal(landing: Floats, x: Floats, *, mates: int) -> Floats:
    """Where to go: under a ball that comes down on the own side, else to wait for the next one."""
    mine = landing < 0.3
    spot = landing - BEHIND
    home = np.full_like(landing, -4.6)
    if mates:
        nearer = np.abs(x[0] - spot) <= np.abs(x[2] - spot)
        home = np.where(x[0] <= x[2], -rules.HOMES[2][1], -rules.HOMES[2][0])
        mine = mine & nearer
    return np.where(mine, spot, home)


def _is_smash(x: Floats, y: Floats, ball_x: Floats, ball_y: Floats, ball_vx: Floats, ball_vy: Floats) -> Any:
    """Whether a jump now meets the ball above the player and in front of it."""
    soon = 0.2  # seconds from the jump to the hit
    ahead = ball_x + ball_vx * soon - x
    above = ball_y + ball_vy * soon - rules.BALL_GRAVITY * soon * soon / 2 - y
    return (ball_x < 0.5) & (ahead > 0.1) & (ahead < 1.5) & (above > 2.2) & (above < 3.6) & (ball_vy < 1.0)
