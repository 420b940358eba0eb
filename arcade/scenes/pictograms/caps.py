"""Pictures of keys, pad buttons, sticks and crosses."""

from __future__ import annotations

from collections.abc import Mapping

import pygame

from arcade.engine.ui import theme
from arcade.scenes.pictograms.pen import Pen

ARROWS: Mapping[str, str] = {"Up": "↑", "Down": "↓", "Left": "←", "Right": "→"}


@theme.kept(256)
def key_cap(word: str, *, size: int) -> pygame.Surface:
    """Draw a key with `word` on it, `size` pixels high, at least as wide; arrow keys show an arrow."""
    letters = _letters(ARROWS.get(word, word), size // 2)
    width = max(size, letters.get_width() + size * 2 // 3)
    units = 40 * width / size
    pen = Pen(units, 40, pixels=size, colour=theme.EDGE).box((0, 0, units, 40), radius=9)
    pen.colour = theme.RAISED
    cap = pen.box((2.5, 2, units - 5, 31), radius=7).picture()
    cap.blit(letters, letters.get_rect(center=(width // 2, round(size * 0.44))))
    return cap


@theme.kept(64)
def button_cap(letter: str, *, size: int) -> pygame.Surface:
    """Draw a pad's round button."""
    pen = Pen(40, 40, pixels=size, colour=theme.EDGE).disc((20, 20), 20)
    pen.colour = theme.RAISED
    cap, letters = pen.disc((20, 19), 17).picture(), _letters(letter, size * 6 // 10)
    cap.blit(letters, letters.get_rect(center=(size // 2, round(size * 0.49))))
    return cap


@theme.kept(64)
def stick_cap(ways: str, *, size: int, letter: str = "") -> pygame.Surface:
    """Draw a stick from above with the directions `ways`, of "udlr", and a `letter` to tell two sticks apart."""
    pen = Pen(40, 40, pixels=size, colour=theme.EDGE).disc((20, 20), 13)
    pen.colour = theme.RAISED
    pen.disc((20, 20), 11)
    pen.colour = theme.INK
    for way in ways:
        pen.shape(_WAYS[way])
    cap, letters = pen.picture(), _letters(letter, size * 2 // 5)
    cap.blit(letters, letters.get_rect(center=(size // 2, size // 2)))
    return cap


@theme.kept(64)
def cross_cap(ways: str, *, size: int) -> pygame.Surface:
    """Draw a pad's cross with the directions `ways`, of "udlr"."""
    pen = Pen(40, 40, pixels=size, colour=theme.EDGE)
    pen.box((13, 2, 14, 36), radius=3).box((2, 13, 36, 14), radius=3)
    pen.colour = theme.RAISED
    pen.box((15, 4, 10, 32), radius=2).box((4, 15, 32, 10), radius=2)
    pen.colour = theme.INK
    for way in ways:
        x, y = _ARMS[way]
        pen.box((x - 4, y - 4, 8, 8), radius=2)
    return pen.picture()


def _letters(text: str, size: int) -> pygame.Surface:
    return theme.text(text, size=max(theme.SMALLEST, size), colour=theme.INK, bold=True)


_ARMS: Mapping[str, tuple[float, float]] = {"u": (20, 9), "d": (20, 31), "l": (9, 20), "r": (31, 20)}
_WAYS: Mapping[str, list[tuple[float, float]]] = {
    "u": [(20, 0), (14.5, 6), (25.5, 6)],
    "d": [(20, 40), (14.5, 34), (25.5, 34)],
    "l": [(0, 20), (6, 14.5), (6, 25.5)],
    "r": [(40, 20), (34, 14.5), (34, 25.5)],
}
