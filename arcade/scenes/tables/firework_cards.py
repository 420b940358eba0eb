"""The pictures of Hanabi's cards, whose colours are named too."""

from __future__ import annotations

from collections.abc import Mapping

import pygame

from arcade.engine.ui import theme
from arcade.scenes.tables.lettering import largest, width_of
from arcade.scenes.tables.playing_cards import card_width, gap, plate

COLOURS: Mapping[str, tuple[str, theme.Colour]] = {
    "R": ("red", (240, 104, 92)),
    "Y": ("yellow", (240, 214, 80)),
    "G": ("green", (84, 196, 128)),
    "W": ("white", (236, 234, 228)),
    "B": ("blue", (104, 168, 240)),
}

_LONGEST = max((name for name, _ in COLOURS.values()), key=len)
_INK, _EDGE = (24, 22, 27), (120, 112, 104)
_BACK, _BACK_LINE = (58, 54, 74), (112, 104, 140)


@theme.kept(128)
def firework_card(card: str, height: int) -> pygame.Surface:
    """Return the face of a card such as "R3" (colour, rank); do not draw on it."""
    name, fill = COLOURS[card[0]]
    picture = plate(height, fill, _EDGE)
    below = _name_on(name, height)
    share = below[1] / height
    _write(picture, card[1], round(height * min(0.56, 0.92 - share)), (0.5, min(0.42, (0.98 - share) / 2)))
    _write(picture, *below, (0.5, 0.98 - share * 0.6))
    return picture


@theme.kept(16)
def firework_back(height: int) -> pygame.Surface:
    """Return the back of a card."""
    picture = plate(height, _BACK, _EDGE)
    middle = pygame.Vector2(picture.get_width() / 2, height / 2)
    for step in range(8):
        turned = pygame.Vector2(height * 0.26, 0).rotate(step * 45)
        pygame.draw.aaline(picture, _BACK_LINE, middle + turned * 0.35, middle + turned)
        pygame.draw.circle(picture, _BACK_LINE, middle + turned, max(2, height // 40))
    return picture


@theme.kept(64)
def firework_pile(pile: str, height: int) -> pygame.Surface:
    """Return a firework such as "R3": its highest card; the outline of an empty one (R0)."""
    if pile[1] != "0":
        return firework_card(pile, height)
    name, colour = COLOURS[pile[0]]
    picture = gap(height, colour).copy()
    _write(picture, *_name_on(name, height), (0.5, 0.5), colour)
    return picture


def _name_on(name: str, height: int) -> tuple[str, int]:
    """Return a colour's name, or its letter on a narrow card, and the text size for all colours."""
    wide = round(card_width(height) * 0.9)
    size = largest((_LONGEST,), wide, most=round(height * min(0.3, 0.16 * theme.scale())), bold=True)
    if width_of(_LONGEST, size, bold=True) <= wide:
        return name, size
    return name[0].upper(), max(theme.SMALLEST, round(height * 0.3))


def _write(
    picture: pygame.Surface, words: str, size: int, at: tuple[float, float], colour: theme.Colour = _INK
) -> None:
    text = theme.text(words, size=size, colour=colour, bold=True)
    middle = (round(picture.get_width() * at[0]), round(picture.get_height() * at[1]))
    picture.blit(text, text.get_rect(center=middle))
