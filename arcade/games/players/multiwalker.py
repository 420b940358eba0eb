"""A player of Multiwalker: shuffles along, one foot always before the other, at a pace that the neighbours keep.

Hips and knees swing as sines of one clock about a wide stance that carries the package without a fall (Ijspeert 2008,
Central pattern generators for locomotion control in animals and robots).  A walker shortens its steps as it comes near
the one ahead or leaves the one behind, because walkers that touch have fallen.  Stance, sines and gains were found by
the cross-entropy method (Rubinstein 1999) over the return of whole episodes, from a walker that stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.seats.controller import SeatSpec

STEPS = {"easy": 0.35, "normal": 0.55, "hard": 0.75, "expert": 1.0}
"""The length of a level's steps, as a share of the longest ones that are safe."""

_TILT, _SPIN = 0, 1  # of the hull, in an observation
_BEHIND, _AHEAD = 24, 26  # how far off the neighbours are, in lengths of the package; 0 without one
_DISTANCE = 0.34  # to a neighbour at the start
_LANDED, _LONG = 20, 40  # ticks until it begins to step, and until its steps are as long as they get
_CLOCK = 0.2275  # of the sines, in a tick

# Gains of the joints, on an angle and its speed, and of the hull's balance.
_HIP, _KNEE, _JOINT_SPEED = 3.4, 5.247, 0.3
_TILT_GAIN, _SPIN_GAIN, _DISTANCE_GAIN = 0.458, 1.189, 7.0
_LONGEST = 1.6  # steps of a walker that catches up


@dataclass(frozen=True, slots=True)
class Joint:
    """The angles of a joint, as observations count them."""

    at: int  # in the observation; its speed is next
    stance: float
    sine: float
    cosine: float

    def off(self, seen: Sequence[float], step: float, clock: float) -> float:
        """How far it is from where it should be."""
        swing = self.sine * sin(clock) + self.cosine * cos(clock)
        return self.stance + step * swing - seen[self.at]


_LEGS = (
    (Joint(4, 0.477, -0.287, -0.026), Joint(6, 0.568, 0.152, 0.0)),
    (Joint(9, -0.38, -0.117, -0.02), Joint(11, 0.574, 0.015, 0.114)),
)
"""Hip and knee of the front leg, then of the rear one."""


class Player:
    """Plays one walker; called with its hull, both legs, the ground, its neighbours and the package, (31,)."""

    def __init__(self, seat: SeatSpec, rng: np.random.Generator, *, level: str = "expert") -> None:
        self._steps, self._ticks = STEPS[level], 0

    def __call__(self, observation: Any, action_mask: Any) -> NDArray[np.float32]:
        seen = np.asarray(observation, float).tolist()
        self._ticks += 1
        begun = min(1.0, max(0.0, (self._ticks - _LANDED) / (_LONG - _LANDED)))
        step, clock = self._steps * begun * _haste(seen), _CLOCK * max(0, self._ticks - _LONG + 1)
        balance = _TILT_GAIN * seen[_TILT] + _SPIN_GAIN * seen[_SPIN]
        found: list[float] = []
        for hip, knee in _LEGS:
            turn = _HIP * hip.off(seen, step, clock) - _JOINT_SPEED * seen[hip.at + 1]
            bend = _KNEE * knee.off(seen, step, clock) - _JOINT_SPEED * seen[knee.at + 1]
            found += [turn + balance, bend]
        return np.clip(0.5 * np.array(found), -1, 1).astype(np.float32)


def _haste(seen: Sequence[float]) -> float:
    """The length of its next steps, 1 at the right distance from both neighbours."""
    off = sum(seen[place] - side * _DISTANCE for place, side in ((_AHEAD, 1), (_BEHIND, -1)) if seen[place])
    return min(_LONGEST, max(0.0, 1 + _DISTANCE_GAIN * off))
