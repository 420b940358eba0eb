"""A player of Joust: climbs above the nearest foe or the other rider, and comes down on them.

Of two riders who meet the higher one wins; the other seat's rider is worth most.  The picture wraps round at its sides.
"""

from __future__ import annotations

import numpy as np

from arcade.games.players.atari.play import Memory, Play, wrapped
from arcade.games.players.atari.skill import Skill

_X, _Y, _STATE = range(0x34, 0x38), range(0x3C, 0x40), range(0x44, 0x48)  # both riders, then two foes
_AROUND = 128  # columns
_GROUND = 141  # line of a rider on the ground
_ABOVE = 9  # lines above a foe to strike from
_SAFE = 4  # lines above which a meeting is won
_NEAR = 24  # columns from where a higher foe is dangerous
_FAR = 30  # and lines
_FLAP = 8  # ticks from one flap to the next


class JoustPlay(Play):
    """Chases from above, and flees upwards."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick = 0
        self._error = 0.0

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if self._tick % 60 == 1:
            self._error = self.misjudged(10)
        x, y = now[_X[self.place]], now[_Y[self.place]]
        foes = [place for place in range(4) if place != self.place and (place < 2 or seen[_STATE[place]])]
        at = {place: (wrapped(seen[_X[place]] - x, _AROUND), seen[_Y[place]] + self._error - y) for place in foes}
        higher = [off for off, below in at.values() if abs(off) < _NEAR and -_FAR < below < _SAFE]
        if higher:
            off, goal = min(higher, key=abs), 0.0
            key = "left" if off > 0 else "right"
        else:
            off, below = min(at.values(), key=lambda one: abs(one[0]) + abs(one[1]) / 2)
            goal = min(y + below - _ABOVE, _GROUND)
            key = "" if abs(off) < 3 else "right" if off > 0 else "left"
        flaps = y > goal and self._tick % _FLAP < _FLAP // 2
        return " ".join(filter(None, (key, "fire" if flaps else ""))) or "nothing"
