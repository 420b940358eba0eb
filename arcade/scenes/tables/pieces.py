"""Pictures of chess pieces, drawn from outlines at any size."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import pygame

from arcade.engine.ui.theme import Colour

Point = tuple[float, float]

LIGHT: Colour = (250, 246, 236)
DARK: Colour = (46, 41, 50)
_EDGES = {LIGHT: (52, 44, 48), DARK: (226, 218, 208)}
_FINER = 4  # drawn this many times larger and smoothed down

# Curves in a box of 100 by 100, y down: the points are joined smoothly, a new list begins with a corner.
_Curves = Sequence[Sequence[Point]]
_BASE: _Curves = [[(20, 90), (20, 82)], [(20, 82), (23, 79), (28, 78)], [(72, 78), (77, 79), (80, 82)], [(80, 90)]]
_SKIRT: _Curves = [[(30, 79), (38, 68), (42, 50)], [(58, 50), (62, 68), (70, 79)]]
_COLLAR: _Curves = [[(34, 50), (36, 45)], [(64, 45), (66, 50)]]
_BALL: Sequence[Point] = [(0, -5), (3.5, -3.5), (5, 0), (3.5, 3.5), (0, 5), (-3.5, 3.5), (-5, 0), (-3.5, -3.5), (0, -5)]
_SHAPES: dict[str, Sequence[_Curves]] = {
    "p": [
        _SKIRT, _BASE, [[(36, 51), (38, 47)], [(62, 47), (64, 51)]],
        [[(50, 20), (59, 23.5), (64, 33), (60, 43), (50, 47), (40, 43), (36, 33), (41, 23.5), (50, 20)]],
    ],
    "r": [
        [[(31, 79), (35, 70), (36, 40)], [(64, 40), (65, 70), (69, 79)]],
        _BASE,
        [
            [(27, 42), (26, 18)], [(36, 18), (36, 25)], [(44.5, 25), (44.5, 18)], [(55.5, 18), (55.5, 25)],
            [(64, 25), (64, 18)], [(74, 18), (73, 42)],
        ],
    ],
    "b": [
        _SKIRT, _BASE, _COLLAR,
        [[(50, 15), (62, 27), (66, 37), (59, 46)], [(41, 46), (34, 37), (38, 27), (50, 15)]],
        [[(50, 8), (54, 10), (55, 14), (50, 18), (45, 14), (46, 10), (50, 8)]],
    ],
    "n": [
        [
            [(27, 79), (29, 66), (40, 54), (45, 45)], [(45, 45), (37, 47), (30, 54)],
            [(30, 54), (25, 57), (20, 53), (18, 47)], [(18, 47), (24, 38), (30, 27), (36, 20)],
            [(36, 20), (36, 14), (39, 9)], [(39, 9), (43, 13), (46, 17)],
            [(46, 17), (62, 19), (73, 33), (76, 54), (74, 79)],
        ],
        _BASE,
    ],
    "q": [
        [[(30, 79), (35, 66), (34, 52)], [(66, 52), (65, 66), (70, 79)]],
        _BASE,
        [
            [(32, 55), (20, 27)], [(35, 40), (35, 19)], [(46, 38), (50, 16)],
            [(54, 38), (65, 19)], [(65, 40), (80, 27)], [(68, 55)],
        ],
        *([[(x + dx, y + dy) for dx, dy in _BALL]] for x, y in ((20, 25), (35, 17), (50, 14), (65, 17), (80, 25))),
    ],
    "k": [
        [[(30, 79), (35, 68), (34, 54)], [(66, 54), (65, 68), (70, 79)]],
        _BASE,
        [[(34, 57), (22, 47), (21, 36), (30, 30), (42, 33), (50, 42),
          (58, 33), (70, 30), (79, 36), (78, 47), (66, 57)]],
        [[(45, 38), (50, 28)], [(55, 38)]],
        [
            [(47, 8), (53, 8)], [(53, 14), (60, 14)], [(60, 20), (53, 20)], [(53, 32), (47, 32)], [(47, 20), (40, 20)],
            [(40, 14), (47, 14)],
        ],
    ],
}  # fmt: skip
_LINES: dict[str, Sequence[Sequence[Point]]] = {
    "p": [],
    "r": [[(36, 47), (64, 47)], [(34, 72), (66, 72)]],
    "b": [[(50, 24), (50, 38)], [(44, 31), (56, 31)]],
    "n": [[(34, 30), (37, 28)], [(22, 49), (25, 47)], [(52, 25), (62, 36), (65, 54), (63, 70)]],
    "q": [[(35, 59), (65, 59)], [(33, 70), (67, 70)]],
    "k": [[(36, 60), (64, 60)], [(34, 70), (66, 70)]],
}


@lru_cache(maxsize=64)
def piece_picture(letter: str, size: int) -> pygame.Surface:
    """Draw the piece of a FEN letter, white in upper case, `size` pixels each way; do not draw on it."""
    fill = LIGHT if letter.isupper() else DARK
    fine = pygame.Surface((size * _FINER, size * _FINER), pygame.SRCALPHA)
    fine.fill((*_EDGES[fill], 0))
    scale = size * _FINER / 100
    outlines, lines = (
        [[(x * scale, y * scale) for x, y in points] for points in drawn] for drawn in _smoothed(letter.lower())
    )
    for radius, inside in ((2.2, _EDGES[fill]), (1.1, fill)):
        for outline in outlines:
            _stroke(fine, [*outline, outline[0]], _EDGES[fill], radius * scale)
            pygame.draw.polygon(fine, inside, outline)
    for line in lines:
        _stroke(fine, line, _EDGES[fill], 1.4 * scale)
    return pygame.transform.smoothscale(fine, (size, size))


@lru_cache(maxsize=6)
def _smoothed(letter: str) -> tuple[list[list[Point]], list[list[Point]]]:
    """Return a piece's outlines and the lines on it."""
    outlines = [[point for curve in curves for point in _smooth(curve)] for curves in _SHAPES[letter]]
    return outlines, [_smooth(line) for line in _LINES[letter]]


def _smooth(points: Sequence[Point], steps: int = 5) -> list[Point]:
    """Lay a curve through all `points` (Catmull and Rom 1974); fewer than three stay as they are."""
    if len(points) < 3:
        return list(points)
    padded = [points[0], *points, points[-1]]
    curve = [points[0]]
    for before, start, end, after in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        curve += [_between(before, start, end, after, step / steps) for step in range(1, steps + 1)]
    return curve


def _between(before: Point, start: Point, end: Point, after: Point, t: float) -> Point:
    x, y = (
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(before, start, end, after, strict=True)
    )
    return x, y


def _stroke(picture: pygame.Surface, points: Sequence[Point], colour: Colour, radius: float) -> None:
    for start, end in pairwise(points):
        pygame.draw.line(picture, colour, start, end, max(1, round(2 * radius)))
    for point in points:
        pygame.draw.circle(picture, colour, point, radius)
