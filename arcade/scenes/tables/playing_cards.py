"""Pictures of playing cards: faces, backs and the outline of a missing card."""

from __future__ import annotations

import pygame

from arcade.engine.ui import theme
from arcade.scenes.tables.lettering import largest

SHAPE = 5 / 7  # width to height, of a bridge card

_PAPER, _LINE = (250, 247, 240), (120, 112, 104)
_RED, _BLACK = (196, 30, 45), (28, 28, 34)
_BACK, _BACK_LINE = (46, 74, 128), (128, 160, 214)
_LOW = 84  # pixels of height; lower cards have one large rank and suit
_FINE = 4  # shapes are drawn this many times larger and smoothed down


def card_width(height: int) -> int:
    """Return the width of a card of that height."""
    return round(height * SHAPE)


@theme.kept(256)
def face(card: str, height: int) -> pygame.Surface:
    """Return the face of a card such as "HT" (suit, rank); do not draw on it."""
    suit, rank = card[0], "10" if card[1] == "T" else card[1]
    picture = _plate(height, _PAPER, _LINE)
    ink = _RED if suit in "HD" else _BLACK
    width = picture.get_width()
    share = min(0.5, 0.27 * theme.scale())
    if share > 0.36 or height < _LOW:  # no room for a second suit beside words of that size
        sign = theme.text(rank, size=_rank_size(rank, height, 0.5), colour=ink, bold=True)
        picture.blit(sign, sign.get_rect(center=(width // 2, round(height * 0.27))))
        large = suit_picture(suit, round(height * 0.42))
        picture.blit(large, large.get_rect(center=(width // 2, round(height * 0.73))))
        return picture
    sign = theme.text(rank, size=_rank_size(rank, height, share), colour=ink, bold=True)
    picture.blit(sign, sign.get_rect(midtop=(round(width * 0.26), round(height * 0.04))))
    small, large = suit_picture(suit, round(height * 0.17)), suit_picture(suit, round(height * 0.4))
    picture.blit(small, small.get_rect(midtop=(round(width * 0.26), round(height * 0.08) + round(height * share))))
    picture.blit(large, large.get_rect(center=(round(width * 0.62), round(height * 0.68))))
    return picture


@theme.kept(32)
def back(height: int) -> pygame.Surface:
    """Return the back of a card."""
    picture = _plate(height, _BACK, _PAPER)
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


@theme.kept(32)
def gap(height: int) -> pygame.Surface:
    """Return the outline of a missing card."""
    picture = pygame.Surface((card_width(height), height), pygame.SRCALPHA)
    pygame.draw.rect(picture, (255, 255, 255, 60), picture.get_rect(), width=2, border_radius=_radius(height))
    return picture


@theme.kept(64)
def suit_picture(suit: str, size: int) -> pygame.Surface:
    """Return the sign of a suit in a square of `size` pixels."""
    side = size * _FINE
    picture = pygame.Surface((side, side), pygame.SRCALPHA)
    {"S": _spade, "H": _heart, "D": _diamond, "C": _club}[suit](picture, side)
    return pygame.transform.smoothscale(picture, (size, size))


def _rank_size(rank: str, height: int, share: float) -> int:
    """Return the text size of a rank by its share of the card's height, within the card's width."""
    widest = card_width(height) * (0.84 if share > 0.36 else 0.52)
    return largest((rank,), round(widest), most=round(height * share), bold=True)


def _plate(height: int, fill: theme.Colour, edge: theme.Colour) -> pygame.Surface:
    size = (card_width(height), height)
    large = pygame.Surface((size[0] * _FINE, size[1] * _FINE), pygame.SRCALPHA)
    radius = _radius(height) * _FINE
    pygame.draw.rect(large, fill, large.get_rect(), border_radius=radius)
    pygame.draw.rect(large, edge, large.get_rect(), width=_FINE * 2, border_radius=radius)
    return pygame.transform.smoothscale(large, size)


def _radius(height: int) -> int:
    return max(3, height // 14)


def _diamond(picture: pygame.Surface, side: int) -> None:
    points = ((0.5, 0), (0.86, 0.5), (0.5, 1), (0.14, 0.5))
    pygame.draw.polygon(picture, _RED, [(side * x, side * y) for x, y in points])


def _heart(picture: pygame.Surface, side: int, *, colour: theme.Colour = _RED, bottom: float = 0.97) -> None:
    radius = side * 0.255
    for x in (0.265, 0.735):
        pygame.draw.circle(picture, colour, (side * x, side * 0.29), radius)
    points = ((0.052, 0.43), (0.5, bottom), (0.948, 0.43), (0.5, 0.2))
    pygame.draw.polygon(picture, colour, [(side * x, side * y) for x, y in points])


def _spade(picture: pygame.Surface, side: int) -> None:
    upper = pygame.Surface(picture.get_size(), pygame.SRCALPHA)
    _heart(upper, side, colour=_BLACK, bottom=0.92)
    flipped = pygame.transform.flip(upper, False, True)
    picture.blit(flipped, (0, -side * 0.08))
    _stem(picture, side)


def _club(picture: pygame.Surface, side: int) -> None:
    for x, y in ((0.5, 0.25), (0.25, 0.57), (0.75, 0.57)):
        pygame.draw.circle(picture, _BLACK, (side * x, side * y), side * 0.225)
    pygame.draw.rect(picture, _BLACK, (side * 0.42, side * 0.35, side * 0.16, side * 0.3))
    _stem(picture, side)


def _stem(picture: pygame.Surface, side: int) -> None:
    points = [(side * 0.46, side * 0.5), (side * 0.54, side * 0.5), (side * 0.68, side), (side * 0.32, side)]
    pygame.draw.polygon(picture, _BLACK, points)
