"""The motion of a particle, and the way that costs it least as far as it looks ahead.

A particle is pushed along one axis at a time (`mpe2/_mpe_utils/core.py`): in a tick it moves by its velocity x 0.1,
then the velocity loses a quarter and gains the push.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Cost = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""The cost of ways: places (ways, ticks, 2), the last axis x and y, to (ways,)."""

NOTHING, LEFT, RIGHT, DOWN, UP = range(5)
TICK = 0.1
_KEPT = 0.75
_PUSHES = np.array([(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)], float)  # of the actions, in order


@dataclass(frozen=True, slots=True)
class Body:
    """How a particle moves."""

    push: float  # of an action, in velocity a tick
    speed: float  # at most


@dataclass(frozen=True, slots=True)
class Foresight:
    """How far a level plans: so many actions, each held for so many ticks."""

    actions: int
    ticks: int


FORESIGHT = {
    "easy": Foresight(1, 3),
    "normal": Foresight(1, 5),
    "hard": Foresight(2, 3),
    "expert": Foresight(3, 3),
}


def ways(place: Vector, velocity: Vector, body: Body, foresight: Foresight) -> NDArray[np.float64]:
    """The places of each way, (ways, ticks, 2); ways are in the order of their first actions, `first_actions`."""
    pushes = _plans(foresight) * body.push  # (ways, ticks, 2)
    at, speed = np.tile(place, (len(pushes), 1)), np.tile(velocity, (len(pushes), 1))
    found = np.empty(pushes.shape)
    for tick in range(pushes.shape[1]):
        speed = speed * _KEPT + pushes[:, tick]
        size = np.linalg.norm(speed, axis=1, keepdims=True)
        speed = np.where(size > body.speed, speed * (body.speed / np.maximum(size, 1e-9)), speed)
        at = at + speed * TICK
        found[:, tick] = at
    return found


def best_action(place: Vector, velocity: Vector, body: Body, foresight: Foresight, cost: Cost) -> int:
    """The first action of the way that costs least."""
    costs = cost(ways(place, velocity, body, foresight))
    return int(costs.argmin() // 5 ** (foresight.actions - 1))


def moved(place: Vector, velocity: Vector, ticks: int) -> NDArray[np.float64]:
    """The places (ticks, 2) of something that keeps its velocity."""
    return place + velocity * TICK * np.arange(1, ticks + 1)[:, None]


def distances(found: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of ways (ways, ticks, 2) to a place (2,), or to one that moves (ticks, 2): (ways, ticks)."""
    return np.asarray(np.linalg.norm(found - places, axis=-1))


def inside(found: NDArray[np.float64], places: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """How deep ways are within a radius of a place: (ways, ticks), 0 outside and 1 in the middle."""
    return np.maximum(0.0, 1 - distances(found, places) / radius)


def outside(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """The price of leaving the picture, as the games count it: (ways, ticks)."""
    beyond = np.abs(found)
    steep = np.minimum(np.exp(2 * beyond - 2), 10.0)
    return np.asarray(np.where(beyond < 0.9, 0.0, np.where(beyond < 1.0, (beyond - 0.9) * 10, steep)).sum(axis=-1))


@cache
def _plans(foresight: Foresight) -> NDArray[np.float64]:
    plans = np.array(list(product(range(5), repeat=foresight.actions)))
    return np.repeat(_PUSHES[plans], foresight.ticks, axis=1)
