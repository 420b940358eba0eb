"""Dots, rings, crosses, stones and discs with smooth edges.  Do not draw on these cached pictures."""

from __future__ import annotations

from functools import lru_cache

import pygame

from arcade.engine.ui.theme import Colour

_FINER = 4  # drawn this many times larger and smoothed down


@lru_cache(maxsize=128)
def disc(size: int, fill: Colour, *, edge: Colour | None = None, shine: Colour | None = None) -> pygame.Surface:
    """Draw a disc of `size` pixels with an `edge` around it and a `shine` on its upper left."""
    fine, radius = _empty(size, edge or fill), size * _FINER / 2
    pygame.draw.circle(fine, edge or fill, (radius, radius), radius)
    pygame.draw.circle(fine, fill, (radius, radius), radius * (0.9 if edge else 1.0))
    for step in range(8 if shine else 0):  # nested spots, each a little lighter
        share = (step + 1) / 8
        ink = [round(f + (s - f) * share) for f, s in zip(fill, shine or fill, strict=True)]
        at = (radius - radius * 0.28 * share, radius - radius * 0.3 * share)
        pygame.draw.circle(fine, ink, at, radius * (0.86 - 0.78 * share))
    return pygame.transform.smoothscale(fine, (size, size))


@lru_cache(maxsize=128)
def ring(size: int, colour: Colour, *, width: float = 0.12) -> pygame.Surface:
    """Draw a circle of `size` pixels, its line `width` of that."""
    fine, radius = _empty(size, colour), size * _FINER / 2
    pygame.draw.circle(fine, colour, (radius, radius), radius, max(1, round(size * _FINER * width)))
    return pygame.transform.smoothscale(fine, (size, size))


@lru_cache(maxsize=16)
def cross(size: int, colour: Colour, *, width: float = 0.16) -> pygame.Surface:
    """Draw two slanting strokes with round ends."""
    fine = _empty(size, colour)
    whole, thick = size * _FINER, size * _FINER * width
    for step in range(65):
        at = thick / 2 + (whole - thick) * step / 64
        for y in (at, whole - at):
            pygame.draw.circle(fine, colour, (at, y), thick / 2)
    return pygame.transform.smoothscale(fine, (size, size))


def _empty(size: int, colour: Colour) -> pygame.Surface:
    """Make a transparent surface of that colour, so that smoothing mixes no other into the edges."""
    fine = pygame.Surface((size * _FINER, size * _FINER), pygame.SRCALPHA)
    fine.fill((*colour, 0))
    return fine
