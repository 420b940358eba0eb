"""A player of Multiwalker: swings one leg, sets it down, pushes off with the other, and keeps the hull level.

The gait has the three phases of the hand-written controller that comes with BipedalWalker, whose walker this is
(Oleg Klimov 2016, https://gymnasium.farama.org/environments/box2d/bipedal_walker/).  Its angles and gains were found
again, under the weight of the package, by the cross-entropy method (Rubinstein 1999) over the return of two episodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import SeatSpec

ERROR = {"easy": 0.14, "normal": 0.1, "hard": 0.05, "expert": 0.0}
"""Standard deviation of what a level feels of its balance and its joints, as the observation counts them."""

_SWING, _SET_DOWN, _PUSH_OFF = range(3)
_LEGS = (4, 9)  # where an observation has the hip, its speed, the knee, its speed and the contact of each leg
_TILT, _SPIN, _AHEAD, _CLIMB, _PACKAGE = 0, 1, 2, 3, 28  # of the hull, and the package's angle or place

# Angles of the gait.
_SWING_HIP, _SWING_KNEE, _DOWN_HIP = 0.949, -1.032, 0.16
_STRAIGHT, _STRETCHED = 0.074, 1.215  # of a knee that carries, and of one that pushes
_BEHIND, _PUSHED = -0.157, 0.735  # of the carrying hip and the pushing knee, at the end of a phase
_STRETCH = 0.031  # of the carrying knee in a tick
_SPEED = 0.286  # to keep to

# Gains of the joints, on an angle and its speed, and of the hull's balance.
_HIP, _HIP_SPEED, _KNEE, _KNEE_SPEED = 1.043, 0.216, 4.372, 0.209
_TILT_GAIN, _SPIN_GAIN, _CLIMB_GAIN, _PACKAGE_GAIN = 0.543, 2.078, 11.835, 0.105

Angles = list[float | None]
"""Of both legs; None where a joint may be as it likes."""


class Player:
    """Plays one walker; called with its hull, both legs, the ground, its neighbours and the package, (31,)."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert") -> None:
        self._rng, self._error = rng, ERROR[level]
        self._phase, self._moving, self._knee = _SWING, 0, _STRAIGHT

    def __call__(self, observation: Any, action_mask: Any) -> NDArray[np.float32]:
        seen = np.array(observation, float)
        if self._error:
            joints = slice(0, 14)
            seen[joints] += self._rng.normal(0, self._error, 14)
        return _torques(seen, *self._gait(seen))

    def _gait(self, seen: NDArray[np.float64]) -> tuple[Angles, Angles]:
        """The angles that hips and knees should have."""
        hips: Angles = [None, None]
        knees: Angles = [None, None]
        moving, carrying = self._moving, 1 - self._moving
        at, other = _LEGS[moving], _LEGS[carrying]
        if self._phase == _SWING:
            self._knee = min(self._knee + _STRETCH * (1 + (seen[_AHEAD] > _SPEED)), _STRAIGHT)
            hips[moving], knees[moving], knees[carrying] = _SWING_HIP, _SWING_KNEE, self._knee
            if seen[other] < _BEHIND:
                self._phase = _SET_DOWN
        if self._phase == _SET_DOWN:
            hips[moving], knees[moving], knees[carrying] = _DOWN_HIP, _STRAIGHT, self._knee
            if seen[at + 4] > 0.5:
                self._phase, self._knee = _PUSH_OFF, min(float(seen[at + 2]), _STRAIGHT)
        if self._phase == _PUSH_OFF:
            knees[moving], knees[carrying] = self._knee, _STRETCHED
            if seen[other + 2] > _PUSHED or seen[_AHEAD] > 1.2 * _SPEED:
                self._phase, self._moving = _SWING, carrying
        return hips, knees


def _torques(seen: NDArray[np.float64], hips: Angles, knees: Angles) -> NDArray[np.float32]:
    """The action, (4,), that brings the joints to their angles."""
    found: list[float] = []
    balance = _TILT_GAIN * (seen[_TILT] + _PACKAGE_GAIN * seen[_PACKAGE]) + _SPIN_GAIN * seen[_SPIN]
    for at, hip, knee in zip(_LEGS, hips, knees, strict=True):
        turn = 0.0 if hip is None else _HIP * (hip - seen[at]) - _HIP_SPEED * seen[at + 1]
        bend = 0.0 if knee is None else _KNEE * (knee - seen[at + 2]) - _KNEE_SPEED * seen[at + 3]
        found += [turn + balance, bend - _CLIMB_GAIN * seen[_CLIMB]]
    return np.clip(0.5 * np.array(found), -1, 1).astype(np.float32)
