"""Glyphs: pictures of keys and of the buttons of gamepads, as they look on each family of pads."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

import pygame

from arcade.engine.input.pad_families import Family
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Colour, Theme

HEIGHT = 26  # units
_XBOX: dict[str, Colour] = {"A": (122, 201, 98), "B": (240, 98, 98), "X": (92, 158, 240), "Y": (245, 196, 70)}
_SHAPES: dict[str, tuple[str, Colour]] = {
    "a": ("cross", (150, 180, 245)), "b": ("circle", (245, 130, 130)), "x": ("square", (238, 160, 215)),
    "y": ("triangle", (110, 215, 180)),
}  # fmt: skip
_DARK: Colour = (16, 16, 20)


@lru_cache(256)
def glyph(theme: Theme, family: Family, source: str, name: str) -> pygame.Surface:
    """Return the picture of a key or button, cached; `name` is what is printed on it."""
    if family == "playstation" and source in _SHAPES:
        return _shape(theme, *_SHAPES[source])
    if family == "xbox" and name in _XBOX:
        return _disc(theme, name, fill=_XBOX[name], ink=_DARK)
    if family == "nintendo" and len(name) == 1:
        return _disc(theme, name, fill=theme.colours.ink, ink=theme.colours.ground)
    return _cap(theme, name)


def _cap(theme: Theme, name: str) -> pygame.Surface:
    """A key, or a shoulder button."""
    text = theme.text(name, size=themes.SMALLEST, colour=theme.colours.ink, bold=True)
    high = max(theme.px(HEIGHT), text.get_height() + theme.px(4))
    picture = pygame.Surface((max(text.get_width() + theme.px(14), high), high), pygame.SRCALPHA)
    pygame.draw.rect(picture, theme.colours.raised, picture.get_rect(), border_radius=theme.px(8))
    pygame.draw.rect(picture, theme.colours.edge, picture.get_rect(), theme.px(1), border_radius=theme.px(8))
    picture.blit(text, text.get_rect(center=picture.get_rect().center))
    return picture


def _disc(theme: Theme, letter: str, *, fill: Colour, ink: Colour) -> pygame.Surface:
    picture, middle = _round(theme, fill)
    text = theme.text(letter, size=themes.SMALLEST, colour=ink, bold=True)
    picture.blit(text, text.get_rect(center=(middle, middle)))
    return picture


def _shape(theme: Theme, shape: str, colour: Colour) -> pygame.Surface:
    """A PlayStation button: its shape as lines on a dark disc."""
    picture, middle = _round(theme, _DARK)
    size, line = middle * 0.5, max(2, theme.px(2))
    if shape == "circle":
        pygame.draw.circle(picture, colour, (middle, middle), size, line)
        return picture
    turns = {"square": (0.125, 0.375, 0.625, 0.875), "triangle": (0.75, 0.0833, 0.4167)}.get(shape, ())
    corners = [(middle + 1.15 * size * cos(2 * pi * t), middle + 1.15 * size * sin(2 * pi * t)) for t in turns]
    if corners:
        pygame.draw.polygon(picture, colour, corners, line)
    for x, y in ((1, 1), (1, -1)) if shape == "cross" else ():
        start, end = (middle - x * size, middle - y * size), (middle + x * size, middle + y * size)
        pygame.draw.line(picture, colour, start, end, line + 1)
    return picture


def _round(theme: Theme, fill: Colour) -> tuple[pygame.Surface, int]:
    """Return a disc and its middle."""
    high = theme.px(HEIGHT)
    picture = pygame.Surface((high, high), pygame.SRCALPHA)
    pygame.draw.circle(picture, fill, (high // 2, high // 2), high // 2)
    pygame.draw.circle(picture, theme.colours.edge, (high // 2, high // 2), high // 2, theme.px(1))
    return picture, high // 2
