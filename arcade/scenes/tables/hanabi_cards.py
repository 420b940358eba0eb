"""Pictures of Hanabi's cards, whose colours also have names or letters, and of the hints on them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import pygame

from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Colour, Theme
from arcade.language import _
from arcade.scenes.pictograms.pen import Pen
from arcade.scenes.tables.hanabi_words import COLOUR_NAMES, short_name
from arcade.scenes.tables.lettering import largest, units, width_of
from arcade.scenes.tables.playing_cards import card_width, gap, plate

COLOURS: Mapping[str, Colour] = {
    "R": (240, 104, 92), "Y": (240, 214, 80), "G": (84, 196, 128), "W": (236, 234, 228), "B": (104, 168, 240),
}  # fmt: skip
_INK, _EDGE, _PAPER = (24, 22, 27), (120, 112, 104), (176, 170, 164)
_BACK, _BACK_LINE = (58, 54, 74), (112, 104, 140)


def firework_card(theme: Theme, card: str, height: int) -> pygame.Surface:
    """Return the face of a card such as "R3" (colour, rank); do not draw on it."""
    return _card(theme, COLOURS[card[0]], _name_on(theme, card[0], height), card[1], height)


def known_card(theme: Theme, colour: str, rank: str, height: int) -> pygame.Surface:
    """Return a card of which only the hints are known; its back without any."""
    if not colour and not rank:
        return _back(height)
    name = _name_on(theme, colour, height) if colour else ("", themes.SMALLEST)
    return _card(theme, COLOURS.get(colour, _PAPER), name, rank or "?", height)


def firework_pile(theme: Theme, pile: str, height: int) -> pygame.Surface:
    """Return a firework such as "R3": its highest card; the outline of an empty one (R0)."""
    if pile[1] != "0":
        return firework_card(theme, pile, height)
    colour = COLOURS[pile[0]]
    return _outline(theme, colour, _name_on(theme, pile[0], height), height)


def pip(theme: Theme, sign: str, size: int) -> pygame.Surface:
    """Return a hint: a colour's short name on its colour, or a rank on grey; do not draw on it."""
    return _pip(theme, sign, short_name(sign) if sign in COLOURS else sign, size)


@lru_cache(64)
def _pip(theme: Theme, sign: str, words: str, size: int) -> pygame.Surface:
    pen = Pen(1, 1, pixels=size, colour=_EDGE).box((0, 0, 1, 1), radius=0.25)
    pen.ink(COLOURS.get(sign, _PAPER)).box((0.06, 0.06, 0.88, 0.88), radius=0.2)
    picture = pen.picture()
    most = max(themes.SMALLEST, units(theme, size * 0.8))
    _write(picture, theme, words, largest(theme, (words,), size, most=most, bold=True), (0.5, 0.5))
    return picture


@lru_cache(64)
def _outline(theme: Theme, colour: Colour, name: tuple[str, int], height: int) -> pygame.Surface:
    picture = gap(height, colour).copy()
    _write(picture, theme, *name, (0.5, 0.5), colour)
    return picture


@lru_cache(128)
def _card(theme: Theme, fill: Colour, name: tuple[str, int], rank: str, height: int) -> pygame.Surface:
    picture = plate(height, fill, _EDGE)
    share = theme.px(name[1]) / height if name[0] else 0.0
    size = max(themes.SMALLEST, units(theme, height * min(0.56, 0.92 - share)))
    _write(picture, theme, rank, size, (0.5, min(0.42, (0.98 - share) / 2)))
    if name[0]:
        _write(picture, theme, *name, (0.5, 0.98 - share * 0.6))
    return picture


@lru_cache(16)
def _back(height: int) -> pygame.Surface:
    picture = plate(height, _BACK, _EDGE)
    middle = pygame.Vector2(picture.get_width() / 2, height / 2)
    for step in range(8):
        turned = pygame.Vector2(height * 0.26, 0).rotate(step * 45)
        pygame.draw.aaline(picture, _BACK_LINE, middle + turned * 0.35, middle + turned)
        pygame.draw.circle(picture, _BACK_LINE, middle + turned, max(2, height // 40))
    return picture


def _name_on(theme: Theme, colour: str, height: int) -> tuple[str, int]:
    """Return a colour's name, or its short name on a narrow card, and the text size for all colours."""
    names, wide = tuple(map(_, COLOUR_NAMES.values())), round(card_width(height) * 0.9)
    size = largest(theme, names, wide, most=units(theme, height * min(0.3, 0.16 * theme.scale)), bold=True)
    if all(width_of(theme, name, size, bold=True) <= wide for name in names):
        return _(COLOUR_NAMES[colour]), size
    shorts = tuple(map(short_name, COLOUR_NAMES))
    most = max(themes.SMALLEST, units(theme, height * 0.3))
    return short_name(colour), largest(theme, shorts, wide, most=most, bold=True)


def _write(
    picture: pygame.Surface, theme: Theme, words: str, size: int, at: tuple[float, float], colour: Colour = _INK
) -> None:
    text = theme.text(words, size=size, colour=colour, bold=True)
    middle = (round(picture.get_width() * at[0]), round(picture.get_height() * at[1]))
    picture.blit(text, text.get_rect(center=middle))
