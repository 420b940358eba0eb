"""A decent scripted opponent for house/volley that plays from its observation.

It predicts where the ball comes down, goes a little behind that spot so that the ball leaves forwards, and jumps to
smash.  Of two team mates the nearer plays the ball, the other covers the back or the front.  It errs as people do: it
misjudges each flight a little, and sometimes does nothing for a tick.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.games.house import volley_rules as rules

Floats = NDArray[np.float64]

CONTACT_Y = rules.PLAYER_RADIUS + 1.3  # height of the ball's centre when it meets a standing player's head
BEHIND = 0.55  # distance behind the ball, to play it forwards
MISJUDGEMENT = 0.55  # the largest error about where a flight ends, metres
LAPSE = 0.12  # probability of doing nothing in a tick
_WALL = rules.HALF_COURT - rules.BALL_RADIUS


def play(observation: NDArray[np.float32], action_mask: Any, rng: np.random.Generator) -> int:
    """Return the action for one observation, (size,); all actions are always legal, so the mask is ignored."""
    return int(play_batch(observation[None], rng)[0])


def play_batch(observations: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the actions, int64 (M,), for observations float32 (M, size) of 1v1 or 2v2."""
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
    """Return where the ball's centre comes down to CONTACT_Y, reflected by the walls."""
    gravity = rules.BALL_GRAVITY
    fall = np.maximum(vy * vy + 2 * gravity * (y - CONTACT_Y), 0.0)
    end = x + vx * (vy + np.sqrt(fall)) / gravity
    return np.where(np.abs(end) > _WALL, np.copysign(2 * _WALL, end) - end, end)


def _misjudged(ball_vx: NDArray[np.float32]) -> Floats:
    """Return an error in metres, random but constant during a flight: a hash of the ball's speed."""
    bits = np.ascontiguousarray(ball_vx).view(np.uint32).astype(np.uint64) * np.uint64(2654435761)
    return (((bits >> np.uint64(8)) & np.uint64(0xFFFF)) / 32768.0 - 1.0) * MISJUDGEMENT


def _goal(landing: Floats, x: Floats, *, mates: int) -> Floats:
    """Return where to go: under a ball that comes down on the own side, else to a waiting position."""
    own = landing < 0.3
    spot = landing - BEHIND
    home = np.full_like(landing, -4.6)
    if mates:
        nearer = np.abs(x[0] - spot) <= np.abs(x[2] - spot)
        home = np.where(x[0] <= x[2], -rules.HOMES[2][1], -rules.HOMES[2][0])
        own = own & nearer
    return np.where(own, spot, home)


def _is_smash(x: Floats, y: Floats, ball_x: Floats, ball_y: Floats, ball_vx: Floats, ball_vy: Floats) -> Any:
    """Return whether a jump now meets the ball above and in front of the player."""
    soon = 0.2  # seconds from the jump to the hit
    ahead = ball_x + ball_vx * soon - x
    above = ball_y + ball_vy * soon - rules.BALL_GRAVITY * soon * soon / 2 - y
    return (ball_x < 0.5) & (ahead > 0.1) & (ahead < 1.5) & (above > 2.2) & (above < 3.6) & (ball_vy < 1.0)
