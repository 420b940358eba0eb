"""A player of Combat's tanks, whose shells hit after they have bounced off a wall: it knows the way of each shell.

The console keeps a tank's line, but not its column, which is found in the picture.  How shells fly was read in the
commented disassembly of Combat by Harry Dodgson, Nick Bensema and Roger Williams.
"""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from arcade.games.figures.atari import SPRITES
from arcade.games.players.atari.play import Memory, screen_of
from arcade.games.players.atari.shooting import HEADINGS, ShootingPlay
from arcade.games.players.atari.skill import Skill

_HEADING, _LINE = 0x15, 0x24  # of the first tank; the second's follow
_ABOVE = 8  # lines of the picture above the console's first
_WIDTH = 160  # columns, which lead round
_FRAME = 20  # a line of the picture in the upper wall
_SHIFTED = 4  # the heading whose picture leaves the tank's first column empty

_TURN = 15  # ticks from one heading to the next
_LOOK = 3  # ticks from one choice of a heading to the next
_FAR = 64  # ticks of the other's way that are looked at; it is expected to drive on for about as long
_JUMP = 4  # columns or lines that no tank drives in a tick

_HALF = 3.6, 6.4  # columns and lines from the middle of a tank within which a shell hits it
_LIFE = 220  # ticks that a shell flies
_EARLY, _LIFE_ON = 32, 164  # ticks from the start to a bounce after which it flies so many more
_AWAY = -999
_WAYS = (
    (2, 0), (2, -2), (2, -4), (1, -4), (0, -4), (-1, -4), (-2, -4), (-2, -2),
    (-2, 0), (-2, 2), (-2, 4), (-1, 4), (0, 4), (1, 4), (2, 4), (2, 2),
)  # fmt: skip
"""Columns and lines that a shell flies in a tick, by heading; as seen."""

_TICKS = np.arange(_LIFE)
Place = tuple[int, int]
"""Column and line of a shell, which is two columns wide and two lines high."""


class Walls:
    """The walls of a picture, and the ways of shells between them."""

    def __init__(self, screen: NDArray[np.uint8]) -> None:
        self._solid = (screen == screen[_FRAME, 1]).tolist()
        self._ways: dict[tuple[Place, int], NDArray[np.int16]] = {}

    def way(self, start: Place, heading: int) -> NDArray[np.int16]:
        """The places of a shell after each tick, (220, 2); far away while it cannot hit.

        A shell does not know how the wall stands: at the first touch it turns as off a level one, but never exactly
        along a line or column; where it still touches in the next tick, the other way; two ticks later, straight back.
        """
        if (start, heading) not in self._ways:
            self._ways[start, heading] = self._flown(start, heading)
        return self._ways[start, heading]

    def _flown(self, start: Place, heading: int) -> NDArray[np.int16]:
        way = np.full((_LIFE, 2), _AWAY, np.int16)
        (x, y), before = start, heading
        touches, has_bounced, life = 0, False, _LIFE
        for tick in range(_LIFE):
            touches = touches + 1 if tick and self._touches(x, y) else 0
            if touches == 1:
                before, heading = heading, -heading
                heading += heading % 4 == 0
                life = tick + _LIFE_ON if tick < _EARLY else life
                has_bounced = True
            elif touches == 2:
                heading += HEADINGS // 2
            elif touches == 4:
                heading = before + HEADINGS // 2
            if tick >= life:
                break
            across, down = _WAYS[heading % HEADINGS]
            x, y = (x + across) % _WIDTH, y + down
            if has_bounced:
                way[tick] = x, y
        return way

    def _touches(self, x: int, y: int) -> bool:
        line = y - y % 2 + _ABOVE
        return any(row[x] or row[(x + 1) % _WIDTH] for row in self._solid[line : line + 2])


def muzzle(scene: Memory, place: int) -> Place:
    """Where the shells of a tank start, a column and a line past its middle."""
    line, heading = int(scene[_LINE + place]), int(scene[_HEADING + place]) % HEADINGS
    lines = screen_of(scene)[max(0, line + _ABOVE - 14) : line + _ABOVE + 2]
    found = lines == SPRITES["combat_tank_v2"][place].colour
    sums = np.concatenate(([0], found.sum(axis=0).cumsum()))
    left = int((sums[8:] - sums[:-8]).argmax())
    left += int(found[:, left : left + 8].any(axis=0).argmax())
    return left + 4 - (heading == _SHIFTED), line - 6


class TankPlay(ShootingPlay):
    """Plays a tank: turns to the heading whose shell hits soonest, and drives on where none does."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._walls: Walls | None = None
        self._others: deque[Place] = deque(maxlen=_FAR + 1)
        self._found: float | None = None
        self._drive = "up"

    def _heading(self, now: Memory) -> int:
        return int(now[_HEADING + self.place]) % HEADINGS

    def _aim(self, now: Memory, seen: Memory) -> float | None:
        self._walls = self._walls or Walls(screen_of(now))
        other = muzzle(seen, 1 - self.place)
        if self._others and max(abs(one - two) for one, two in zip(other, self._others[-1], strict=True)) > _JUMP:
            self._others.clear()
        self._others.append(other)
        if self._tick % _LOOK == 1:
            turns = np.abs((np.arange(HEADINGS) - self._heading(now) + 8) % HEADINGS - 8)
            own = muzzle(now, self.place)
            ticks = _TURN * turns + self._hits(np.stack([self._walls.way(own, one) for one in range(HEADINGS)]), turns)
            self._found = float(ticks.argmin()) if np.isfinite(ticks.min()) else None
        return self._found

    def _hits(self, ways: NDArray[np.int16], turns: NDArray[np.int64]) -> NDArray[np.float64]:
        """In how many ticks a shell hits the other, by heading: (16,); infinite where it does not."""
        now, before = np.array(self._others[-1]), np.array(self._others[0])
        speed = (now - before) / _FAR if len(self._others) > _FAR else np.zeros(2)
        ahead = np.minimum(_TURN * turns[:, None] + _TICKS + self.reaction, _FAR)
        middles = now - 1 + ahead[:, :, None] * speed
        hits = (np.abs(ways - middles) < _HALF).all(axis=2)
        return np.where(hits.any(axis=1), hits.argmax(axis=1), np.inf)

    def _roam(self) -> str:
        if self._tick % 40 == 1:
            self._drive = str(self.rng.choice(["up", "up", "up right", "up left"]))
        return self._drive
