"""A player of Flag Capture: turns over one of the nearest squares that it has not seen yet, until one is the flag.

It reads its own place alone, not where the game keeps the flag.
"""

from __future__ import annotations

import numpy as np

from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

Square = tuple[int, int]

_X, _Y = (0x00, 0x01), (0x02, 0x03)
_SCORES = (0x6A, 0x6B)
_COLUMNS, _ROWS = 9, 7
_PRESS, _LOOK = 30, 70  # ticks that the button is held, and that a beginner looks at what is under a square
_BLOCKED = 40  # ticks without a step after which the other stands on the square, and has looked under it
_ASTRAY = 1.0  # squares by which a beginner misjudges what is nearest


class FlagCapturePlay(Play):
    """Walks to a square, and turns it over."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._seen: set[Square] = set()
        self._goal: Square | None = None
        self._scores: tuple[int, ...] | None = None
        self._press = self._look = self._stands = 0
        self._own: Square | None = None

    def decide(self, now: Memory, seen: Memory) -> str:
        scores = tuple(now[at] for at in _SCORES)
        if scores != self._scores:  # another flag
            self._scores, self._goal = scores, None
            self._seen.clear()
        own = now[_X[self.place]], now[_Y[self.place]]
        if self._press:
            self._press -= 1
            return "fire" if self._press > 2 else "nothing"
        if self._look:
            self._look -= 1
            return "nothing"
        if own == self._goal or self._goal is None:
            return self._turn_over(own) if own not in self._seen else self._walk(own)
        return self._walk(own)

    def _turn_over(self, own: Square) -> str:
        self._seen.add(own)
        self._goal = None
        self._press, self._look = _PRESS, round(_LOOK * self.skill.error)
        return "fire"

    def _walk(self, own: Square) -> str:
        self._stands = self._stands + 1 if own == self._own else 0
        self._own = own
        if self._stands > _BLOCKED and self._goal is not None:
            self._seen.add(self._goal)
            self._stands = 0
        if self._goal is None or self._goal in self._seen:
            left = [(x, y) for x in range(_COLUMNS) for y in range(_ROWS) if (x, y) not in self._seen]
            if not left:
                self._seen.clear()
                return "nothing"
            self._goal = min(left, key=lambda one: self._cost(own, one))
        across, down = _way(own, self._goal)
        keys = ("up" if down < 0 else "down" if down else "", "left" if across < 0 else "right" if across else "")
        return " ".join(filter(None, keys)) or "nothing"

    def _cost(self, own: Square, other: Square) -> float:
        """How far a square is, as the level sees it; equally near ones are in any order."""
        return max(map(abs, _way(own, other))) + self.misjudged(_ASTRAY) + float(self.rng.random()) / 2


def _way(own: Square, other: Square) -> tuple[int, int]:
    """Columns and rows to go; the field wraps round."""
    across, down = other[0] - own[0], other[1] - own[1]
    return (across + 4) % _COLUMNS - 4, (down + 3) % _ROWS - 3
