"""A player of Wizard of Wor: goes to where a monster, or the other player, is in sight, and shoots.

The dungeon is eleven cells wide and six high.  Its walls are read off the picture, all figures off the memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from arcade.games.players.atari.play import Memory, Play, screen_of
from arcade.games.players.atari.skill import Skill

COLUMNS, ROWS = 11, 6
_Y, _X = 0x28, 0x30  # of six monsters, Blue and Yellow; lines count from the bottom
_ALIVE, _DEAD = 0x50, (0, 128)  # of the monsters
_TURNED = 0x40  # the way that each figure looks
_FACING = {1: "up", 2: "down", 4: "left", 8: "right"}
_OWN = (7, 6)  # of Yellow and Blue among the eight figures
_SHOT = (0x1F, 0x1E)  # the way of a shot in flight, 0 for none
_LEFT, _WIDTH = 19, 12  # place of the first column, and from one to the next
_TOP, _HEIGHT = 118, 20
_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
_CORNER = (24, 14)  # line and column of the picture in the outer wall
_LOOK = 120  # ticks from one look at the walls to the next
_BESIDE = 0.4  # cells off the line of a shot that hits
_MIDDLE = 0.07  # cells off the middle of a cell, where a figure can turn
_DEAR = 3.0  # steps that a cell in the line of fire is worth

Cell = tuple[int, int]
"""Column and row, from the top left."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure's place in cells, halves of them while it is between two."""

    x: float
    y: float
    facing: str
    turns: bool = False  # the other player

    @property
    def cell(self) -> Cell:
        """The nearest cell."""
        return round(self.x), round(self.y)


class WizardOfWorPlay(Play):
    """Hunts what is nearest."""

    def __init__(self, place: int, rng: np.random.Generator, skill: Skill) -> None:
        super().__init__(place, rng, skill)
        self._tick = -1
        self._open: frozenset[tuple[Cell, str]] = frozenset()
        self._sight = COLUMNS
        self._distracted = False

    def decide(self, now: Memory, seen: Memory) -> str:
        self._tick += 1
        own = _figure(now, _OWN[self.place])
        if own is None:
            return "up"  # out of the box
        if self._tick % _LOOK == 0 or not self._open:
            self._open = open_ways(now)
        if self._tick % 40 == 0:
            self._sight = max(1, round(COLUMNS * (1 - 0.8 * self.skill.error * abs(float(self.rng.normal())))))
            self._distracted = self.rng.random() < 0.5 * self.skill.error
        targets = list(self._targets(seen))
        near = min(((_far(own, one), way) for one in targets if (way := self._way_to(own, one))), default=None)
        if near is not None and near[0] <= self._sight and not self._distracted:
            way = near[1]
            if now[_SHOT[self.place]]:
                return _walk(own, self._cover(own, way, targets))
            return f"{way} fire" if self._tick % 4 < 2 else way
        return _walk(own, self._path(own, targets)) or "nothing"

    def _targets(self, seen: Memory) -> Iterator[Figure]:
        for index in range(8):
            if index == _OWN[self.place] or (index < 6 and seen[_ALIVE + index] in _DEAD):
                continue
            figure = _figure(seen, index)
            if figure is not None:
                yield figure

    def _way_to(self, own: Figure, target: Figure) -> str:
        """The way of a shot that hits; "" where none does, or before the middle of the cell, where it would turn."""
        across, down = target.x - own.x, target.y - own.y
        if abs(down) < _BESIDE and abs(own.y - own.cell[1]) < _MIDDLE:
            way = "right" if across > 0 else "left"
        elif abs(across) < _BESIDE and abs(own.x - own.cell[0]) < _MIDDLE:
            way = "down" if down > 0 else "up"
        else:
            return ""
        return way if self._is_clear(own.cell, target.cell, way) else ""

    def _is_clear(self, start: Cell, end: Cell, way: str) -> bool:
        at = start
        for _ in range(COLUMNS):
            if at == end:
                return True
            if (at, way) not in self._open:
                return False
            at = _next(at, way)
        return False

    def _cover(self, own: Figure, way: str, targets: list[Figure]) -> str:
        """Round a corner, out of the line of fire, until the next shot is ready; else away, else nothing."""
        open_ways = [one for one in _WAYS if one != way and (own.cell, one) in self._open]
        safe = [one for one in open_ways if not self._is_exposed(_next(own.cell, one), targets)]
        return next(iter(safe or open_ways), "nothing")

    def _is_exposed(self, at: Cell, targets: list[Figure]) -> bool:
        """Whether one of them looks towards the cell, or is the other player, who turns at once."""
        return any(
            self._sees(one.cell, at) and (one.turns or _way(one.cell, at) in (one.facing, "")) for one in targets
        )

    def _path(self, own: Figure, targets: list[Figure]) -> str:
        """The first step of the cheapest way to a cell that sees one of them; cells that they look at are dear."""
        start = own.cell
        costs, first = {start: 0.0}, {start: ""}
        queue = [(0.0, start)]
        while queue:
            cost, at = heappop(queue)
            if cost > costs[at]:
                continue
            if at != start and any(self._sees(at, one.cell) for one in targets):
                return first[at]
            for way in _WAYS:
                there = _next(at, way)
                if (at, way) not in self._open:
                    continue
                dear = cost + 1 + (_DEAR if self._is_exposed(there, targets) else 0)
                if dear < costs.get(there, np.inf):
                    costs[there], first[there] = dear, first[at] or way
                    heappush(queue, (dear, there))
        return str(self.rng.choice(list(_WAYS))) if self._tick % 30 == 0 else ""

    def _sees(self, at: Cell, goal: Cell) -> bool:
        return at == goal or (0 in (at[0] - goal[0], at[1] - goal[1]) and self._is_clear(at, goal, _way(at, goal)))


def _figure(memory: Memory, index: int) -> Figure | None:
    """The place of one of the eight figures; None outside the dungeon, or while it dies."""
    x, y = int(memory[_X + index]), int(memory[_Y + index])
    if memory[_TURNED + index] not in _FACING:
        return None
    if not (_LEFT - 6 <= x <= _LEFT + _WIDTH * COLUMNS and 12 <= y <= _TOP + 6):
        return None
    return Figure((x - _LEFT) / _WIDTH, (_TOP - y) / _HEIGHT, _FACING[memory[_TURNED + index]], index > 5)


def _next(cell: Cell, way: str) -> Cell:
    across, down = _WAYS[way]
    return cell[0] + across, cell[1] + down


def _way(at: Cell, goal: Cell) -> str:
    """From one cell to another in its row or column; "" to itself."""
    if at == goal:
        return ""
    if at[1] == goal[1]:
        return "right" if goal[0] > at[0] else "left"
    return "down" if goal[1] > at[1] else "up"


def _walk(own: Figure, way: str) -> str:
    """The key for a way: to the middle of the cell first, if it turns there."""
    across, down = own.x - own.cell[0], own.y - own.cell[1]
    if way in ("up", "down") and abs(across) > _MIDDLE:
        return "left" if across > 0 else "right"
    if way in ("left", "right") and abs(down) > _MIDDLE:
        return "up" if down > 0 else "down"
    return way


def _far(one: Figure, two: Figure) -> float:
    return abs(one.x - two.x) + abs(one.y - two.y)


def open_ways(scene: Memory) -> frozenset[tuple[Cell, str]]:
    """The cells and the ways out of them that no wall is in, without the tunnel."""
    screen = screen_of(scene)
    wall = screen == screen[_CORNER]
    found = set()
    for column in range(COLUMNS):
        for row in range(ROWS):
            x, y = 16 + _WIDTH * column, 24 + _HEIGHT * row
            if column + 1 < COLUMNS and not wall[y + 2 : y + 12, x + 8 : x + 12].any():
                found |= {((column, row), "right"), ((column + 1, row), "left")}
            if row + 1 < ROWS and not wall[y + 16 : y + 20, x : x + 8].any():
                found |= {((column, row), "down"), ((column, row + 1), "up")}
    return frozenset(found)
