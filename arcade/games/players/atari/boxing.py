"""A boxer: steps to the side of the other's head, where one glove reaches it, and jabs.

A glove reaches the head where the boxers are near enough and one stands 10 to 26 lines above the other, as seen by
punching at every distance; straight ahead both gloves pass it.
"""

from __future__ import annotations

import numpy as np

from arcade.games.players.atari.play import Memory, Play, towards
from arcade.games.players.atari.skill import Skill

_X, _Y = (0x20, 0x21), (0x22, 0x23)  # of White and Black
_REACH = 26
_NEAREST, _FARTHEST = 10, 26  # lines between two boxers of whom one can hit the other
_SIDE = 17  # lines to stand at
_NEAR = 15  # columns, as near as they come
_TOP, _BOTTOM = 3, 87  # the ropes
_JAB, _SLOWER = 10, 7  # ticks of a punch, and how many more a beginner takes


class BoxingPlay(Play):
    """Chases the other boxer, and punches within reach."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick, self._period = 0, _JAB + round(_SLOWER * skill.error)
        self._error = self._speed = (0.0, 0.0)
        self._place: tuple[int, int] | None = None

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if self._tick % 40 == 1:
            self._error = self.misjudged(5), self.misjudged(4)
        other, own = 1 - self.place, now[_Y[self.place]]
        x, y = self._expected((seen[_X[other]], seen[_Y[other]]))
        across = x - now[_X[self.place]] + self._error[0]
        down = y - own + self._error[1]
        side = _SIDE if down >= 0 else -_SIDE
        if not _TOP <= own + down - side <= _BOTTOM:
            side = -side  # at the rope there is room on one side alone
        step = towards(down - side, 3, "down", "up")
        walk = towards(abs(across) - _NEAR, 2, *(("right", "left") if across > 0 else ("left", "right")))
        hits = abs(across) <= _REACH and _NEAREST <= abs(down) <= _FARTHEST
        jab = "fire" if hits and self._tick % self._period < _JAB // 2 else ""
        return " ".join(filter(None, (step, walk, jab))) or "nothing"

    def _expected(self, place: tuple[int, int]) -> tuple[float, float]:
        """Where the other should be by now, after it was seen at `place`."""
        if self._place is not None:
            moved = place[0] - self._place[0], place[1] - self._place[1]
            self._speed = 0.9 * self._speed[0] + 0.1 * moved[0], 0.9 * self._speed[1] + 0.1 * moved[1]
        self._place = place
        return place[0] + self._speed[0] * self.reaction, place[1] + self._speed[1] * self.reaction
