"""Players of knights archers zombies: archers shoot where a zombie will be, knights meet the lowest one with the mace.

Sizes and speeds are those of the game's own constants, in pixels of its 1280 x 720 field and degrees; down is positive.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import SeatSpec

FORWARD, BACKWARD, LEFT, RIGHT, ATTACK, NOTHING = range(6)

PACE = {"easy": 0.15, "normal": 0.35, "hard": 0.5, "expert": 1.0}
"""Share of the 15 ticks a second in which a level does something."""

_FIELD = np.array([1280.0, 720.0])
_ARROW_SPEED, _ZOMBIE_SPEED, _WALK, _TURN = 45.0, 5.0, 25.0, 10.0  # in a tick
_ZOMBIES = 10  # the last rows of an observation
_WIDE = 24.0  # how far off an arrow still hits
_REACH = 75.0  # of a mace
_NEAR = 110.0  # where a zombie is dangerous


class Player:
    """Plays one fighter; called with its vectors, (27, 5): itself, then distance, place and heading of all others."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert") -> None:
        agent = str(seat.agent)
        self._is_archer, self._is_left = agent.startswith("archer"), agent.endswith("0")
        self._rng, self._pace = rng, PACE[level]

    def __call__(self, observation: Any, action_mask: Any) -> int:
        if self._rng.random() >= self._pace:
            return NOTHING
        own = observation[0]
        rows = observation[-_ZOMBIES:]
        zombies = rows[rows.any(axis=1), 1:3] * _FIELD  # from here
        heading = math.degrees(math.atan2(own[3], -own[4]))  # clockwise from straight up
        place = own[1:3] * _FIELD
        return self._shoot(place, heading, zombies) if self._is_archer else self._strike(place, heading, zombies)

    def _shoot(self, place: NDArray[np.float64], heading: float, zombies: NDArray[np.float64]) -> int:
        best, action = math.inf, turn_to(heading, 0.0)
        for zombie in zombies:
            aim = self._aim(zombie)
            steps = round(_between(heading, aim) / _TURN)
            off = abs(math.sin(math.radians(_between(heading + steps * _TURN, aim)))) * float(np.hypot(*zombie))
            urgency = (place[1] + zombie[1]) / _FIELD[1]  # 1 at the bottom
            cost = abs(steps) + off / _WIDE - 12 * urgency
            if cost < best:
                best, action = cost, self._turn_or_shoot(steps, off)
        return action

    def _turn_or_shoot(self, steps: int, off: float) -> int:
        if steps:
            return RIGHT if steps > 0 else LEFT
        return ATTACK if off < 1.5 * _WIDE else FORWARD

    def _aim(self, zombie: NDArray[np.float64]) -> float:
        """The heading to where an arrow meets the zombie."""
        time = float(np.hypot(*zombie)) / _ARROW_SPEED
        return math.degrees(math.atan2(zombie[0], -(zombie[1] + _ZOMBIE_SPEED * time)))

    def _strike(self, place: NDArray[np.float64], heading: float, zombies: NDArray[np.float64]) -> int:
        if not len(zombies):
            return turn_to(heading, 0.0)
        half = zombies[:, 0] + place[0] < _FIELD[0] / 2
        mine = zombies[half if self._is_left else ~half]
        choice = mine if len(mine) else zombies
        zombie = choice[np.argmax(choice[:, 1] - 0.5 * np.abs(choice[:, 0]))]
        distance = float(np.hypot(*zombie))
        aim = math.degrees(math.atan2(zombie[0], -zombie[1]))
        off = _between(heading, aim)
        if distance < _NEAR and abs(off) < 50:
            return ATTACK
        if abs(off) > _TURN:
            return RIGHT if off > 0 else LEFT
        return FORWARD if distance > _REACH else BACKWARD


def turn_to(heading: float, aim: float) -> int:
    """Return the turn towards a heading, or nothing."""
    off = _between(heading, aim)
    return NOTHING if abs(off) < _TURN / 2 else RIGHT if off > 0 else LEFT


def _between(heading: float, aim: float) -> float:
    """Degrees from one heading to another, clockwise, -180 to 180."""
    return (aim - heading + 180) % 360 - 180
