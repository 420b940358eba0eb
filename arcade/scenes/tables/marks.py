"""Dots, rings, crosses, stones and discs with smooth edges.  Do not draw on these cached pictures."""

from __future__ import annotations

from functools import lru_cache

import pygame

from arcade.engine.ui.theme import Colour
from arcade.scenes.pictograms.pen import Pen


@lru_cache(maxsize=128)
def disc(size: int, fill: Colour, *, edge: Colour | None = None, shine: Colour | None = None) -> pygame.Surface:
    """Draw a disc of `size` pixels with an `edge` around it and a `shine` on its upper left."""
    pen = Pen(2, 2, pixels=size, colour=edge or fill).disc((1, 1), 1)
    pen.ink(fill).disc((1, 1), 0.9 if edge else 1)
    for step in range(8 if shine else 0):  # nested spots, each a little lighter
        share = (step + 1) / 8
        red, green, blue, _ = pygame.Color(fill).lerp(shine or fill, share)
        pen.ink((red, green, blue)).disc((1 - 0.28 * share, 1 - 0.3 * share), 0.86 - 0.78 * share)
    return pen.picture()


@lru_cache(maxsize=128)
def ring(size: int, colour: Colour, *, width: float = 0.12) -> pygame.Surface:
    """Draw a circle of `size` pixels, its line `width` of that."""
    return Pen(1, 1, pixels=size, colour=colour).disc((0.5, 0.5), 0.5, line=width).picture()


@lru_cache(maxsize=16)
def cross(size: int, colour: Colour) -> pygame.Surface:
    """Draw two slanting strokes with round ends."""
    start, end = 0.08, 0.92
    pen = Pen(1, 1, pixels=size, colour=colour).stroke([(start, start), (end, end)], line=0.16)
    return pen.stroke([(start, end), (end, start)], line=0.16).picture()
