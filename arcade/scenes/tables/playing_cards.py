"""Pictures of playing cards: faces, backs and the outline of a missing card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import pygame

from arcade.engine.ui.theme import Colour, Theme
from arcade.scenes.pictograms.pen import Pen, Place
from arcade.scenes.tables.lettering import largest, units

SHAPE = 5 / 7  # width to height, of a bridge card

_PAPER, _LINE = (250, 247, 240), (120, 112, 104)
_RED, _BLACK = (196, 30, 45), (28, 28, 34)
_BACK, _BACK_LINE = (46, 74, 128), (128, 160, 214)
_LOW = 84  # units of height; lower cards have one large rank and suit


def card_width(height: int) -> int:
    """Return the width of a card of that height."""
    return round(height * SHAPE)


@lru_cache(256)
def face(theme: Theme, card: str, height: int) -> pygame.Surface:
    """Return the face of a card such as "HT" (suit, rank); do not draw on it."""
    suit, rank = card[0], "10" if card[1] == "T" else card[1]
    picture = plate(height, _PAPER, _LINE)
    ink = _RED if suit in "HD" else _BLACK
    width = picture.get_width()
    share = min(0.5, 0.27 * theme.scale)
    if share > 0.36 or height < theme.px(_LOW):  # no room for a second suit beside words of that size
        sign = theme.text(rank, size=_rank_size(theme, rank, height, 0.5), colour=ink, bold=True)
        picture.blit(sign, sign.get_rect(center=(width // 2, round(height * 0.27))))
        large = suit_picture(suit, round(height * 0.42))
        picture.blit(large, large.get_rect(center=(width // 2, round(height * 0.73))))
        return picture
    sign = theme.text(rank, size=_rank_size(theme, rank, height, share), colour=ink, bold=True)
    picture.blit(sign, sign.get_rect(midtop=(round(width * 0.26), round(height * 0.04))))
    small, large = suit_picture(suit, round(height * 0.17)), suit_picture(suit, round(height * 0.4))
    picture.blit(small, small.get_rect(midtop=(round(width * 0.26), round(height * 0.08) + round(height * share))))
    picture.blit(large, large.get_rect(center=(round(width * 0.62), round(height * 0.68))))
    return picture


@lru_cache(32)
def back(height: int) -> pygame.Surface:
    """Return the back of a card."""
    picture = plate(height, _BACK, _PAPER)
    inside = picture.get_rect().inflate(-height // 8, -height // 8)
    picture.set_clip(inside)
    step = max(6, height // 12)
    for shift in range(-inside.h, inside.w + inside.h, step):
        for sign in (1, -1):
            start = (inside.left + shift, inside.top if sign > 0 else inside.bottom)
            end = (start[0] + inside.h, start[1] + sign * inside.h)
            pygame.draw.aaline(picture, _BACK_LINE, start, end)
    picture.set_clip(None)
    pygame.draw.rect(picture, _BACK_LINE, inside, width=2, border_radius=max(2, height // 24))
    return picture


@lru_cache(64)
def gap(height: int, colour: tuple[int, ...] = (255, 255, 255, 60)) -> pygame.Surface:
    """Return the outline of a missing card."""
    picture = pygame.Surface((card_width(height), height), pygame.SRCALPHA)
    pygame.draw.rect(picture, colour, picture.get_rect(), width=2, border_radius=_radius(height))
    return picture


@lru_cache(64)
def suit_picture(suit: str, size: int) -> pygame.Surface:
    """Return the sign of a suit in a square of `size` pixels."""
    colour, radius, discs, shapes = _SUITS[suit]
    pen = Pen(1, 1, pixels=size, colour=colour)
    for centre in discs:
        pen.disc(centre, radius)
    for points in shapes:
        pen.shape(points)
    return pen.picture()


_STEM = ((0.46, 0.5), (0.54, 0.5), (0.68, 1), (0.32, 1))
_SUITS: Mapping[str, tuple[Colour, float, Sequence[Place], Sequence[Sequence[Place]]]] = {
    "H": (_RED, 0.255, ((0.265, 0.29), (0.735, 0.29)), [((0.052, 0.43), (0.5, 0.97), (0.948, 0.43), (0.5, 0.2))]),
    "D": (_RED, 0, (), [((0.5, 0), (0.86, 0.5), (0.5, 1), (0.14, 0.5))]),
    "S": (
        _BLACK, 0.255, ((0.265, 0.63), (0.735, 0.63)),
        [((0.052, 0.49), (0.5, 0), (0.948, 0.49), (0.5, 0.72)), _STEM],
    ),
    "C": (
        _BLACK, 0.225, ((0.5, 0.25), (0.25, 0.57), (0.75, 0.57)),
        [((0.42, 0.35), (0.58, 0.35), (0.58, 0.65), (0.42, 0.65)), _STEM],
    ),
}  # fmt: skip
"""Colour, discs and polygons of each suit, in units of its size."""


def plate(height: int, fill: Colour, edge: Colour) -> pygame.Surface:
    """Return an empty card."""
    width, radius = card_width(height), _radius(height)
    pen = Pen(width, height, pixels=height, colour=fill).box((0, 0, width, height), radius=radius)
    return pen.ink(edge).box((0, 0, width, height), radius=radius, line=2).picture()


def _rank_size(theme: Theme, rank: str, height: int, share: float) -> int:
    """Return the text size of a rank by its share of the card's height, within the card's width."""
    widest = card_width(height) * (0.84 if share > 0.36 else 0.52)
    return largest(theme, (rank,), round(widest), most=units(theme, height * share), bold=True)


def _radius(height: int) -> int:
    return max(3, height // 14)
