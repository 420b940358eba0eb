"""The rules of house/volley as numbers: its observations, collisions with players and random numbers.

Units: metres, seconds, metres a second; a tick is 1/60 s.  The net is at x = 0, the left team plays at x < 0,
the ground is y = 0 and there is no ceiling.  Everything is symmetric under x -> -x.

A side loses the rally when the ball touches its ground or stays on it for `HOLD_TICKS`, so that every rally ends.
The serve alternates, the first one at random.  It hovers out of reach for `SERVE_TICKS`, then is thrown up with a
random velocity.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FPS = 60
TICK = 1.0 / FPS

HALF_COURT = 10.0  # the walls are at x = -10 and x = +10 and have no top
NET_TOP = 2.9  # height of the net's centre line; a round cap of NET_RADIUS sits on it
NET_RADIUS = 0.12
BALL_RADIUS = 0.5
PLAYER_RADIUS = 1.0

BALL_GRAVITY = 17.0
PLAYER_GRAVITY = 38.0
PLAYER_SPEED = 8.5
PLAYER_ACCELERATION = 100.0  # from standing to full speed in five ticks
JUMP_SPEED = 13.5  # lifts a player by 2.3 m for 0.7 s
HIT_SPEED = 9.0  # a ball leaves a player at least this fast, along the line between their centres
HIT_RESTITUTION = 0.85
BALL_SPEED_LIMIT = 15.0  # just after a hit; with it a ball never rises above 11.5 m
WALL_RESTITUTION = 0.9
NET_RESTITUTION = 0.7

REACH = BALL_RADIUS + PLAYER_RADIUS  # distance of the centres at which a player touches the ball

SERVE_TICKS = 36
HOLD_TICKS = 300
SERVE_X = (3.5, 6.5)  # distance from the net
SERVE_Y = 6.0
SERVE_VX = (-1.5, 1.5)
SERVE_VY = (2.0, 5.0)

POINTS = 5
MAX_TICKS = 3000
TEAM_SIZES = (1, 2)
HOMES = {1: (5.0,), 2: (3.2, 7.2)}  # distance from the net at reset, by team size

ACTIONS = 6
ACTION_NAMES = ("stay", "left", "right", "jump", "jump left", "jump right")
"""By index = move + 3 * jump, with move 0 stay, 1 left, 2 right *as the player sees the court*: every player sees
its own team on the left, so 2 is always towards the net."""

POSITION_SCALE = 0.1  # observed = metres * 0.1
SPEED_SCALE = 0.1  # observed = metres a second * 0.1
POSITION_BOUND = 1.5
SPEED_BOUND = 2.5
CLOCK_BOUND = (HOLD_TICKS + SERVE_TICKS) / HOLD_TICKS

NO_EVENT, BOUNCE, HIT, POINT = 0, 1, 2, 3
EVENT_NAMES = ("", "bounce", "hit", "point")

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def agent_names(team_size: int) -> tuple[str, ...]:
    """Return every agent id, the left team first, as in ``("left_0", "right_0")``."""
    return tuple(f"{side}_{i}" for side in ("left", "right") for i in range(team_size))


def observation_size(team_size: int) -> int:
    """Return the length of an observation: every player, the ball, and the rally clock."""
    return 4 * (2 * team_size + 1) + 1


def observation_bounds(team_size: int) -> NDArray[np.float32]:
    """Return float32 (observation_size,), the largest magnitude of each number observed."""
    body = [POSITION_BOUND, POSITION_BOUND, SPEED_BOUND, SPEED_BOUND]
    return np.array(body * (2 * team_size + 1) + [CLOCK_BOUND], np.float32)


def observe_matrix(team_size: int) -> NDArray[np.float32]:
    """Return float32 (rows of the state, agents * observation size), the linear map from state to observations."""
    players, size = 2 * team_size, observation_size(team_size)
    matrix = np.zeros((size, players, size), np.float32)
    scales = [POSITION_SCALE, POSITION_SCALE, SPEED_SCALE, SPEED_SCALE]
    for agent in range(players):
        team, place = divmod(agent, team_size)
        mates = [team * team_size + (place + 1) % team_size] if team_size > 1 else []
        foes = [(1 - team) * team_size + i for i in range(team_size)]
        mirror = [1.0, 1.0, 1.0, 1.0] if team == 0 else [-1.0, 1.0, -1.0, 1.0]
        for seen, body in enumerate([agent, players, *mates, *foes]):
            for part in range(4):
                matrix[part * (players + 1) + body, agent, 4 * seen + part] = scales[part] * mirror[part]
        matrix[-1, agent, -1] = 1.0 / HOLD_TICKS
    return matrix.reshape(size, -1)


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
    leaving = np.maximum(closing * -HIT_RESTITUTION, HIT_SPEED)
    share = touches / _over_teams(touches.astype(np.float64))
    change = np.where(closing < 0, leaving - closing, 0.0) * share
    depth = (REACH - distance) * share
    x, y = x + _over_teams(depth * nx), y + _over_teams(depth * ny)
    vx, vy = vx + _over_teams(change * nx), vy + _over_teams(change * ny)
    speed = np.sqrt(vx * vx + vy * vy)
    slowed = np.minimum(BALL_SPEED_LIMIT / np.maximum(speed, 1e-9), 1.0)
    return x, y, vx * slowed, vy * slowed


def _over_teams(parts: Floats) -> Floats:
    """Sum over the players, (players, games) to (games,), each team first: so mirrored games stay mirrored exactly."""
    half = len(parts) // 2
    if half == 1:
        return np.asarray(parts[0] + parts[1])
    return np.asarray(np.add.reduce(parts[:half]) + np.add.reduce(parts[half:]))


def check_choices(*, team_size: Any, max_ticks: Any, points: Any) -> None:
    """Raise ValueError naming the first impossible setting."""
    if team_size not in TEAM_SIZES:
        raise ValueError(f"expected team_size 1 or 2, got: {team_size!r}")
    for name, value in (("max_ticks", max_ticks), ("points", points)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise ValueError(f"expected {name} a whole number of at least 1, got: {value!r}")


def game_keys(seeds: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the key of each game's random numbers, from its seed."""
    return _scramble(seeds * _GOLDEN + _GOLDEN)


def roll(keys: NDArray[np.uint64], counter: NDArray[np.uint64] | np.uint64) -> NDArray[np.uint64]:
    """Return random number `counter` of each game, 64 bits that depend on key and counter alone.

    SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators") used as a counter-based
    generator: the seed is scrambled once, the counter walks its sequence.
    """
    return _scramble(keys + counter * _GOLDEN)


def serve_numbers(bits: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return distance from the net, vx and vy of a serve, (3, games), each from 21 of the 64 bits of one roll."""
    numbers: NDArray[np.float64] = _SERVE_LOW + _SERVE_SPAN * ((bits >> _SERVE_SHIFTS) & np.uint64(2**21 - 1))
    return numbers


_SERVE_LOW, _serve_high = np.array([SERVE_X, SERVE_VX, SERVE_VY]).T[:, :, None]
_SERVE_SPAN = (_serve_high - _SERVE_LOW) * 2.0**-21
_SERVE_SHIFTS = np.array([[0], [21], [42]], np.uint64)


def _scramble(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
