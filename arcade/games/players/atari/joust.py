"""A player of Joust: climbs above the nearest foe or the other rider, and comes down on them.

Of two riders who meet the higher one wins; the other seat's rider is worth most.  The picture wraps round at its sides.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arcade.games.players.atari.play import Memory, Play, wrapped
from arcade.games.players.atari.skill import Skill

_X, _Y, _STATE = range(0x34, 0x38), range(0x3C, 0x40), range(0x44, 0x48)  # both riders, then two foes
_AROUND = 128  # columns
_CEILING, _GROUND = 1, 141  # lines of a rider at the top, and on the ground
_ABOVE = 9  # lines above a foe to strike from
_SAFE = 5  # lines above which a meeting is won
_NEAR = 32  # columns from where a higher foe is dangerous
_AHEAD = 8  # ticks that it looks ahead to know whether to flap
_ASTRAY = 5.0  # lines by which a beginner misjudges how high a foe is
SKILLS: Mapping[str, Skill] = {
    "easy": Skill(200, 2, 1.0, 0.25, keeps_on=True),
    "normal": Skill(120, 2, 0.5, 0.12, keeps_on=True),
    "hard": Skill(70, 2, 0.25, 0.05, keeps_on=True),
    "expert": Skill(),
}
"""By level; without quick hands, and eyes on the others, even random wings stay above a rider."""
_FLAP = 2  # ticks of a flap, and of the rest after it; a press of one is not felt


class JoustPlay(Play):
    """Chases from above, and flees upwards."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick = 0
        self._error = 0.0
        self._line = _GROUND
        self._flap = max(_FLAP, skill.hold)
        self._since = 0  # ticks since a flap began

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if self._tick % 60 == 1:
            self._error = self.misjudged(_ASTRAY)
        x, y = now[_X[self.place]], now[_Y[self.place]]
        foes = [place for place in range(4) if place != self.place and (place < 2 or seen[_STATE[place]])]
        offs = [(wrapped(seen[_X[place]] - x, _AROUND), seen[_Y[place]] + self._error - y) for place in foes]
        higher = [off for off, below in offs if abs(off) < _NEAR and below < _SAFE]
        if higher:
            off, goal = min(higher, key=abs), 0.0
            key = "left" if off > 0 else "right"
        else:
            off, below = min(offs, key=lambda one: abs(one[0]) + abs(one[1]) / 2)
            goal = min(y + below - _ABOVE, _GROUND)
            key = "" if abs(off) < 3 else "right" if off > 0 else "left"
        return " ".join(filter(None, (key, "fire" if self._flaps(y, max(goal, _CEILING)) else ""))) or "nothing"

    def _flaps(self, line: int, goal: float) -> bool:
        """Whether the wings are down, to rise to a line, or stay there."""
        speed, self._line = line - self._line, line
        self._since += 1
        if self._since >= 2 * self._flap and line + _AHEAD * speed > goal:
            self._since = 0
        return self._since < self._flap
