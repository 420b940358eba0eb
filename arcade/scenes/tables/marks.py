"""Round things with smooth edges: dots, rings, stones and discs, drawn once and kept."""

from __future__ import annotations

from functools import lru_cache

import pygame

from arcade.engine.ui.theme import Colour

_FINER = 4  # drawn so many times as large and smoothed down


@lru_cache(maxsize=128)
def disc(size: int, fill: Colour, *, edge: Colour | None = None, shine: Colour | None = None) -> pygame.Surface:
    """A round plate `size` pixels across; `edge` goes round it, `shine` lies on its upper left.  Do not draw on it."""
    fine = _empty(size, edge or fill)
    middle, radius = (size * _FINER / 2, size * _FINER / 2), size * _FINER / 2
    pygame.draw.circle(fine, edge or fill, middle, radius)
    pygame.draw.circle(fine, fill, middle, radius * (0.9 if edge else 1.0))
    if shine is not None:
        for step in range(8):  # nested spots, each a little lighter
            share = (step + 1) / 8
            ink = [round(f + (s - f) * share) for f, s in zip(fill, shine, strict=True)]
            at = (middle[0] - radius * 0.28 * share, middle[1] - radius * 0.3 * share)
            pygame.draw.circle(fine, ink, at, radius * (0.86 - 0.78 * share))
    return pygame.transform.smoothscale(fine, (size, size))


@lru_cache(maxsize=128)
def ring(size: int, colour: Colour, *, width: float = 0.12) -> pygame.Surface:
    """A circle `size` pixels across, its line `width` of that.  Do not draw on it."""
    fine = _empty(size, colour)
    middle = (size * _FINER / 2, size * _FINER / 2)
    pygame.draw.circle(fine, colour, middle, size * _FINER / 2, max(1, round(size * _FINER * width)))
    return pygame.transform.smoothscale(fine, (size, size))


@lru_cache(maxsize=16)
def cross(size: int, colour: Colour, *, width: float = 0.16) -> pygame.Surface:
    """Two slanting strokes with round ends.  Do not draw on it."""
    fine = _empty(size, colour)
    thick = size * _FINER * width
    near, far = thick / 2, size * _FINER - thick / 2
    for start, end in (((near, near), (far, far)), ((near, far), (far, near))):
        for step in range(65):
            share = step / 64
            at = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            pygame.draw.circle(fine, colour, at, thick / 2)
    return pygame.transform.smoothscale(fine, (size, size))


def _empty(size: int, colour: Colour) -> pygame.Surface:
    """Transparent, but of that colour underneath, so that smoothing brings no other into its edges."""
    fine = pygame.Surface((size * _FINER, size * _FINER), pygame.SRCALPHA)
    fine.fill((*colour, 0))
    return fine
