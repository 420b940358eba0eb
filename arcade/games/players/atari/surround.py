"""A player of Surround: remembers the walls that both leave, and turns to where it is nearer to more free squares.

Which squares a player reaches first is the usual measure of a position in games of light cycles (Kang, Kim 2010,
https://www.a1k0n.net/2010/03/04/google-ai-postmortem.html).
"""

from __future__ import annotations

from collections import deque

import numpy as np

from arcade.games.players.atari.play import Memory, Play
from arcade.games.players.atari.skill import Skill

Square = tuple[int, int]

_X, _Y = (0x70, 0x6F), (0x6E, 0x6D)  # of the first seat, on the right, and the second
_COLUMNS, _ROWS = range(1, 39), range(1, 19)
_WAYS = {"up": (0, -1), "right": (1, 0), "left": (-1, 0), "down": (0, 1)}
_STRAIGHT = 0.5  # squares that going on is worth, so that it does not zigzag
_LIKING, _ROOM = 8.0, 150  # squares that a way is liked for at most in a round, while there are so many free ones
_SIGHT = ((0.9, 4), (0.5, 9), (0.2, 16))  # steps that are looked ahead, by the least error of the skill
_EXPERT_SIGHT = 60


class SurroundPlay(Play):
    """Decides once at each square."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._sight = next((sight for least, sight in _SIGHT if skill.error > least), _EXPERT_SIGHT)
        self._walls: set[Square] = set()
        self._own: Square | None = None
        self._way = "nothing"
        self._likings: dict[str, float] = {}

    def decide(self, now: Memory, seen: Memory) -> str:
        own = now[_X[self.place]], now[_Y[self.place]]
        other = seen[_X[1 - self.place]], seen[_Y[1 - self.place]]
        if self._own is None or abs(own[0] - self._own[0]) + abs(own[1] - self._own[1]) > 1:
            self._walls, self._own, self._way = set(), None, "nothing"  # a new round
            self._likings = {way: float(self.rng.uniform(0, _LIKING)) for way in _WAYS}
        self._walls |= {own, (now[_X[1 - self.place]], now[_Y[1 - self.place]])}
        if own != self._own:
            self._own, self._way = own, self._best(own, other)
        return self._way

    def _best(self, own: Square, other: Square) -> str:
        rival = self._distances(other)
        found: dict[str, float] = {}
        for name, (dx, dy) in _WAYS.items():
            square = own[0] + dx, own[1] + dy
            if self._is_free(square):
                mine = self._distances(square)
                nearer = sum(steps < rival.get(at, 999) for at, steps in mine.items())
                found[name] = nearer + 0.2 * len(mine) + self.misjudged(6)
                found[name] += _STRAIGHT if name == self._way else float(self.rng.random()) / 4
                found[name] += self._likings[name] * (len(mine) > _ROOM)
        return max(found, key=found.__getitem__) if found else self._way

    def _is_free(self, square: Square) -> bool:
        return square[0] in _COLUMNS and square[1] in _ROWS and square not in self._walls

    def _distances(self, start: Square) -> dict[Square, int]:
        """Steps to each free square within sight."""
        found, waiting = {start: 0}, deque([start])
        while waiting:
            at = waiting.popleft()
            steps = found[at] + 1
            if steps > self._sight:
                break
            for dx, dy in _WAYS.values():
                square = at[0] + dx, at[1] + dy
                if square not in found and self._is_free(square):
                    found[square] = steps
                    waiting.append(square)
        return found
