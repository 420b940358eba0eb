"""Pictures of keys, pad buttons, sticks and crosses, of a gamepad with its parts lit, and of a mouse.

Their `size` is the height in pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import pygame

from arcade.engine.ui.theme import SMALLEST, Colour, Theme
from arcade.scenes.pictograms.pen import Pen, Place

ARROWS: Mapping[str, str] = {"Up": "↑", "Down": "↓", "Left": "←", "Right": "→"}


@lru_cache(256)
def key_cap(theme: Theme, word: str, *, size: int) -> pygame.Surface:
    """Draw a key with `word` on it, `size` pixels high, at least as wide; arrow keys show an arrow."""
    letters = _letters(theme, ARROWS.get(word, word), size // 2)
    width = max(size, letters.get_width() + size * 2 // 3)
    units = 40 * width / size
    pen = Pen(units, 40, pixels=size, colour=theme.colours.edge).box((0, 0, units, 40), radius=9)
    cap = pen.ink(theme.colours.raised).box((2.5, 2, units - 5, 31), radius=7).picture()
    cap.blit(letters, letters.get_rect(center=(width // 2, round(size * 0.44))))
    return cap


@lru_cache(64)
def button_cap(theme: Theme, letter: str, *, size: int) -> pygame.Surface:
    """Draw a pad's round button."""
    pen = Pen(40, 40, pixels=size, colour=theme.colours.edge).disc((20, 20), 20)
    cap, letters = pen.ink(theme.colours.raised).disc((20, 19), 17).picture(), _letters(theme, letter, size * 6 // 10)
    cap.blit(letters, letters.get_rect(center=(size // 2, round(size * 0.49))))
    return cap


@lru_cache(64)
def stick_cap(theme: Theme, ways: str, *, size: int, letter: str = "") -> pygame.Surface:
    """Draw a stick from above with the directions `ways`, of "udlr", and a `letter` to tell two sticks apart."""
    pen = Pen(40, 40, pixels=size, colour=theme.colours.edge).disc((20, 20), 13)
    pen.ink(theme.colours.raised).disc((20, 20), 11).ink(theme.colours.ink)
    for way in ways:
        pen.shape(_WAYS[way])
    cap, letters = pen.picture(), _letters(theme, letter, size * 2 // 5)
    cap.blit(letters, letters.get_rect(center=(size // 2, size // 2)))
    return cap


@lru_cache(64)
def cross_cap(theme: Theme, ways: str, *, size: int) -> pygame.Surface:
    """Draw a pad's cross with the directions `ways`, of "udlr"."""
    pen = Pen(40, 40, pixels=size, colour=theme.colours.edge)
    pen.box((13, 2, 14, 36), radius=3).box((2, 13, 36, 14), radius=3)
    pen.ink(theme.colours.raised).box((15, 4, 10, 32), radius=2).box((4, 15, 32, 10), radius=2).ink(theme.colours.ink)
    for way in ways:
        x, y = _ARMS[way]
        pen.box((x - 4, y - 4, 8, 8), radius=2)
    return pen.picture()


def _letters(theme: Theme, text: str, pixels: int) -> pygame.Surface:
    return theme.text(text, size=max(SMALLEST, pixels / theme.unit), bold=True)


_ARMS: Mapping[str, tuple[float, float]] = {"u": (20, 9), "d": (20, 31), "l": (9, 20), "r": (31, 20)}
_WAYS: Mapping[str, list[tuple[float, float]]] = {
    "u": [(20, 0), (14.5, 6), (25.5, 6)],
    "d": [(20, 40), (14.5, 34), (25.5, 34)],
    "l": [(0, 20), (6, 14.5), (6, 25.5)],
    "r": [(40, 20), (34, 14.5), (34, 25.5)],
}


WIDTH, HEIGHT = 300, 210  # units of the drawing

PARTS: Mapping[str, Place] = {
    "lt": (70, 8), "l": (70, 26), "rt": (230, 8), "r": (230, 26),
    "stick": (85, 82), "rstick": (190, 130),
    "up": (112, 116), "down": (112, 148), "left": (96, 132), "right": (128, 132),
    "a": (218, 104), "b": (240, 82), "x": (196, 82), "y": (218, 60),
    "select": (132, 80), "start": (168, 80),
}  # fmt: skip
"""The middle of each part, in the drawing's units."""

_BOXES = {
    "l": (48, 20, 44, 11), "r": (208, 20, 44, 11), "lt": (54, 2, 32, 13), "rt": (214, 2, 32, 13),
    **{part: (PARTS[part][0] - 7, PARTS[part][1] - 7, 14, 14) for part in ("up", "down", "left", "right")},
}  # fmt: skip
_DISCS = {"stick": 20, "rstick": 20, "a": 10, "b": 10, "x": 10, "y": 10, "select": 4, "start": 4}  # radius
_STICKS = {"x": "stick", "y": "stick", "rx": "rstick", "ry": "rstick"}


def part_of(control: str) -> str:
    """Return the part of the pad for a control: "a" → "a", "x-" → "stick", "rt+" → "rt"."""
    axis = control.rstrip("+-")
    return control if axis == control else _STICKS.get(axis, axis)


@lru_cache(32)
def pad_picture(theme: Theme, lit: frozenset[str], *, size: int, light: Colour) -> pygame.Surface:
    """Draw the pad, `size` pixels high, its parts in `lit` filled with `light`."""
    pen = Pen(WIDTH, HEIGHT, pixels=size, colour=theme.colours.muted)
    pen.stroke(_rounded(_BODY), line=3.5, closed=True)
    for part, box in _BOXES.items():
        pen.colour = light if part in lit else theme.colours.muted
        pen.box(box, radius=3 if box[2] == box[3] else 5, line=0 if part in lit else 2.5)
    for part, radius in _DISCS.items():
        pen.ink(light if part in lit else theme.colours.muted).disc(PARTS[part], radius, line=0 if part in lit else 2.5)
    return pen.picture()


@lru_cache(8)
def mouse_picture(theme: Theme, *, size: int, light: Colour) -> pygame.Surface:
    """Draw a mouse, `size` pixels high, its left button filled with `light`."""
    pen = Pen(60, 90, pixels=size, colour=light)
    pen.box((3, 3, 54, 84), radius=27).cut(lambda pen: pen.box((30, 0, 30, 90)).box((0, 39, 60, 51)))
    pen.colour = theme.colours.muted
    pen.box((2, 2, 56, 86), radius=28, line=3.5).stroke([(30, 4), (30, 38)], line=3).stroke([(4, 39), (56, 39)], line=3)
    return pen.box((26, 14, 8, 15), radius=4).picture()


_BODY = [
    (62, 36), (110, 40), (150, 42), (190, 40), (238, 36), (262, 52), (276, 100), (288, 158), (286, 188), (268, 200),
    (246, 190), (222, 162), (196, 158), (150, 158), (104, 158), (78, 162), (54, 190), (32, 200), (14, 188), (12, 158),
    (24, 100), (38, 52),
]  # fmt: skip


def _rounded(places: Sequence[Place]) -> Sequence[Place]:
    """Cut the corners three times: Chaikin's curve."""
    for _ in range(3):
        after = [*places[1:], places[0]]
        pairs = [(a, b, share) for a, b in zip(places, after, strict=True) for share in (0.25, 0.75)]
        places = [(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b, share in pairs]
    return places
