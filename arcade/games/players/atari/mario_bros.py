"""A player of Mario Bros.: bumps the floor under a pest, climbs up to it while it lies on its back, and kicks it off.

Floors are counted from the bottom.  A jump under a floor is short and bumps it; one through a gap reaches the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arcade.games.players.atari.play import Memory, Play, wrapped
from arcade.games.players.atari.skill import Skill

_Y, _X = (0x2A, 0x2B), (0x2C, 0x2D)  # of Blue and Green
_PEST_Y, _PEST_X, _STATE = 0x59, 0x5F, 0x6B  # of four pests
_WALKING = 128  # states from there on; lower ones lie on their back, 0 for none
_FIRE_X, _FIRE_FLOOR = 0x73, 0x75  # of the fireball; its floor is counted from the top
_LINES = (138, 98, 58, 20)  # of what stands on each floor
_AROUND = 160  # columns
_JUMPS: tuple[tuple[tuple[int, str], ...], ...] = (
    ((60, "left"), (103, "right")),
    ((21, "right"), (142, "left")),
    ((76, "left"), (87, "right")),
)
"""By floor, where to jump to the next one, and which way to fly."""
_DROPS = ((80,), (80,), (24, 136), (80,))  # by floor, where there is nothing to stand on
_BUMP = 5  # columns from a pest where a bump turns it over
_NEAR = 22  # columns to a pest that is fled from
_SLOPPY = 9  # columns that a beginner jumps beside a pest
_PACE, _IDLE = 120, 0.8  # ticks, and the share of them that a beginner stands and looks
_FLIGHT, _HOLD = 30, 5  # ticks of a jump, and of the button


@dataclass(frozen=True, slots=True)
class Pest:
    """A pest, where it was seen."""

    x: int
    floor: int
    lies: bool


class MarioBrosPlay(Play):
    """Hunts the pest that costs least way."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick = 0
        self._flight = self._free = 0  # ticks of the jump that are left, and from where on the button is let go
        self._take_off = self._flies = "nothing"
        self._error = 0.0

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        if self._tick % 60 == 1:
            self._error = self.misjudged(_SLOPPY)
        x, y = now[_X[self.place]], now[_Y[self.place]]
        if self._flight:
            self._flight -= 1
            return self._take_off if self._flight >= self._free else self._flies
        if y not in _LINES:
            return self._flies  # it falls
        floor = _LINES.index(y)
        pests = list(_pests(seen))
        if self._tick % _PACE < _PACE * _IDLE * self.skill.error:
            return "nothing"
        if key := self._flee(x, floor, pests, seen):
            return key
        target = min(pests, key=lambda pest: self._cost(x, floor, pest), default=None)
        if target is None:
            return self._go(x, _JUMPS[min(floor, 2)][self.place][0])
        goal = target.floor if target.lies else max(target.floor - 1, 0)
        if floor < goal:
            return self._climb(x, floor)
        if floor > goal:
            return self._go(x, min(_DROPS[floor], key=lambda place: abs(_off(place, x))))
        if target.lies or target.floor == 0:
            return self._go(x, target.x) if target.lies else "nothing"
        aim = target.x + self._error
        if abs(_off(aim, x)) < _BUMP:
            return self._jump("nothing", ticks=8)
        return self._go(x, aim)

    def _flee(self, x: int, floor: int, pests: list[Pest], seen: Memory) -> str:
        """The key away from a danger on the same floor, "" without one."""
        dangers = [pest.x for pest in pests if pest.floor == floor and not pest.lies]
        if 3 - seen[_FIRE_FLOOR] == floor:
            dangers.append(seen[_FIRE_X])
        for danger in dangers:
            off = _off(danger, x)
            if abs(off) < _NEAR * (1 - 0.5 * self.skill.error):
                return "left" if off > 0 else "right"
        return ""

    def _cost(self, x: int, floor: int, pest: Pest) -> float:
        goal = pest.floor if pest.lies else pest.floor - 1
        cost = abs(_off(pest.x, x)) + 60 * abs(goal - floor)
        return cost - 200 if pest.lies else cost + (500 if pest.floor == 0 else 0)

    def _climb(self, x: int, floor: int) -> str:
        place, way = min(_JUMPS[floor], key=lambda one: abs(_off(one[0], x)))
        if abs(_off(place, x)) < 2:
            return self._jump(way, ticks=_FLIGHT)
        return self._go(x, place)

    def _jump(self, way: str, *, ticks: int) -> str:
        self._flight, self._free, self._flies = ticks, ticks - _HOLD, way
        self._take_off = "fire" if way == "nothing" else f"{way} fire"
        return self._take_off

    def _go(self, x: int, goal: float) -> str:
        off = _off(goal, x)
        self._flies = "nothing" if abs(off) < 2 else "right" if off > 0 else "left"
        return self._flies


def _pests(seen: Memory) -> Iterator[Pest]:
    for index in range(4):
        state, y = seen[_STATE + index], seen[_PEST_Y + index]
        if state and y < 150:
            floor = min(range(4), key=lambda one: abs(_LINES[one] - y))
            yield Pest(seen[_PEST_X + index], floor, state < _WALKING)


def _off(goal: float, x: float) -> float:
    """The shorter way round the picture, to the right."""
    return wrapped(goal - x, _AROUND)
